#pragma once

#include "core/base/ids.hpp"
#include "core/consensus/frame.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What the ranks make together of the frames of one round. Whatever differs
// that must not is a failure (`errc::consensus`) that names the rank, the round
// and the first field. Frames are read as bytes from strangers are: nothing in
// them is trusted, and nothing is reserved by what they say.

namespace turnstile {

/// What all ranks together make of one work.
enum class resolution : std::uint8_t {
  incomplete,      ///< Some rank is not done, and none failed.
  complete,        ///< All are done.
  failed_pending,  ///< Some rank failed, and some is not done.
  failed_complete, ///< Some rank failed, and all are done.
};

/// Why something failed on one or more ranks: the code of the lowest of them,
/// and every one's number and words. Nothing: it failed on none.
using agreed_failure = std::optional<failure>;

struct resolved_work {
  resolution what = resolution::incomplete;
  std::string why; ///< "rank 1: the disk is full"; empty if none failed.

  friend bool operator==(const resolved_work&, const resolved_work&) = default;
};

/// What the ranks agreed on, in the order of the frame.
struct agreed_observation {
  std::vector<resolved_work> works;
  std::vector<agreed_failure> commands; ///< Whether all can carry them out.
};

struct agreed_schedule {
  std::vector<agreed_failure> works;   ///< Whether all could prepare them.
  std::vector<agreed_failure> commits; ///< Whether all could commit them.
};

/// Checks that every rank said the same as this one, field by field.
status agree(const frame& local, const std::vector<frame>& all);

/// The same for an observation, in which ranks may differ in what they saw of
/// a work and in whether they can carry a command out.
result<agreed_observation> agree_observation(const frame& local,
                                             const std::vector<frame>& all);

/// The same for a schedule, in which ranks may differ in which works they could
/// prepare or commit.
result<agreed_schedule> agree_schedule(const frame& local,
                                       const std::vector<frame>& all);

/// The same for a formation. Returns the life with which all go on: the
/// greatest that any rank has to begin with.
result<std::uint64_t> agree_formation(const frame& local,
                                      const std::vector<frame>& all);

} // namespace turnstile
