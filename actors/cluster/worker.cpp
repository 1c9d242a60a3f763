#include "actors/cluster/worker.hpp"

#include "actors/backend/answers.hpp"
#include "actors/cluster/protocol.hpp"
#include "actors/log/log_line.hpp"
#include "messages/translate/backend_terms.hpp"

#include <utility>

namespace turnstile {

worker_state::worker_state(worker_actor::pointer self, worker_options options)
  : self_(self), options_(std::move(options)) {
  options_.uplink.find = std::move(options_.find);
  hello_.set_role(wire::NODE_ROLE_WORKER);
  hello_.set_name(options_.name);
  hello_.set_incarnation(options_.incarnation);
  hello_.set_version(options_.version);
}

worker_actor::behavior_type worker_state::make_behavior() {
  options_.uplink.owner = worker_actor{self_};
  uplink_ = spawn<uplink_state>(self_->system(), std::move(options_.uplink));
  introduce();
  return {
    [this](join_atom, const wire::Envelope& letter) { welcomed(letter); },
    [this](const wire::Envelope& letter) { receive(letter); },
    [this](leave_atom, const wire::Envelope& goodbye) { cut(goodbye); },
    [this](const wire::Failure& why) {
      log_event(spdlog::level::warn, "not_connected", [&](log_line& line) {
        line("name", options_.name)("text", why.detail());
      });
    },
    [this](const wire::Progress& sign) {
      if (!concerns_link(sign))
        return;
      wire::Envelope letter;
      *letter.mutable_progress() = sign;
      post(std::move(letter));
    },
    [this](const wire::ParkWork& what) {
      if (!concerns_link(what))
        return;
      wire::Envelope letter;
      *letter.mutable_park_work() = what;
      post(std::move(letter));
    },
    [this](const wire::UnparkWork& what) { return unpark(what); },
    [this](drain_atom) { return leave(false); },
    [this](suspend_atom) { return leave(true); },
  };
}

/// Asks the backends what they are able to do, and connects then.
void worker_state::introduce() {
  unknown_abilities_ = options_.backends.by_name.size();
  for (const auto& [backend_name, backend] : options_.backends.by_name) {
    auto& offered = *hello_.add_backends();
    const auto gate = options_.backends.gates.find(backend_name);
    *offered.mutable_terms() = to_wire(
      backend_name,
      gate == options_.backends.gates.end() ? gate_policy{} : gate->second);
    if (!offered.terms().has_concurrency())
      offered.mutable_terms()->set_concurrency(1);
    auto next = [this] {
      if (--unknown_abilities_ == 0)
        connect();
    };
    mail(self_, wire::BackendCapabilitiesQuery{})
      .request(backend, caf::infinite)
      .then(
        [next, place = hello_.backends_size() - 1,
         this](const wire::BackendCapabilities& able) {
          *hello_.mutable_backends(place)->mutable_able() = able;
          next();
        },
        [next](const caf::error&) { next(); });
  }
}

void worker_state::connect() {
  if (!leaving_)
    mail(self_, join_atom_v, hello_).send(uplink_);
}

void worker_state::welcomed(const wire::Envelope& letter) {
  connected_ = true;
  hello_.clear_fenced();
  log_event(spdlog::level::info, "connected", [&](log_line& line) {
    line("name", options_.name)("server", letter.welcome().name());
  });
  if (!leaving_)
    return;
  wire::Envelope word;
  word.mutable_leave();
  post(std::move(word));
}

void worker_state::receive(const wire::Envelope& letter) {
  switch (letter.body_case()) {
  case wire::Envelope::kDispatch:
    return dispatch(letter.dispatch());
  case wire::Envelope::kCancelWork:
    return cancel(letter.cancel_work());
  case wire::Envelope::kUnparked: {
    const auto key = key_of(letter.unparked(), "Unparked");
    const auto found = key ? running_.find(*key) : running_.end();
    if (found == running_.end() || !found->second.unparked)
      return;
    if (letter.unparked().has_refused())
      found->second.unparked->settle(
        fail(failure_in(letter.unparked().refused())));
    else
      found->second.unparked->settle({});
    found->second.unparked.reset();
    return;
  }
  default:
    return;
  }
}

void worker_state::dispatch(const wire::Dispatch& order) {
  const auto key = key_of(order.what(), "Dispatch.what");
  if (!key)
    return;
  auto refuse = [&](const failure& why) {
    wire::Envelope letter;
    *letter.mutable_completed() = failed_with(order.what(), why);
    post(std::move(letter));
  };
  if (running_.contains(*key))
    return refuse({errc::submission, "it is running already"});
  if (leaving_) // it was on its way when we said so
    return refuse({errc::backend_lost, "worker " + options_.name + " leaves"});
  const auto found = options_.backends.by_name.find(order.backend());
  if (found == options_.backends.by_name.end())
    return refuse(
      {errc::unknown_backend,
       "worker " + options_.name + " has no backend " + order.backend()});
  running_[*key].backend = found->second;
  mail(self_, order.what())
    .request(found->second, caf::infinite)
    .then([this, key = *key](const wire::Completed& how) { ended(key, how); },
          [this, key = *key,
           what = about<wire::Execute>(order.what())](const caf::error& why) {
            auto reason = to_failure(self_->system(), why);
            ended(key, failed_with(what, reason));
          });
}

void worker_state::cancel(const wire::CancelWork& which) {
  const auto key = key_of(which, "CancelWork");
  const auto found = key ? running_.find(*key) : running_.end();
  if (found != running_.end())
    mail(self_, which)
      .request(found->second.backend, caf::infinite)
      .then([](const wire::Quiet&) {}, [](const caf::error&) {});
}

void worker_state::ended(const submission_key& key,
                         const wire::Completed& how) {
  auto over = running_.extract(key);
  if (!over)
    return;
  if (over.mapped().fenced) {
    hello_.set_fenced(hello_.fenced() + 1);
    return come_back_if_quiet();
  }
  wire::Envelope letter;
  if (over.mapped().handed_back) // what it is worth only its program knows
    *letter.mutable_completed() = failed_with(
      how, {errc::backend_lost, "worker " + options_.name + " handed it back"});
  else
    *letter.mutable_completed() = how;
  post(std::move(letter));
}

void worker_state::cut(const wire::Envelope& goodbye) {
  connected_ = false;
  const auto why = reason_in(goodbye);
  log_event(why ? spdlog::level::warn : spdlog::level::info, "disconnected",
            [&](log_line& line) {
              line("name", options_.name)("running", running_.size());
              if (why)
                line("reason", why->detail);
            });
  for (auto& [key, one] : running_)
    one.fenced = true;
  stop_all();
  come_back_if_quiet();
}

void worker_state::stop_all() {
  for (auto& [key, one] : running_) {
    wire::CancelWork order;
    *order.mutable_work_id() = to_wire(key.work);
    order.set_submission(key.submission);
    order.set_at_once(true);
    if (one.unparked)
      one.unparked->settle(fail(errc::cancelled, "the connection is over"));
    one.unparked.reset();
    mail(self_, std::move(order))
      .request(one.backend, caf::infinite)
      .then([](const wire::Quiet&) {}, [](const caf::error&) {});
  }
}

void worker_state::post(wire::Envelope letter) {
  if (connected_)
    mail(self_, post_atom_v, std::move(letter)).send(uplink_);
}

/// Only then may the server give it anything, which might be what it still had.
void worker_state::come_back_if_quiet() {
  if (connected_ || !running_.empty())
    return;
  if (!leaving_)
    return connect();
  left_ = true;
  for (auto& owed : std::exchange(owed_drained_, {}))
    owed.settle({});
}

caf::result<void> worker_state::leave(bool hand_back) {
  owed_answer<void> owed{self_};
  auto later = owed.later();
  if (left_) {
    owed.settle({});
    return later;
  }
  owed_drained_.push_back(std::move(owed));
  if (!std::exchange(leaving_, true)) {
    wire::Envelope word;
    word.mutable_leave();
    post(std::move(word));
  }
  if (hand_back) {
    for (auto& [key, one] : running_)
      one.handed_back = true;
    stop_all();
  }
  if (!connected_) {
    mail(self_, leave_atom_v).send(uplink_);
    come_back_if_quiet();
  }
  return later;
}

caf::result<void> worker_state::unpark(const wire::UnparkWork& what) {
  owed_answer<void> owed{self_};
  auto later = owed.later();
  const auto key = key_of(what, "UnparkWork");
  const auto found = key ? running_.find(*key) : running_.end();
  if (!connected_ || found == running_.end() || found->second.fenced) {
    owed.settle(fail(errc::cancelled, "its result is not wanted any more"));
    return later;
  }
  found->second.unparked.emplace(std::move(owed));
  wire::Envelope letter;
  *letter.mutable_unpark_work() = what;
  post(std::move(letter));
  return later;
}

template <class Message>
bool worker_state::concerns_link(const Message& message) const {
  const auto key = key_of(message, "Envelope");
  const auto found = key ? running_.find(*key) : running_.end();
  return connected_ && found != running_.end() && !found->second.fenced;
}

worker_actor spawn_worker(caf::actor_system& system, worker_options options) {
  return spawn<worker_state>(system, std::move(options));
}

} // namespace turnstile
