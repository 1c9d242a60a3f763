#pragma once

#include "actors/process/start_failure.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace turnstile {

/// In which way a child's life ended.
enum class process_end : std::uint8_t {
  not_started, ///< `failure` says why.
  exited,      ///< By itself, with `code`.
  signalled,   ///< Killed by `signal`.
  lost,        ///< Nobody knows: somebody else in this program reaped it, or it
               ///< could not be killed before its host had to go.
};

/// All that is known about a child once nothing of it can happen any more.
struct process_exit {
  process_end end = process_end::not_started;
  start_failure failure; ///< Only for `not_started`.
  int code = 0;          ///< Only for `exited`; 0 to 255.
  int signal = 0;        ///< Only for `signalled`.
  pid_t pid = 0;         ///< Its former id, for logs; 0 if it never began.

  /// We asked it to stop while it still ran, and whether TERM was not enough.
  bool stopped = false;
  bool needed_kill = false;

  /// When it had exited, somebody outside its group still held its output
  /// open, and we stopped listening.
  bool left_open = false;

  std::string output;             ///< The first bytes of standard output.
  std::uint64_t output_bytes = 0; ///< All bytes of it that were seen.
  std::string log;                ///< The last bytes of standard error.
  std::uint64_t log_bytes = 0;    ///< All bytes of it that were seen.

  [[nodiscard]] bool output_cut() const noexcept {
    return output_bytes > output.size();
  }
};

/// Returns a signal's name: `"SIGSEGV"`, `"SIGRTMIN+3"`, `"signal 99"`.
std::string signal_name(int signal);

/// Renders the end alone: `"exit code 3"`, `"killed by SIGSEGV"`,
/// `"no such program ..."`.
std::string to_string(const process_exit& exit);

} // namespace turnstile
