#pragma once

#include "actors/scheduler/backend_desk.hpp"
#include "actors/scheduler/flights.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace turnstile {

/// What a backend is to do for one submission.
struct submission_order {
  work_id id;
  std::uint32_t submission = 1;
  std::string backend; ///< Wanted; empty: the default.
  std::string payload; ///< The work message, serialised.
  std::optional<instant> deadline;
  attempt_limits limits;
};

/// Hands submissions to backends, has late ones stopped, and hears how they
/// end: each exactly once, by the backend's answer or by its death.
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

  /// Starts one submission. @returns the name of the backend that was meant
  std::string start(submission_order order, instant now);

  /// Tells the ends of what nobody could be asked to execute. Apart from
  /// `start`, so that it does not come in the middle of a turn.
  void tell_unstarted();

  /// Has a submission stopped, unless that was asked for before. Its end is
  /// told when its backend is quiet.
  void stop(const work_id& id);

  /// Notes a sign of life of a submission. @returns whether it goes on
  bool hear(const work_id& id, std::uint32_t submission, instant now) {
    return flights_.hear(id, submission, now);
  }

  /// Has those stopped whose attempt takes too long.
  void stop_timed_out(instant now);

  /// Waits for the end of a work no more. A completion that still comes is
  /// stale.
  void drop(const work_id& id) { flights_.end(id, 0); }

  [[nodiscard]] std::optional<instant> next_timeout() const {
    return flights_.next_timeout();
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
  [[nodiscard]] failure gone(const std::string& name,
                             const caf::error& why) const;

  scheduler_actor::pointer self_;
  on_end ended_;
  on_stale stale_;
  flights flights_;
  backend_desk backends_;
  std::vector<unstarted> unstarted_;
};

} // namespace turnstile
