#pragma once

#include "actors/cluster/interfaces.hpp"
#include "actors/cluster/worker_book.hpp"
#include "actors/interfaces.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace turnstile {

/// The workers of one scheduler, which sees them as its backends: one for each
/// name that a worker offers, with the slots of all that offer it. A
/// submission goes to the worker with the greatest share of its slots free.
///
/// A submission whose worker is lost ends as `backend_lost`, and can be tried
/// again; what that worker may still say of it is not heard. While no worker
/// offers a backend, works for it wait at its gate, without a slot.
///
/// Invariant: of everything in `flights_` the book knows the place.
class worker_desk_state {
public:
  static constexpr const char* name = "turnstile.worker_desk";

  worker_desk_state(worker_desk_actor::pointer self, scheduler_actor scheduler);

  worker_desk_actor::behavior_type make_behavior();

private:
  struct flight {
    wire::Execute what;
    caf::actor client; ///< Whom signs of life go to.
    owed_answer<wire::Completed> owed;
    std::vector<owed_answer<wire::Quiet>> owed_quiet;
  };

  caf::result<wire::Completed> execute(const wire::Execute& what);
  caf::result<wire::Quiet> cancel(const wire::CancelWork& which);
  void join(const wire::Envelope& hello, const link_actor& peer);
  void receive(const wire::Envelope& letter);
  void leave(const wire::Envelope& goodbye);
  void leave_all();
  void settle(const submission_key& key, const wire::Completed& how);
  void completed(std::uint64_t link, const wire::Completed& how);
  void unpark(std::uint64_t link, const wire::UnparkWork& what);
  void retire(std::uint64_t link);

  /// Passes a sentence of a worker on about what it executes.
  template <class Message>
  void pass_on(std::uint64_t link, const Message& message);

  /// The submission that a worker speaks of, if that worker has it.
  template <class Message>
  [[nodiscard]] std::optional<submission_key>
  key_at(std::uint64_t link, const Message& message) const;

  void dispatch(const submission_key& key, std::uint64_t link);
  void place_waiting(const std::string& backend);
  void say_goodbye_if_done(std::uint64_t link);
  void set_gates(const std::vector<std::string>& backends);
  [[nodiscard]] wire::RunAccepted expect(const wire::RunAccepted& wanted);
  [[nodiscard]] wire::NodeStatus look() const;

  worker_desk_actor::pointer self_;
  scheduler_actor scheduler_;
  watch front_; ///< Who tells of links.
  worker_book book_;
  std::unordered_map<std::uint64_t, link_actor> peers_;
  std::map<submission_key, flight> flights_;
  std::uint64_t fenced_ = 0;
  std::uint64_t works_lost_ = 0;
};

} // namespace turnstile
