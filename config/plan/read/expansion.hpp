#pragma once

#include "config/plan/read/task_draft.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace turnstile::config {

/// A need as one task has it: `NAME` or `NAME:PATH`.
struct wanted_task {
  std::string name;
  const field* where; ///< In the draft.
};

/// A task that lacks only its needs, which are names still.
struct expanded_task {
  const task_draft* draft;
  task_settings task;
  std::vector<wanted_task> wanted;
};

/// Turns drafts into tasks: one of each, or one for each file that its `each`
/// finds. Prompt files are read here. Bounds what all of them hold together,
/// since a few lines of a plan can ask for a lot.
class expansion {
public:
  /// `backends` are the names that a task may use; none means that they are
  /// not known, because that part of the plan is wrong.
  expansion(const std::filesystem::path& folder,
            std::vector<std::string_view> backends);

  /// Adds the tasks of `draft`, which must outlive the result: none if its
  /// files cannot be had, which is a complaint.
  void add(const task_draft& draft);

  [[nodiscard]] std::size_t size() const noexcept { return tasks_.size(); }

  /// Returns whether a limit was met. `add` does nothing from then on.
  [[nodiscard]] bool is_full() const noexcept { return full_; }

  /// All tasks, in the order of their drafts and paths.
  std::vector<expanded_task> take() { return std::move(tasks_); }

private:
  void add_task(const task_draft& draft, std::string name,
                const matched_file& file);
  void bind_options(const task_draft& draft, const matched_file& file,
                    task_settings& task);
  void bind_prompt_file(const placed_text& name, const matched_file& file,
                        bool has_each, task_settings& task);
  // These give nothing once there is no room: the plan is refused anyway.
  std::string bind(const placed_text& text, const matched_file& file);
  prompt bind_prompt_text(const task_text& text, const matched_file& file);
  bool has_room_for(std::size_t bytes, std::size_t strings = 1);
  void stop_if_full(const task_draft& draft);

  const std::filesystem::path& folder_;
  std::vector<std::string_view> backends_;
  std::vector<expanded_task> tasks_;
  std::size_t bytes_ = 0;
  bool full_ = false;

  // The prompt file that was read last: often it is the same for all.
  std::string last_file_;
  std::string last_content_;
};

} // namespace turnstile::config
