#pragma once

#include "actors/backend.hpp"
#include "actors/caf/owed_answer.hpp"
#include "actors/scheduler/attempt_limits.hpp"
#include "core/attempt/backend_gate.hpp"
#include "core/base/hash.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace turnstile {

/// Where a submission is on its way.
enum class flight_place : std::uint8_t {
  at_gate,   ///< Its backend has no room for it yet.
  executing, ///< Its backend has it.
  parked,    ///< Its backend has it, and it waits for something else.
  returning, ///< Its backend has it, and it waits for a slot to go on.
};

/// One submission that a backend is executing, or is to execute.
struct flight {
  std::string backend_name; ///< Under which it was chosen; may be empty.
  std::uint32_t submission = 1;
  std::optional<instant> deadline;
  flight_place place = flight_place::at_gate;
  std::optional<backend_gate::pass> pass; ///< While it is through its gate.
  backend_actor backend; ///< Empty if there is none to execute it.
  instant started;
  attempt_limits limits;
  instant heard;     ///< When its backend last said something of it.
  duration waited{}; ///< How long it was not executing since it started.
  instant parked_at;
  owed_answer<void> unparked; ///< Owed while it is returning.
  std::optional<attempt_timeout> timed_out;
  bool asked_to_stop = false;
};

/// The submissions of one scheduler, and when their attempts time out.
///
/// Invariant: `timeouts_` has exactly those that execute and can still time
/// out, each at an instant at which it might: a sign of life is only noted, and
/// the instant corrected when it has come.
class flights {
public:
  /// Adds one that waits at its gate. @pre there is none for that work
  flight& add(const work_id& id, flight what);

  /// It executes from now on, for the first time or again.
  void execute(const work_id& id, instant now);

  /// It waits for something else from now on, and its clocks stand still.
  void park(const work_id& id, instant now);

  /// Takes out the flight of that submission, 0 being any; nothing if it has
  /// ended before.
  std::optional<flight> end(const work_id& id, std::uint32_t submission);

  [[nodiscard]] flight* find(const work_id& id);

  [[nodiscard]] const flight* find(const work_id& id) const;

  /// Returns the flight of that submission, unless it has ended.
  [[nodiscard]] flight* find(const work_id& id, std::uint32_t submission);

  /// Takes the works whose attempt has timed out, marking each as such.
  std::vector<work_id> take_timed_out(instant now);

  /// Returns what that backend has, in the order of identities.
  [[nodiscard]] std::vector<std::pair<work_id, std::uint32_t>>
  at(const backend_actor& backend) const;

  /// Returns who is through the gate of that name, in the order of identities.
  [[nodiscard]] std::vector<work_id>
  through(const std::string& backend_name) const;

  [[nodiscard]] bool empty() const noexcept { return flights_.empty(); }

  /// Returns all, in the order of identities.
  [[nodiscard]] std::vector<work_id> all() const;

  [[nodiscard]] std::optional<instant> next_timeout() const;

private:
  struct entry {
    flight what;
    std::optional<instant> watched_at; ///< Its place in `timeouts_`.
  };

  template <class Meant>
  std::vector<work_id> those(Meant meant) const;
  void watch(const work_id& id, entry& one);
  void unwatch(const work_id& id, entry& one);

  std::unordered_map<work_id, entry, id_hash> flights_;
  std::set<std::pair<instant, work_id>> timeouts_;
};

} // namespace turnstile
