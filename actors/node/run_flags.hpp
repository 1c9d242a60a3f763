#pragma once

#include "actors/node/log_target.hpp"
#include "core/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace turnstile::node {

/// What `turnstile run` was asked on its command line.
struct run_flags {
  std::string plan;                         ///< The plan's file.
  std::optional<std::uint32_t> concurrency; ///< Wins over the plan's.
  std::string journal; ///< Accepted already; nothing is kept there yet.
  duration grace = std::chrono::seconds{5}; ///< From TERM to KILL.
  bool json = false;
  bool quiet = false;
  log_flags log;
};

/// Runs a plan to its end, results on standard output, everything else on
/// standard error. Returns the program's exit code.
int run_plan(const run_flags& flags);

} // namespace turnstile::node
