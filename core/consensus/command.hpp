#pragma once

#include "core/base/ids.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/consensus/frame.hpp"
#include "core/work/work_options.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace turnstile {

/// What the ranks of a group can be told to do in the same round. The numbers
/// travel: never reuse one.
enum class command_kind : std::uint8_t {
  register_request = 1,
  enqueue = 2,
  cancel_request = 3,
  cancel_work = 4,
  finish = 5,
  release = 6,
  forget = 7,
};

std::string_view to_string(command_kind kind) noexcept;

/// One command of a round, as its leader put it in order (decision R11): all
/// that has to be the same on every rank. Works and states are not in here:
/// they came with it, or each rank has its own.
struct command_terms {
  command_kind kind = command_kind::enqueue;
  request_id request;
  std::uint64_t life = 0;     ///< `cancel_work`: which life of the request.
  std::uint64_t sequence = 0; ///< `cancel_work`: which of its works.
  std::uint64_t works = 0;    ///< `enqueue`: how many, as one batch.

  /// `enqueue`: what is left until their deadline, from the round's clock on
  /// (decision R4). Nothing: they have none.
  std::optional<duration> remaining;
  deadline_policy policy;

  /// Of what came with it, if anything; for the host to choose, and only
  /// compared.
  std::uint64_t digest = 0;

  friend bool operator==(const command_terms&, const command_terms&) = default;
};

/// Appends a command to an observation, and why this rank cannot carry it out
/// if it cannot.
void put(frame& into, const command_terms& command, const failure* missing);

} // namespace turnstile
