#pragma once

#include "config/plan/read/expansion.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace turnstile::config {

/// What the names in needs and templates stand for. Knows the tasks by place,
/// so they must neither move nor change their names while it lives.
class task_index {
public:
  using groups = std::map<std::string, task_group, std::less<>>;

  /// Complains about tasks that `each` gave the name of another.
  task_index(const std::vector<expanded_task>& tasks, const groups& named);

  /// Returns the tasks that `name` stands for: those of an entry of the plan,
  /// else the one task of this name. Nothing: nobody has it.
  [[nodiscard]] std::optional<task_group> find(std::string_view name) const;

  /// Returns whether `name` is that of an entry, and of one with `each`.
  [[nodiscard]] bool is_entry(std::string_view name) const {
    return groups_.contains(name);
  }
  [[nodiscard]] bool is_of_many(std::string_view name) const;

  /// The name of the entry that the task at `place` was made from.
  [[nodiscard]] const std::string& entry_of(std::size_t place) const {
    return tasks_[place].draft->name;
  }

  /// The names of all entries.
  [[nodiscard]] const std::vector<std::string_view>& names() const noexcept {
    return names_;
  }

private:
  const std::vector<expanded_task>& tasks_;
  const groups& groups_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::vector<std::string_view> names_;
};

} // namespace turnstile::config
