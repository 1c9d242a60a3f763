#pragma once

#include "core/consensus/frame.hpp"

#include <cstdint>
#include <vector>

namespace turnstile {

/// What all ranks together make of one work.
enum class resolution : std::uint8_t {
  incomplete,      ///< Some rank is not done, and none failed.
  complete,        ///< All are done.
  failed_pending,  ///< Some rank failed, and some is not done.
  failed_complete, ///< Some rank failed, and all are done.
};

/// Checks that every rank said the same as this one, field by field. The
/// failure (`errc::consensus`) names the rank, the round and the first field
/// that differs.
status agree(const frame& local, const std::vector<frame>& all);

/// As `agree`, but for an observation, in which ranks may differ in what they
/// saw of a work. Returns the resolution of each work in the frame's order.
result<std::vector<resolution>> resolve(const frame& local,
                                        const std::vector<frame>& all);

} // namespace turnstile
