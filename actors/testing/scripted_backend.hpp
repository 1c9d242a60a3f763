#pragma once

#include "actors/backend/answers.hpp"
#include "actors/backend/backend_with.hpp"
#include "actors/backend/submission_key.hpp"
#include "actors/caf/caf.hpp"
#include "actors/testing/scripted_calls.hpp"
#include "core/base/error.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace turnstile::testing {

/// Answers with an outcome of the program, serialised.
struct succeed {
  std::string outcome;
  duration delay = duration::zero();
};

/// Answers that there is no outcome, and why.
struct fail_with {
  failure why;
  duration delay = duration::zero();
};

/// Does not answer until it is cancelled.
struct hang {};

/// What a scripted backend does with one `Execute`.
using backend_step = std::variant<succeed, fail_with, hang>;

/// A backend that can be asked how often it was called.
using scripted_backend_actor =
  backend_with<caf::result<std::uint64_t>(calls_atom),
               /// Its own: the delay of this number has passed.
               caf::result<void>(wake_atom, std::uint64_t)>;

/// A backend that follows a script, for tests and dry runs:
/// `spawn<scripted_backend_state>(system, "mock", steps)`. Each `Execute` takes
/// the next step, whatever it is about; the last step repeats for ever. A call
/// counts from its beginning, also if it hangs or was cancelled later.
///
/// A cancelled submission ends at once: its `Execute` is answered with the
/// failure `cancelled`, whatever its step said, and then the `CancelWork`.
///
/// What it is asked to do is written down in `seen`, if there is one.
class scripted_backend_state {
public:
  static constexpr const char* name = "scripted_backend";

  /// @pre there is a step
  scripted_backend_state(scripted_backend_actor::pointer self,
                         std::string backend_name,
                         std::vector<backend_step> steps,
                         std::shared_ptr<scripted_calls> seen = nullptr);

  scripted_backend_actor::behavior_type make_behavior();

private:
  /// A submission whose answer is still to come.
  struct running {
    std::uint64_t number = 0;
    wire::Completed ending;
    owed_answer<wire::Completed> owed;
    scripted_call call;
  };

  caf::result<wire::Completed> execute(const wire::Execute& what);
  wire::Quiet cancel(const wire::CancelWork& which);
  void wake(std::uint64_t number);

  scripted_backend_actor::pointer self_;
  std::string backend_name_;
  std::vector<backend_step> steps_;
  std::shared_ptr<scripted_calls> seen_;
  std::uint64_t calls_ = 0;
  std::map<submission_key, running> running_;
  std::map<std::uint64_t, submission_key> delays_;
};

} // namespace turnstile::testing
