#pragma once

#include "actors/backend.hpp"
#include "core/base/hash.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace turnstile {

/// What a scripted backend does with one call.
struct backend_step {
  struct succeed {
    std::string outcome; ///< The program's outcome message, serialised.
  };
  struct hang {}; ///< Until it is cancelled.

  std::variant<succeed, failure, hang> what;
  duration delay{}; ///< Before the answer; not for `hang`.
};

/// A backend for tests and dry runs that can also be asked how often it was
/// called.
using scripted_backend_actor =
  typed_actor<caf::result<wire::Completed>(wire::Execute),
              caf::result<wire::Quiet>(wire::CancelWork),
              caf::result<wire::BackendCapabilities>(
                wire::BackendCapabilitiesQuery),
              /// Answers the number of executions begun.
              caf::result<std::uint64_t>(calls_atom),
              /// Its own: the timer of this number rings.
              caf::result<void>(wake_atom, std::uint64_t)>;

/// Answers the calls by its steps, one after the other; the last step is
/// repeated for ever. A cancelled call ends at once, whatever its step says.
class scripted_backend_state {
public:
  static constexpr const char* name = "turnstile.scripted_backend";

  /// @pre `steps` is not empty
  scripted_backend_state(scripted_backend_actor::pointer self,
                         std::string backend_name,
                         std::vector<backend_step> steps);

  scripted_backend_actor::behavior_type make_behavior();

private:
  /// One execution that is not answered yet.
  struct call {
    wire::Completed answer;
    owed_answer<wire::Completed> owed;
    std::uint64_t timer = 0; ///< 0: none.
  };

  caf::result<wire::Completed> execute(const wire::Execute& order);
  void end(const work_id& id, bool cancelled);

  scripted_backend_actor::pointer self_;
  std::string backend_name_;
  std::vector<backend_step> steps_;
  std::uint64_t calls_ = 0;
  std::uint64_t timers_ = 0;
  std::unordered_map<work_id, call, id_hash> open_;
  std::unordered_map<std::uint64_t, work_id> by_timer_;
};

} // namespace turnstile
