#pragma once

#include <array>
#include <string_view>

// Which keys each object of a plan may have, in the order in which a complaint
// lists them. The readers beside this file know no others, and plan.schema.json
// tells editors the same: a test compares them.

namespace turnstile::config {

/// The plan itself. `$schema` is for editors; nobody here looks at it.
inline constexpr auto plan_keys = std::to_array<std::string_view>(
  {"run", "quota", "concurrency", "deadline", "retry", "seed", "memo",
   "backends", "tasks", "$schema"});

inline constexpr auto retry_keys = std::to_array<std::string_view>(
  {"max_retries", "initial_backoff", "multiplier", "max_backoff", "jitter",
   "schema_retry_max"});

inline constexpr auto backend_keys = std::to_array<std::string_view>(
  {"kind", "default", "concurrency", "command", "max_output", "env", "script"});

/// A step of a backend's `script`.
inline constexpr auto step_keys =
  std::to_array<std::string_view>({"ok", "fail", "hang", "delay"});

inline constexpr auto task_keys = std::to_array<std::string_view>({
  "name",          "prompt",   "prompt_file", "each",   "needs",
  "backend",       "phase",    "workdir",     "env",    "attempt_timeout",
  "idle_timeout",  "deadline", "weight",      "tenant", "model",
  "output_schema", "role",     "description", "thread", "allowlist",
  "mcp",
});

/// A task's `allowlist`.
inline constexpr auto policy_keys = std::to_array<std::string_view>(
  {"accept_edits", "allow_commands", "allow_mcp", "deny"});

/// A task's `mcp`.
inline constexpr auto endpoint_keys =
  std::to_array<std::string_view>({"name", "url"});

} // namespace turnstile::config
