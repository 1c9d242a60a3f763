#pragma once

#include "config/plan/json/field.hpp"
#include "config/plan/plan.hpp"
#include "config/plan/text/task_text.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile::config {

/// A string of a task, and where to complain about what becomes of it.
struct placed_text {
  task_text text; ///< Without faults.
  field where;
};

/// An entry of `tasks` as it was written: its strings still have their
/// templates, and `each` has not looked for files. `read_task` makes it,
/// `expansion` turns it into tasks.
struct task_draft {
  task_draft(field entry, field called)
    : where(std::move(entry)), name_where(std::move(called)) {}

  field where;      ///< The entry.
  field name_where; ///< Its name; the entry again if it has none.
  std::string name; ///< The NAME that others need.
  std::optional<field> each;

  /// `prompt` or, if so, `prompt_file`. Nothing: both were wrong.
  std::optional<placed_text> prompt;
  bool prompt_is_file = false;

  std::optional<placed_text> tenant;
  std::optional<placed_text> workdir;
  std::vector<std::pair<std::string, placed_text>> env;
  std::vector<placed_text> needs;

  // Strings by where they go.
  template <class Owner, class Member>
  using texts = std::vector<std::pair<Member Owner::*, placed_text>>;
  texts<task_settings, std::optional<std::string>> options;
  texts<tool_policy, std::vector<std::string>> permissions;
  texts<mcp_endpoint, std::string> endpoint;

  /// All that holds no template.
  task_settings fixed;
};

} // namespace turnstile::config
