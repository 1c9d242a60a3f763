#pragma once

#include "actors/scheduler/backend_desk.hpp"
#include "actors/scheduler/flights.hpp"
#include "actors/scheduler/gates.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace turnstile {

/// Why a submission is stopped that may no longer publish.
inline failure not_wanted() {
  return {errc::cancelled, "its result is not wanted any more"};
}

/// What a backend is to do for one submission.
struct submission_order {
  work_id id;
  std::string payload; ///< The work message, serialised.
  attempt_limits limits;
};

/// Hands submissions to backends as their gates permit, has late ones stopped,
/// and hears how they end: each exactly once, by the backend's answer or by its
/// death.
///
/// A submission that waits, for its backend's gate or for something else, shall
/// hold no slot: whoever owns the slots parks what `take_waiting` names, and
/// asks for a slot again for what `let_pass` names.
class dispatcher {
public:
  /// The backend's outcome, serialised, or why there is none. Valid during the
  /// call only.
  using ending = result<std::string_view>;
  using on_end = std::function<void(const work_id&, flight, ending)>;

  /// A completion of a submission that had ended before.
  using on_stale = std::function<void(const work_id&, std::uint32_t)>;

  dispatcher(scheduler_actor::pointer self, on_end ended, on_stale stale);

  backend_desk& backends() noexcept { return backends_; }

  /// Joins a whole set.
  void take(const backend_set& all);

  /// Joins a backend, or one in another's place.
  void join(const std::string& name, const backend_actor& backend,
            const gate_policy& policy);
  status leave(const std::string& name);

  /// Takes a submission for the backend of that name. @returns the flight if it
  /// may start at once, nothing if it waits at the gate
  const flight* admit(const work_id& id, std::uint32_t submission,
                      std::string name, std::optional<instant> deadline,
                      instant now);

  /// Starts a submission that was admitted or has passed the gate since.
  void start(submission_order order, instant now);

  /// A submission could not be started after all.
  void give_up(const work_id& id, failure why);

  /// Tells the ends of what no backend has. Apart from the rest, so that it
  /// does not come in the middle of a turn.
  void tell_unstarted();

  /// Has a submission stopped, unless that was asked for before. Its end is
  /// told when its backend is quiet.
  void stop(const work_id& id);

  /// Likewise every submission.
  void stop_all();

  /// Whether any submission has not ended.
  [[nodiscard]] bool has_flights() const { return !flights_.empty(); }

  /// Notes a sign of life of a submission. @returns whether it goes on
  bool hear(const work_id& id, std::uint32_t submission, instant now);

  /// Has those stopped whose attempt takes too long.
  void stop_timed_out(instant now);

  /// Waits for the end of a work no more. A completion that still comes is
  /// stale.
  void drop(const work_id& id, instant now);

  // --- waiting

  /// Takes the works that wait and have a slot in spite of it.
  std::vector<work_id> take_waiting() { return std::exchange(waiting_, {}); }

  /// The submission waits for something else than its backend's gate from now
  /// on. Says why it cannot, if it does not execute.
  status park(const work_id& id, std::uint32_t submission, instant now);

  /// It wants to go on, and `owed` is settled when it may.
  void unpark(const work_id& id, std::uint32_t submission,
              owed_answer<void> owed);

  /// Lets pass who may; each of them needs a slot now.
  std::vector<work_id> let_pass(instant now);

  /// A work that has passed has a slot. @returns the flight if it is to be
  /// started, nothing if it goes on by itself
  const flight* resume(const work_id& id, instant now);

  /// Notes what an ended flight has shown of its backend.
  void note(const std::string& name, const backend_gate::pass& which,
            const std::optional<backend_news>& news, instant now);

  /// When an attempt times out or a gate opens next.
  [[nodiscard]] std::optional<instant> next_wake(instant now) const;

  [[nodiscard]] wire::Backends look(instant now) const;

  /// The submissions that have not ended, and the gates they pass through.
  [[nodiscard]] const flights& submissions() const { return flights_; }
  [[nodiscard]] gates::view look_at_gate(const std::string& name,
                                         instant now) const {
    return gates_.look(name, now);
  }

private:
  /// A submission that ended before its backend heard of it.
  struct unstarted {
    work_id id;
    std::uint32_t submission = 1;
    failure why;
  };

  void answered(const wire::Completed& answer, const work_id& id,
                std::uint32_t submission);
  void end(const work_id& id, std::uint32_t submission, ending how);
  void lose(const backend_actor& backend, const caf::error& why);

  /// It waits no more, for whatever it was.
  void leave_line(const work_id& id, flight& which, const failure& why);
  [[nodiscard]] failure gone(const std::string& name,
                             const caf::error& why) const;

  scheduler_actor::pointer self_;
  on_end ended_;
  on_stale stale_;
  flights flights_;
  gates gates_;
  backend_desk backends_;
  std::vector<unstarted> unstarted_;
  std::vector<work_id> waiting_;
};

} // namespace turnstile
