#pragma once

#include "actors/backend.hpp"
#include "actors/scheduler/attempt_limits.hpp"
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

/// One submission that a backend is executing.
struct flight {
  backend_actor backend;    ///< Empty if there was none to execute it.
  std::string backend_name; ///< Under which it was chosen; may be empty.
  std::uint32_t submission = 1;
  instant started;
  attempt_limits limits;
  instant heard; ///< When its backend last said something of it.
  std::optional<attempt_timeout> timed_out;
  bool asked_to_stop = false;
};

/// What backends are executing for one scheduler, and when attempts time out.
///
/// Invariant: `timeouts_` has exactly the flights that can still time out, each
/// at an instant at which it might: a sign of life is only noted, and the
/// instant corrected when it has come.
class flights {
public:
  void begin(const work_id& id, flight what);

  /// Takes out the flight of that submission, 0 being any; nothing if it has
  /// ended before.
  std::optional<flight> end(const work_id& id, std::uint32_t submission);

  [[nodiscard]] flight* find(const work_id& id);

  /// Notes a sign of life of that submission. @returns whether it goes on
  bool hear(const work_id& id, std::uint32_t submission, instant now);

  /// Takes the works whose attempt has timed out, marking each as such.
  std::vector<work_id> take_timed_out(instant now);

  /// Returns what that backend is executing, in the order of identities.
  [[nodiscard]] std::vector<std::pair<work_id, std::uint32_t>>
  at(const backend_actor& backend) const;

  [[nodiscard]] std::optional<instant> next_timeout() const;

private:
  struct entry {
    flight what;
    std::optional<instant> watched_at; ///< Its place in `timeouts_`.
  };

  void watch(const work_id& id, entry& one);

  std::unordered_map<work_id, entry, id_hash> flights_;
  std::set<std::pair<instant, work_id>> timeouts_;
};

} // namespace turnstile
