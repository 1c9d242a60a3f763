#include "actors/process/process_exit.hpp"

#include <csignal>
#include <cstring>

namespace turnstile {

std::string signal_name(int signal) {
  if (const auto* name = ::sigabbrev_np(signal))
    return std::string{"SIG"} + name;
  if (signal >= SIGRTMIN && signal <= SIGRTMAX)
    return "SIGRTMIN+" + std::to_string(signal - SIGRTMIN);
  return "signal " + std::to_string(signal);
}

std::string to_string(const process_exit& exit) {
  switch (exit.end) {
  case process_end::not_started:
    return to_string(exit.failure);
  case process_end::exited:
    return "exit code " + std::to_string(exit.code);
  case process_end::signalled:
    return "killed by " + signal_name(exit.signal);
  case process_end::lost:
    break;
  }
  return "its exit was lost";
}

} // namespace turnstile
