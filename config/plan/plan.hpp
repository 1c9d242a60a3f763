#pragma once

#include "config/plan/template.hpp"
#include "core/attempt/backend_error.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// A plan as the program uses it: read, checked, expanded. Whoever holds one may
// rely on every sentence below. JSON values are compact text; no field needs a
// JSON library. `load_plan` makes plans, actors/node turns them into messages.

namespace turnstile::config {

/// Variables for a child process.
using environment = std::map<std::string, std::string>;

/// Whether the waiting time before a retry is drawn or exact.
enum class jitter_mode : std::uint8_t {
  full, ///< Drawn between zero and the exact time.
  none, ///< The exact time.
};

/// When a failed attempt is made again. The n-th retry waits for
/// `initial_backoff * multiplier^(n-1)`, but never longer than `max_backoff`.
struct retry_settings {
  std::uint32_t max_retries = 2; ///< The first try is not counted.
  duration initial_backoff = std::chrono::milliseconds{500}; ///< May be zero.
  double multiplier = 2.0;                                   ///< At least 1.
  duration max_backoff = std::chrono::seconds{10};           ///< May be zero.
  jitter_mode jitter = jitter_mode::full;
  std::uint32_t schema_retry_max = 3; ///< Counted apart from `max_retries`.

  friend bool operator==(const retry_settings&,
                         const retry_settings&) = default;
};

/// What a scripted backend does with one call. The calls take the steps in
/// order, and the last step is repeated.
struct script_step {
  enum class type : std::uint8_t {
    ok,   ///< Succeeds with `output`.
    fail, ///< Fails with `error`.
    hang, ///< Does nothing until it is cancelled.
  };

  type is = type::ok;
  std::string output; ///< JSON; only with `ok`.
  backend_error_kind error = backend_error_kind::spawn; ///< Only with `fail`.
  duration delay = duration::zero(); ///< Before the end; zero with `hang`.

  friend bool operator==(const script_step&, const script_step&) = default;
};

/// One way to execute tasks.
struct backend_settings {
  enum class type : std::uint8_t { process, scripted };

  std::string name; ///< Its key in the plan.
  type is = type::process;

  /// Whether tasks go here that name no backend. Exactly one of a plan's
  /// backends says so.
  bool is_default = false;

  /// Calls that it takes at the same time. Nothing: as many as the run allows.
  std::optional<std::uint32_t> concurrency;

  // A process backend's own.
  std::vector<std::string> command; ///< Program and arguments; no NUL.
  std::uint64_t max_output = std::uint64_t{1} << 20; ///< Bytes; above zero.
  environment env; ///< For every child; a task's own variables win.

  // A scripted backend's own.
  std::vector<script_step> script; ///< Not empty.

  friend bool operator==(const backend_settings&,
                         const backend_settings&) = default;
};

/// What an agent may do without asking.
struct tool_policy {
  bool accept_edits = false;
  std::vector<std::string> allow_commands;
  std::vector<std::string> allow_mcp;
  std::vector<std::string> deny;

  friend bool operator==(const tool_policy&, const tool_policy&) = default;
};

/// A tool server for an agent.
struct mcp_endpoint {
  std::string name;
  std::string url;

  friend bool operator==(const mcp_endpoint&, const mcp_endpoint&) = default;
};

/// One task, after `each`, `{{path}}` and `{{stem}}` are gone.
struct task_settings {
  std::string name; ///< Unique in its plan; printable; UTF-8.
  config::prompt prompt;
  std::optional<std::string> backend; ///< One of the plan's, if any is named.
  std::uint32_t phase = 0;
  std::optional<duration> attempt_timeout; ///< Above zero.
  std::optional<duration> idle_timeout;    ///< Above zero.
  std::optional<duration> deadline;        ///< From acceptance; above zero.
  std::uint32_t weight = 1;                ///< At least 1.
  std::string tenant = "default";
  std::string workdir; ///< Absolute. Nobody has looked whether it exists.
  environment env;
  std::optional<std::string> output_schema; ///< JSON, an object.
  std::optional<std::string> model;
  std::optional<std::string> role;
  std::optional<std::string> description;
  std::optional<std::string> thread;
  std::optional<tool_policy> allowlist;
  std::optional<mcp_endpoint> mcp;

  /// Names of the tasks that must succeed first, each once, in plan order.
  std::vector<std::string> needs;

  friend bool operator==(const task_settings&, const task_settings&) = default;
};

/// The tasks that one entry of the plan became; they stand side by side.
struct task_group {
  std::size_t first = 0; ///< The place of its first in `plan::tasks`.
  std::size_t count = 1;

  friend bool operator==(const task_group&, const task_group&) = default;
};

/// A plan.
struct plan {
  std::string run;                  ///< What people call it.
  std::uint64_t quota = 1000;       ///< Tasks that may be accepted; zero: none.
  std::uint32_t concurrency = 1;    ///< Attempts at the same time; at least 1.
  std::optional<duration> deadline; ///< For the whole run; above zero.
  retry_settings retry;
  std::optional<std::uint64_t> seed; ///< For drawing jitter.
  bool memo = false;                 ///< Whether earlier outputs may answer.
  std::vector<backend_settings> backends; ///< As in the file; not empty.
  std::vector<task_settings> tasks; ///< As in the file; needs have no cycle.

  /// What the file's names stand for: one task, or all that `each` made.
  std::map<std::string, task_group, std::less<>> groups;

  friend bool operator==(const plan&, const plan&) = default;
};

} // namespace turnstile::config
