#pragma once

#include "core/base/error.hpp"
#include "messages/journal.pb.h"
#include "messages/translate.hpp"

#include <cstdint>

namespace turnstile {

/// The word for the end of a work whose end, or all of which, was lost from a
/// damaged journal: nobody knows how it ended. See `journal_repair`.
inline constexpr const char* lost_word = "lost";

/// The end that stands for the one that was lost.
inline wire::EndedFact lost_end(const wire::WorkId& of,
                                std::int64_t at_unix_ns) {
  wire::EndedFact ended;
  *ended.mutable_work_id() = of;
  ended.set_lifecycle(to_wire(work_lifecycle::failed));
  *ended.mutable_failure() =
    to_wire(failure{errc::journal_damaged,
                    "how it ended was lost from a journal that was damaged"});
  ended.set_ran(true);
  ended.set_word(lost_word);
  ended.set_at_unix_ns(at_unix_ns);
  return ended;
}

inline bool is_lost(const wire::EndedFact& ended) {
  return ended.word() == lost_word && !ended.has_outcome()
         && ended.failure().code()
              == static_cast<std::uint32_t>(errc::journal_damaged);
}

} // namespace turnstile
