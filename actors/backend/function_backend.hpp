#pragma once

#include "actors/backend/answers.hpp"
#include "actors/backend/backend_with.hpp"
#include "actors/backend/submission_key.hpp"
#include "actors/caf/caf.hpp"
#include "core/turn/guarded.hpp"
#include "messages/orders.hpp"

#include <concepts>
#include <deque>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace turnstile {

/// A backend that also tells itself to go on.
using function_backend_actor = backend_with<caf::result<void>(run_atom)>;

/// Executes works one after the other by calling `Call`, which is given the
/// work message and returns a `result` of the outcome message. What it throws
/// fails the execution as `completion`.
///
/// A work that waits is cancelled at once; one that is running cannot be
/// interrupted and is retained until it returns.
template <class Work, class Call>
class function_backend_state {
public:
  static constexpr const char* name = "turnstile.function_backend";

  function_backend_state(function_backend_actor::pointer self,
                         std::string backend_name, Call call)
    : self_(self), backend_name_(std::move(backend_name)),
      call_(std::move(call)) {}

  function_backend_actor::behavior_type make_behavior() {
    return {
      [this](const wire::Execute& what) {
        waiting_.push_back({what, owed_answer<wire::Completed>{self_}});
        if (waiting_.size() == 1)
          go_on();
        return waiting_.back().owed.later();
      },
      [this](const wire::CancelWork& which) {
        cancel(which);
        return quiet_about(which);
      },
      [this](const wire::BackendCapabilitiesQuery&) {
        wire::BackendCapabilities able;
        able.set_backend(backend_name_);
        return able;
      },
      [this](run_atom) { run_first(); },
    };
  }

private:
  struct task {
    wire::Execute what;
    owed_answer<wire::Completed> owed;
  };

  /// By a message, so that cancellations come in between.
  void go_on() { mail(self_, run_atom_v).send(function_backend_actor{self_}); }

  void run_first() {
    if (waiting_.empty()) // cancelled meanwhile
      return;
    auto first = std::move(waiting_.front());
    waiting_.pop_front();
    if (!waiting_.empty())
      go_on();
    first.owed.settle(outcome_of(first.what));
  }

  wire::Completed outcome_of(const wire::Execute& what) {
    auto work = work_in<Work>(what);
    if (!work)
      return failed_with(what, work.error());
    auto outcome = caught(errc::completion, backend_name_.c_str(), [&] {
      return std::invoke(call_, std::as_const(*work));
    });
    if (!outcome)
      return failed_with(what, outcome.error());
    return completed_with(what, *outcome);
  }

  void cancel(const wire::CancelWork& which) {
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it)
      if (key_of(it->what, "Execute.work_id")
          == key_of(which, "CancelWork.work_id")) {
        it->owed.settle(
          failed_with(it->what, {errc::cancelled, "it was cancelled"}));
        waiting_.erase(it);
        return;
      }
  }

  function_backend_actor::pointer self_;
  std::string backend_name_;
  Call call_;
  std::deque<task> waiting_;
};

/// Spawns a backend that executes works by calling `call`, on a thread of its
/// own, so that it may block: `spawn_function_backend<my::Work>(system, "mine",
/// [](const my::Work& work) -> result<my::Outcome> {...})`. For several at a
/// time, spawn several.
template <class Work, class Parent, class Call>
requires std::invocable<Call&, const Work&> backend_actor
spawn_function_backend(Parent&& parent, std::string name, Call call) {
  return backend_actor{spawn_detached<function_backend_state<Work, Call>>(
    parent, std::move(name), std::move(call))};
}

} // namespace turnstile
