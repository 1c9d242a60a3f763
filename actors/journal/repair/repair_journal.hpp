#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace turnstile {

/// Something that was in a damaged journal and is not in the repaired one.
struct repair_loss {
  std::string run;  ///< Which run; empty: it concerns none, or nobody knows.
  std::string what; ///< "run", "task", "state", "events", "facts" or "log".
  std::string
    name; ///< Which: a task's name or place, as "#7"; "3-5" of events.
  std::string text; ///< All of it, for people.
};

/// What became of a damaged journal.
struct repair_report {
  std::string journal;
  std::string repaired;
  std::uint64_t requests = 0; ///< That were kept, as all that follow.
  std::uint64_t works = 0;
  std::uint64_t events = 0;
  std::vector<std::uint32_t> bad_pages;  ///< From 1.
  std::vector<std::uint64_t> bad_frames; ///< Of the log, from 1.
  std::vector<repair_loss> lost;
};

/// Makes a new journal `to` of all that can still be read in `journal`, which
/// stays as it is, to the byte. Nothing is invented:
/// - A task whose end cannot be read counts as one whose attempt nobody has
///   seen the end of: it runs again when its run is resumed. In a request that
///   has ended, or that keeps its state as bytes, which that end is in, it
///   counts as lost (`lost_work.hpp`).
/// - So does a task of which nothing is left but that there was one.
/// - A request whose beginning cannot be read has ended, with the word `lost`:
///   it can be looked at, but not taken up again.
/// - One whose state cannot be read has failed.
/// - Events that cannot be read are a gap.
///
/// What other processes had asked of the owner is dropped.
///
/// `journal_owned` if a process has the journal, `invalid_argument` if it is
/// none or `to` is there already, `storage_failed` and `storage_full`. Then
/// there is no new journal.
result<repair_report> repair_journal(const std::string& journal,
                                     const std::string& to);

} // namespace turnstile
