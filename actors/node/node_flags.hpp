#pragma once

#include "actors/node/log_target.hpp"
#include "actors/node/run_flags.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace turnstile::node {

/// What `turnstile serve` was asked on its command line.
struct serve_flags {
  std::string settings; ///< A file; empty: the defaults.
  std::optional<std::string> listen;
  std::optional<std::string> name;
  std::optional<std::uint32_t> concurrency;
  std::optional<std::string> journal;
  bool no_journal = false;
  bool insecure = false;
  log_flags log;
};

/// What `turnstile worker` was asked.
struct worker_flags {
  std::string settings; ///< A file.
  std::optional<std::string> connect;
  std::optional<std::string> name;
  bool insecure = false;
  log_flags log;
};

/// Serves workers and clients until it is interrupted. Returns the program's
/// exit code.
int serve(const serve_flags& flags);

/// Works for a server until it is interrupted.
int work(const worker_flags& flags);

/// Has a plan run by a server, shown as if it ran here.
int run_connected(const run_flags& flags);

} // namespace turnstile::node
