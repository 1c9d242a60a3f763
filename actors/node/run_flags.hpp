#pragma once

#include "actors/node/log_target.hpp"
#include "core/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace turnstile::node {

/// Where a journal is unless somebody says otherwise.
inline constexpr const char* usual_journal = ".turnstile/journal.db";

/// Who a client is to its server: PEM files.
struct client_proof {
  std::string certificate;
  std::string key;
  std::string authority;
  bool insecure = false; ///< Beyond the loopback without them.
};

/// What `turnstile run` and `turnstile resume` were asked on their command
/// line.
struct run_flags {
  std::string plan; ///< The plan's file, of a new run.
  bool resume = false;
  std::string run; ///< To resume; empty: the newest that has not ended. Of a
                   ///< server's: its identity; empty: it gets a new one.
  std::string connect; ///< Whose run it is; empty: this process's.
  client_proof proof;
  std::optional<std::uint32_t> concurrency; ///< Wins over the plan's.
  std::string journal = usual_journal;
  bool no_journal = false;                  ///< Nothing is kept.
  duration grace = std::chrono::seconds{5}; ///< From TERM to KILL.
  bool json = false;
  bool quiet = false;
  log_flags log;
};

/// Runs a plan to its end, results on standard output, everything else on
/// standard error. Returns the program's exit code.
int run_plan(const run_flags& flags);

/// Likewise goes on with a run that is in the journal and has not ended. One
/// that has is shown again.
int resume_run(const run_flags& flags);

} // namespace turnstile::node
