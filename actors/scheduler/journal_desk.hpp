#pragma once

#include "actors/caf/wall_clock.hpp"
#include "actors/interfaces.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// Where a scheduler keeps what happens in it.
struct journal_link {
  journal_actor journal; ///< Nothing: nowhere, and all is durable at once.

  /// Whose requests these are, among all that are in the journal.
  std::string scheduler = "agents";

  /// The first life that the journal has none of (`journal_store::next_life`).
  std::uint64_t first_life = 0;

  /// What to add to the time of the actor system's clock to get nanoseconds
  /// since the Unix epoch. Absent: asked of the machine.
  std::optional<duration> unix_origin;
};

/// A scheduler's way to its journal: gathers facts, hands them over in order
/// once per message that the scheduler handles, and does what had to wait until
/// they are durable.
///
/// Without a journal nothing is gathered, and nothing has to wait.
class journal_desk {
public:
  /// @param durable told with the last position of core's that is durable
  /// @param lost why nothing will be kept any more
  journal_desk(scheduler_actor::pointer self, journal_link link,
               std::function<void(std::uint64_t)> durable,
               std::function<void(const failure&)> lost);

  [[nodiscard]] bool is_there() const noexcept {
    return static_cast<bool>(link_.journal);
  }
  [[nodiscard]] const journal_link& link() const noexcept { return link_; }
  [[nodiscard]] const wall_clock& wall() const noexcept { return wall_; }

  /// Adds a fact behind those that were added before. @pre `is_there()`
  wire::Fact& add() { return *draft_.add_facts(); }

  /// Asks to be told when all up to core's `position` is durable.
  void hold(std::uint64_t position);

  /// Calls `then` once all facts so far are durable; at once without a journal.
  /// If they never will be, it is dropped.
  void when_durable(std::function<void()> then);

  /// Whether somebody waits for what was added.
  [[nodiscard]] bool is_urgent() const noexcept {
    return held_ || !waiting_.empty();
  }

  /// Hands over what was added.
  void flush();

  /// Notes how the journal stands.
  void note(const wire::StorageState& state);

  /// Why nothing new may come in now.
  [[nodiscard]] status may_accept() const;

private:
  scheduler_actor::pointer self_;
  journal_link link_;
  wall_clock wall_;
  std::function<void(std::uint64_t)> durable_;
  std::function<void(const failure&)> lost_;
  wire::AppendFacts draft_;
  std::optional<std::uint64_t> held_; ///< Core's last position in the draft.
  std::vector<std::function<void()>> waiting_;
  std::optional<failure> trouble_;
};

} // namespace turnstile
