#pragma once

#include "actors/node/past_run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace turnstile::node {

/// A task that has what another waits for.
struct task_holder {
  std::string task;
  std::string state; ///< How it stands: `"running"`, or for how long.
};

/// Why a task of a run does not run now, or why it ended as it did.
struct task_explanation {
  std::string run_id;
  std::string task;
  std::string status; ///< As in the program's JSON.

  /// One word. Of a task that has ended: `"ok"` or an error's code. Else what
  /// holds it: a `wire::HoldCause`, such as `"slots"`; `"needs"`, that others
  /// have to succeed first; or `"not_running"`, that no process runs the run.
  std::string cause;

  std::string text;   ///< That, as a sentence.
  std::string frees;  ///< What would change it.
  std::string so_far; ///< What became of earlier attempts; empty: none.

  std::string limit;                 ///< Which limit it meets; empty: none.
  std::string value;                 ///< That limit's value.
  std::uint64_t held_by = 0;         ///< How many have what it waits for.
  std::vector<task_holder> holders;  ///< The first of them.
  std::uint64_t before = 0;          ///< Tasks of its run that come before it.
  std::optional<duration> remaining; ///< When time alone will change it.
};

/// Asks the journal, and whoever runs the run. `invalid_argument` if the plan
/// has no such task.
result<task_explanation> explain(journal_view& journal, const past_run& run,
                                 const std::string& task);

std::string to_json(const task_explanation& why);
std::string to_text(const task_explanation& why);

} // namespace turnstile::node
