#include "actors/cluster/worker_desk.hpp"

#include "actors/backend/answers.hpp"
#include "actors/cluster/protocol.hpp"
#include "actors/log/log_line.hpp"

#include <utility>

namespace turnstile {

worker_desk_state::worker_desk_state(worker_desk_actor::pointer self,
                                     scheduler_actor scheduler)
  : self_(self), scheduler_(std::move(scheduler)) {
  monitor(self_, scheduler_, [this](const caf::error&) { self_->quit(); });
}

worker_desk_actor::behavior_type worker_desk_state::make_behavior() {
  return {
    [this](const wire::Execute& what) { return execute(what); },
    [this](const wire::CancelWork& which) { return cancel(which); },
    [this](const wire::BackendCapabilitiesQuery& query) {
      return book_.able(query.backend());
    },
    [this](join_atom, const wire::Envelope& hello, const link_actor& peer) {
      join(hello, peer);
    },
    [this](const wire::Envelope& letter) { receive(letter); },
    [this](leave_atom, const wire::Envelope& goodbye) { leave(goodbye); },
    [this](const wire::NodeQuery&) { return look(); },
    [this](const wire::RunAccepted& wanted) { return expect(wanted); },
  };
}

// --- from the scheduler

caf::result<wire::Completed>
worker_desk_state::execute(const wire::Execute& what) {
  auto key = key_of(what, "Execute.work_id");
  if (!key)
    return failed_with(what, key.error());
  if (flights_.contains(*key))
    return failed_with(what, {errc::submission, "it is running already"});
  const auto link = book_.put(*key, what.backend());
  if (!link)
    return failed_with(what, {errc::backend_lost,
                              "no worker offers " + what.backend() + " now"});
  auto& made = flights_[*key];
  made.what = what;
  made.client = caf::actor_cast<caf::actor>(self_->current_sender());
  made.owed = owed_answer<wire::Completed>{self_};
  auto later = made.owed.later();
  if (*link != 0)
    dispatch(*key, *link);
  return later;
}

caf::result<wire::Quiet>
worker_desk_state::cancel(const wire::CancelWork& which) {
  auto key = key_of(which, "CancelWork.work_id");
  auto found = key ? flights_.find(*key) : flights_.end();
  if (found == flights_.end())
    return quiet_about(which);
  auto& owed = found->second.owed_quiet.emplace_back(self_);
  auto later = owed.later();
  if (const auto link = book_.find(*key)->link; link == 0) {
    book_.take(*key);
    settle(*key, failed_with(which, {errc::cancelled, "it was cancelled"}));
  } else {
    auto letter = envelope_of(link);
    *letter.mutable_cancel_work() = which;
    mail(self_, std::move(letter)).send(peers_.at(link));
  }
  return later;
}

// --- from workers

void worker_desk_state::join(const wire::Envelope& hello,
                             const link_actor& peer) {
  if (!front_.open())
    front_ =
      monitor(self_, caf::actor_cast<caf::actor>(self_->current_sender()),
              [this](const caf::error&) { leave_all(); });
  peers_.insert_or_assign(hello.link(), peer);
  book_.join(hello.link(), hello.hello());
  const auto offered = book_.offered_by(hello.link());
  set_gates(offered);
  for (const auto& backend : offered)
    place_waiting(backend);
}

void worker_desk_state::receive(const wire::Envelope& letter) {
  const auto link = letter.link();
  if (!book_.knows(link))
    return;
  switch (letter.body_case()) {
  case wire::Envelope::kCompleted:
    return completed(link, letter.completed());
  case wire::Envelope::kProgress:
    return pass_on(link, letter.progress());
  case wire::Envelope::kParkWork:
    if (const auto key = key_at(link, letter.park_work()))
      book_.set_parked(*key, true);
    return pass_on(link, letter.park_work());
  case wire::Envelope::kUnparkWork:
    return unpark(link, letter.unpark_work());
  case wire::Envelope::kLeave:
    return retire(link);
  default:
    return; // a completion answers a cancellation, too
  }
}

void worker_desk_state::completed(std::uint64_t link,
                                  const wire::Completed& how) {
  const auto key = key_at(link, how);
  if (!key) {
    ++fenced_;
    return;
  }
  const auto where = book_.take(*key);
  settle(*key, how);
  place_waiting(where->backend);
  say_goodbye_if_done(link);
}

void worker_desk_state::unpark(std::uint64_t link,
                               const wire::UnparkWork& what) {
  const auto key = key_at(link, what);
  if (!key)
    return;
  auto tell = [this, link, key = *key, what](const std::optional<failure>& no) {
    const auto* where = book_.find(key);
    if (where == nullptr || where->link != link)
      return;
    if (!no)
      book_.set_parked(key, false);
    auto letter = envelope_of(link);
    *letter.mutable_unparked() = about<wire::Unparked>(what);
    if (no)
      *letter.mutable_unparked()->mutable_refused() = to_wire(*no);
    mail(self_, std::move(letter)).send(peers_.at(link));
  };
  mail(self_, what)
    .request(scheduler_, caf::infinite)
    .then([tell] { tell({}); },
          [this, tell](const caf::error& why) {
            tell(to_failure(self_->system(), why));
          });
}

void worker_desk_state::retire(std::uint64_t link) {
  book_.retire(link);
  const auto offered = book_.offered_by(link);
  set_gates(offered);
  for (const auto& backend : offered)
    place_waiting(backend); // nobody may offer it any more
  say_goodbye_if_done(link);
}

void worker_desk_state::leave(const wire::Envelope& goodbye) {
  const auto link = goodbye.link();
  if (!book_.knows(link))
    return;
  const auto why = reason_in(goodbye);
  const auto offered = book_.offered_by(link);
  const auto who = book_.name_of(link);
  const auto had = book_.leave(link);
  peers_.erase(link);
  works_lost_ += had.size();
  if (!had.empty())
    log_event(spdlog::level::warn, "works_lost", [&](log_line& line) {
      line("worker", who)("works", had.size());
    });
  // First the gates, so that what is tried again meets them as they are now.
  set_gates(offered);
  const failure lost{errc::backend_lost,
                     "worker " + who + " is gone: "
                       + (why ? why->detail : std::string{"it has left"})};
  for (const auto& key : had)
    settle(key, failed_with(flights_.at(key).what, lost));
  for (const auto& backend : offered)
    place_waiting(backend);
}

/// Who would tell when they go is gone.
void worker_desk_state::leave_all() {
  for (const auto& [link, peer] : std::unordered_map{peers_})
    leave(goodbye_of(link, {errc::backend_lost, "its front desk has ended"}));
}

// --- how things end

void worker_desk_state::settle(const submission_key& key,
                               const wire::Completed& how) {
  auto ended = flights_.extract(key);
  if (!ended)
    return;
  auto& flight = ended.mapped();
  flight.owed.settle(how);
  for (auto& owed : flight.owed_quiet)
    owed.settle(quiet_about(flight.what));
}

template <class Message>
std::optional<submission_key>
worker_desk_state::key_at(std::uint64_t link, const Message& message) const {
  const auto key = key_of(message, "Envelope");
  if (!key)
    return std::nullopt;
  const auto* where = book_.find(*key);
  if (where == nullptr || where->link != link)
    return std::nullopt;
  return *key;
}

template <class Message>
void worker_desk_state::pass_on(std::uint64_t link, const Message& message) {
  if (const auto key = key_at(link, message))
    anon_mail(message).send(flights_.at(*key).client);
}

void worker_desk_state::dispatch(const submission_key& key,
                                 std::uint64_t link) {
  const auto& flight = flights_.at(key);
  auto letter = envelope_of(link);
  letter.mutable_dispatch()->set_backend(flight.what.backend());
  *letter.mutable_dispatch()->mutable_what() = flight.what;
  mail(self_, std::move(letter)).send(peers_.at(link));
}

void worker_desk_state::place_waiting(const std::string& backend) {
  while (const auto next = book_.place_next(backend))
    dispatch(next->key, next->link);
  for (const auto& key : book_.take_hopeless(backend))
    settle(key, failed_with(flights_.at(key).what,
                            {errc::backend_lost,
                             "no worker offers " + backend + " any more"}));
}

void worker_desk_state::say_goodbye_if_done(std::uint64_t link) {
  if (!book_.is_done(link))
    return;
  auto letter = envelope_of(link);
  letter.mutable_goodbye();
  mail(self_, std::move(letter)).send(peers_.at(link));
}

void worker_desk_state::set_gates(const std::vector<std::string>& backends) {
  for (const auto& backend : backends)
    mail(self_, join_atom_v, book_.terms(backend),
         backend_actor{worker_desk_actor{self_}})
      .send(scheduler_);
}

wire::RunAccepted worker_desk_state::expect(const wire::RunAccepted& wanted) {
  wire::RunAccepted answer;
  std::vector<std::string> unknown;
  for (const auto& backend : wanted.lacking()) {
    if (book_.slots(backend) > 0)
      continue;
    answer.add_lacking(backend);
    book_.expect(backend);
    unknown.push_back(backend);
  }
  set_gates(unknown);
  return answer;
}

wire::NodeStatus worker_desk_state::look() const {
  wire::NodeStatus part;
  for (auto& seen : book_.look())
    *part.add_workers() = std::move(seen);
  part.set_works_lost(works_lost_);
  part.set_fenced(fenced_);
  return part;
}

} // namespace turnstile
