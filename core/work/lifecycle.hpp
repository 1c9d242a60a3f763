#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace turnstile {

/// Where one work stands. The numbers live in journals and on the wire: never
/// renumber, never reuse.
enum class work_lifecycle : std::uint8_t {
  queued = 1,     ///< Accepted but not branched.
  prepared = 2,   ///< Its branch exists; nothing was submitted.
  submitted = 3,  ///< A backend has it (or it is parked, its branch kept).
  completing = 4, ///< Done in memory, but not yet told to anybody.
  committed = 5,  ///< Its branch was published.
  abandoned = 6,  ///< It will not publish; retained while a backend has it.
  failed = 7,     ///< Preparation, execution, completion or commit failed.
};

/// What a request is. The numbers live in journals and on the wire.
enum class request_status : std::uint8_t {
  active = 1,            ///< Owns canonical state.
  finished = 2,          ///< Ended normally.
  cancelled = 3,         ///< A caller cancelled it.
  deadline_exceeded = 4, ///< A deadline of its works passed.
  failed = 5,            ///< A failure of its own ended it.
};

/// Why a request was cancelled. The numbers live in journals and on the wire.
enum class cancellation_cause : std::uint8_t {
  explicit_call = 1, ///< A caller said so. Written `"explicit"`.
  deadline = 2,      ///< Time passed.
};

std::string_view to_string(work_lifecycle lifecycle) noexcept;
std::string_view to_string(request_status status) noexcept;
std::string_view to_string(cancellation_cause cause) noexcept;

std::optional<work_lifecycle>
work_lifecycle_from_string(std::string_view name) noexcept;
std::optional<request_status>
request_status_from_string(std::string_view name) noexcept;
std::optional<cancellation_cause>
cancellation_cause_from_string(std::string_view name) noexcept;

/// Whether a work may go from one lifecycle to the other in one step. A work
/// that is requeued or conflicts goes back to `queued`; nothing ever leaves
/// `committed` or `failed`.
bool may_follow(work_lifecycle from, work_lifecycle to) noexcept;

} // namespace turnstile
