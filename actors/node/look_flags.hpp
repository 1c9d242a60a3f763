#pragma once

#include "actors/journal/journal_retention.hpp"
#include "actors/node/run_flags.hpp"

#include <cstdint>
#include <string>

namespace turnstile::node {

/// What the commands that look into a journal were asked on their command line.
struct look_flags {
  enum class verb {
    list,
    status,
    report,
    events,
    cancel,
    explain,
    verify,
    compact,
    nodes,
    repair
  };

  verb what = verb::list;
  std::string run;
  std::string task;
  std::string journal = usual_journal;
  std::string connect; ///< The server that is asked; empty: the journal.
  client_proof proof;
  std::uint64_t from = 1; ///< Of events: the first number.
  bool follow = false;    ///< Of events: until the run ends.
  journal_retention kept; ///< Ended runs that compacting leaves.
  std::string to;         ///< Where a repaired journal goes; empty: beside.
  bool json = false;
};

// Each answers on standard output and returns the program's exit code.
int list_runs(const look_flags& flags);
int tell_status(const look_flags& flags);
int tell_report(const look_flags& flags);
int tell_events(const look_flags& flags);
int cancel_run(const look_flags& flags);
int explain_task(const look_flags& flags);
int verify_journal(const look_flags& flags);
int compact_journal(const look_flags& flags);
int cancel_connected(const look_flags& flags);
int tell_nodes(const look_flags& flags);
int repair_journal(const look_flags& flags);

/// Does what was asked.
int look(const look_flags& flags);

} // namespace turnstile::node
