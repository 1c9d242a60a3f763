#pragma once

#include "core/base/error.hpp"
#include "core/base/ids.hpp"
#include "core/work/lifecycle.hpp"
#include "tests/model/steering.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile::model {

/// Where the model thinks a work is.
enum class place : std::uint8_t {
  queued,
  delayed,
  prepared,
  flying,
  parked,
  resuming, ///< Parked and queued for a slot.
  regaining,
  waiting, ///< Done, but an earlier sibling has to commit first.
  kept,    ///< Abandoned, and its backend still has it.
  failed_flying,
  held, ///< Ended, but not durable.
  gone,
};

/// The five ways to end, in the words of decision T10.
enum class bucket : std::uint8_t {
  none,
  committed,
  failed,
  discarded,
  released,
  reclaimed,
};

enum class seen : std::uint8_t { nothing, complete, failed };

/// A work that is to be accepted.
struct order {
  std::uint32_t payload = 0;
  std::uint64_t slice = 1;
  fault describe = fault::none;
  bool slice_throws = false;
  std::optional<std::int64_t> deadline;
  bool alone = false;        ///< Its deadline ends it, not its request.
  bool until_commit = false; ///< Its deadline counts while it is submitted.
};

struct work {
  work_id id;
  order what;
  place at = place::queued;
  bucket how = bucket::none;
  work_lifecycle last = work_lifecycle::queued; ///< Once it is gone.
  bool armed = false;                           ///< Its deadline counts now.
  std::optional<std::int64_t> not_before;
  std::uint32_t submissions = 0;
  std::uint32_t conflicts = 0;
  std::uint64_t base = 0;
  std::uint64_t submitted_at = 0;
  std::int64_t abandoned_at = 0;
  bool in_slot = false; ///< While kept.
  bool told_overdue = false;
  bool late = false;
  std::uint64_t resources = 0;
  seen saw = seen::nothing;
  errc why = errc::completion;
  std::optional<std::uint64_t> branch;
  std::optional<std::size_t> output;
  std::optional<std::uint32_t> outcome;
  bool applied = false;           ///< The outcome is in the branch.
  std::optional<errc> unprepared; ///< Why there is no branch.

  [[nodiscard]] bool running() const {
    return at == place::flying || at == place::parked || at == place::resuming
           || at == place::regaining;
  }
  [[nodiscard]] bool retained() const {
    return at == place::kept || at == place::failed_flying;
  }
  [[nodiscard]] bool at_backend() const { return running() || retained(); }
  [[nodiscard]] bool live() const { return at != place::gone; }
  [[nodiscard]] bool may_publish() const {
    return live() && !retained() && at != place::held;
  }
  [[nodiscard]] bool uses_slot() const {
    return at == place::flying || at == place::failed_flying
           || (at == place::kept && in_slot);
  }
};

/// One life of a request, with every work that it ever accepted.
struct life {
  request_id id;
  std::uint64_t number = 0;
  request_status status = request_status::active;
  std::optional<errc> why;
  bool freed = false;    ///< Forgotten or released: another life may begin.
  bool dropped = false;  ///< By retention: nothing can be asked any more.
  bool untold = false;   ///< Ended, but its end is not durable.
  bool in_news = false;  ///< The latest outcome told its end.
  bool parallel = false; ///< As its state said when it was asked last.
  bool ordered = false;
  std::optional<std::uint64_t> state;
  std::uint64_t commits = 0;
  std::vector<work> works;              ///< By sequence.
  std::vector<std::uint64_t> queue;     ///< Sequences that wait for a turn.
  std::vector<std::uint64_t> exception; ///< Ended not as committed, in order.
  std::uint64_t known_from = 0;         ///< Below, lifecycles are forgotten.
};

/// Names a work in the model: its life and its sequence in there.
using at = std::pair<std::size_t, std::uint64_t>;

} // namespace turnstile::model
