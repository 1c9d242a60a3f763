#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace turnstile {

/// What went wrong, as far as a caller can act on it. A new code earns its
/// place only if some caller would react to it differently; everything else
/// belongs in `failure::detail`. This is the one registry of these numbers:
/// they travel between nodes and live in journals, so never renumber one and
/// never reuse a retired one.
enum class errc : std::uint8_t {
  // The transactional core.
  invalid_limits = 1,    ///< A limit was zero. Fix the configuration.
  duplicate_request = 2, ///< The identity is active or remembered as ended.
  unknown_request = 3,   ///< No active request has this identity.
  capacity = 4,          ///< A limit is reached. Retry after work drains.
  descriptor = 5,        ///< A work could not describe itself, or is too big.
  state = 6,             ///< The request's state forbids or failed the verb.
  submission = 7,        ///< The backend refused a work at submission.
  completion = 8,        ///< The backend finished a work without success.
  consensus = 9,         ///< Ranks disagree. The scheduler is poisoned.
  distributed_completion = 10, ///< A work failed on at least one rank.
  poisoned = 11,               ///< Only looking and draining are allowed.
  conflict = 12,          ///< A branch was cut from a base that has moved on.
  turn_in_progress = 13,  ///< A turn waits for other ranks; resume that one.
  unknown_work = 14,      ///< No accepted work has this identity.
  no_codec = 15,          ///< The program's values have no byte form.
  invalid_argument = 16,  ///< The call itself is wrong. Fix the caller.
  deadline_exceeded = 17, ///< It was due before it could be done.
  cancelled = 18,         ///< Its owner or a caller cancelled it.
  rank_lost = 19, ///< A rank did not answer. Replace it, re-form the group.

  // Agent scheduling.
  unknown_backend = 32,   ///< No backend is registered under this name.
  no_backend = 33,        ///< No backend is registered at all.
  run_not_found = 34,     ///< No run has this identity.
  quota_exceeded = 35,    ///< The run has used up its quota.
  run_cancelled = 36,     ///< The task's run was cancelled.
  agent_cancelled = 37,   ///< The task itself was cancelled.
  non_retryable = 38,     ///< The backend failed in a way no retry mends.
  exhausted = 39,         ///< Every permitted retry failed.
  schema_validation = 40, ///< The output never matched its schema.
  backend_lost = 41,      ///< The backend actor or its node went away.
  need_failed = 42,       ///< A task that this one needs did not succeed.
  invalid_schema = 43,    ///< No output could match it. Fix the schema.
  duplicate_agent = 44,   ///< The run has had a task of this agent id.

  // Journals.
  storage_full = 48,    ///< No space is left. Free some; nothing is lost.
  storage_failed = 49,  ///< Reading or writing failed. Look at the disk.
  journal_damaged = 50, ///< What is kept is not what was written.
  journal_owned = 51,   ///< Another process runs what is in the journal.
  fenced = 52,          ///< Another process has taken the journal over.

  // Nodes.
  protocol_unknown = 56, ///< The peer speaks another one. Update the older.
  name_taken = 57,       ///< A node of this name is connected already.
  run_conflict = 58,     ///< The run of this identity is of another plan.

  // Plans and the program.
  invalid_plan = 64,  ///< The plan or the command line is wrong.
  not_built_yet = 65, ///< Understood, but this version cannot do it.
};

/// Returns the code's name as written above, or `"unknown_errc"` for a number
/// that only a newer peer knows.
std::string_view to_string(errc code) noexcept;

/// Returns the code of this name or number, or nothing if there is none.
std::optional<errc> errc_from_string(std::string_view name) noexcept;
std::optional<errc> errc_from_number(std::uint8_t number) noexcept;

/// Why something did not happen: a code to act on and one sentence to read.
struct failure {
  errc code = errc::invalid_argument;
  std::string detail;

  friend bool operator==(const failure&, const failure&) = default;
};

/// Renders as `"capacity: max_queued_work 256 is reached"`.
std::string to_string(const failure& why);

} // namespace turnstile
