#include "actors/process/verdict.hpp"

#include "actors/process/raw_text.hpp"

#include <string_view>

namespace turnstile {

namespace {

constexpr auto temporary_failure = 75; // EX_TEMPFAIL
constexpr auto max_lines = 5;
constexpr auto max_bytes = std::size_t{1000};

std::string last_lines(std::string_view log) {
  while (log.ends_with('\n'))
    log.remove_suffix(1);
  auto start = log.size();
  for (int lines = 0; lines < max_lines && start != 0; ++lines) {
    auto newline = log.rfind('\n', start - 1);
    start = newline == std::string_view::npos ? 0 : newline;
  }
  if (start < log.size() && log[start] == '\n')
    ++start;
  log.remove_prefix(start);
  if (log.size() > max_bytes)
    log = without_cut_start(log.substr(log.size() - max_bytes));
  return mend(log).text;
}

std::string told(const process_exit& exit) {
  auto said = last_lines(exit.log);
  return said.empty() ? to_string(exit) : to_string(exit) + ": " + said;
}

backend_error_kind kind_of(const process_exit& exit) {
  switch (exit.end) {
  case process_end::not_started:
    return exit.failure.problem == start_problem::invalid
             ? backend_error_kind::config
             : backend_error_kind::spawn;
  case process_end::exited:
    return exit.code == temporary_failure ? backend_error_kind::spawn
                                          : backend_error_kind::execution;
  case process_end::signalled:
    return backend_error_kind::spawn;
  case process_end::lost:
    break;
  }
  return backend_error_kind::other;
}

} // namespace

std::optional<backend_error> verdict(const process_exit& exit) {
  if (exit.stopped)
    return backend_error{backend_error_kind::cancelled, told(exit)};
  if (exit.end == process_end::exited && exit.code == 0)
    return std::nullopt;
  return backend_error{kind_of(exit), told(exit)};
}

} // namespace turnstile
