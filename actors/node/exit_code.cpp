#include "actors/node/exit_code.hpp"

#include <string_view>

namespace turnstile::node {

namespace {

/// Whether the journal is why the run cannot go on.
bool is_of_journal(errc code) {
  switch (code) {
  case errc::storage_full:
  case errc::storage_failed:
  case errc::journal_damaged:
  case errc::journal_owned:
  case errc::fenced:
    return true;
  default:
    return false;
  }
}

} // namespace

int exit_code(const failure& why) {
  return is_of_journal(why.code) ? exit_journal_refused : exit_wrong_input;
}

int exit_code(const run_result& run, bool interrupted) {
  if (run.lost && is_of_journal(run.lost->code))
    return exit_journal_refused;
  if (run.suspended)
    return exit_interrupted;
  if (run.cancelled)
    return interrupted ? exit_interrupted : exit_cancelled;
  return std::string_view{status_word(run)} == "completed" ? exit_ok
                                                           : exit_tasks_failed;
}

} // namespace turnstile::node
