#pragma once

#include "core/base/time.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace turnstile {

/// All the variables a child sees.
using process_environment = std::map<std::string, std::string>;

/// What to run, and how much of its output to keep.
struct process_spec {
  /// The program and its arguments. A name without a slash is looked for in
  /// the PATH of `environment`; what is relative is relative to `workdir`.
  std::vector<std::string> command;

  /// The child's variables: these and no others.
  process_environment environment;

  /// Where the child starts. Empty: where we are.
  std::string workdir;

  /// What the child finds on its standard input, before the end of file. The
  /// child need not read it.
  std::string input;

  /// Bytes of standard output to keep, from its start. The rest is read,
  /// counted and thrown away, so that the child never waits for us.
  std::size_t max_output = std::size_t{1} << 20;

  /// Bytes of standard error to keep, from its end.
  std::size_t max_log = std::size_t{64} << 10;

  /// Progress is told at most once in this time. Zero: after every read.
  duration progress_interval = std::chrono::milliseconds{100};
};

} // namespace turnstile
