#include "actors/journal/journal_state.hpp"

#include "actors/journal/pacer.hpp"
#include "actors/log/log_line.hpp"
#include "messages/translate.hpp"

namespace turnstile {

namespace {

// What the timers are for.
constexpr std::uint64_t to_commit = 1;
constexpr std::uint64_t to_renew = 2;
constexpr std::uint64_t to_look = 3;

bool is_for_good(errc code) {
  return code == errc::fenced || code == errc::journal_damaged;
}

/// Whether the disk is the reason, not what was said.
bool may_pass(errc code) {
  return code == errc::storage_full || code == errc::storage_failed;
}

void log_refusal(const wire::AppendFacts& facts, const failure& why) {
  log_event(spdlog::level::err, "facts_refused", [&](log_line& line) {
    line("scheduler", facts.scheduler())("text", why.detail);
  });
}

} // namespace

journal_state::journal_state(journal_actor::pointer self,
                             std::unique_ptr<journal_store> store,
                             journal_pace pace)
  : self_(self), pacer_(spawn<pacer_state>(self, journal_actor{self})),
    store_(std::move(store)), pace_(pace), taken_(store_->facts()) {
  ring_later(pace_.renew_every, to_renew);
  ring_later(pace_.look_every, to_look);
}

journal_state::~journal_state() {
  if (!trouble_)
    static_cast<void>(store_->commit());
}

journal_actor::behavior_type journal_state::make_behavior() {
  return {
    [this](const wire::AppendFacts& facts) { return append(facts); },
    [this](const wire::HistoryQuery& query) {
      return look_up(&journal_store::history, query);
    },
    [this](const wire::EventsQuery& query) {
      return look_up(&journal_store::events, query);
    },
    [this](const wire::MemoQuery& query) {
      return look_up(&journal_store::memo, query);
    },
    [this](watch_atom, const storage_watcher_actor& who) { return watch(who); },
    [this](watch_atom, const event_log_actor& log) { logs_.push_back(log); },
    [this](turn_atom) {
      turn_pending_ = false;
      commit();
    },
    [this](wake_atom, std::uint64_t number) {
      if (number == to_renew)
        return renew();
      if (number == to_look)
        return look();
      lingers_ = false;
      commit();
    },
  };
}

caf::result<wire::Durable>
journal_state::append(const wire::AppendFacts& facts) {
  if (trouble_ && trouble_->for_good())
    return to_error(from_wire(trouble_->failure()).value());
  const auto is_lazy = facts.lazy() && !wants_answer(self_);
  if (!untaken_.empty())
    return keep_waiting(facts, is_lazy);
  if (auto taken = store_->append(facts); !taken) {
    if (may_pass(taken.error().code)) {
      stumble(taken.error());
      return keep_waiting(facts, is_lazy);
    }
    log_refusal(facts, taken.error());
    return to_error(taken.error());
  }
  count(facts);
  if (is_lazy) {
    if (!turn_pending_ && !std::exchange(lingers_, true))
      ring_later(pace_.linger, to_commit);
    return wire::Durable{};
  }
  auto& owed = owed_.emplace_back();
  owed.who = owed_answer<wire::Durable>{self_};
  owed.facts = taken_;
  arm_commit();
  return owed.who.later();
}

void journal_state::count(const wire::AppendFacts& facts) {
  taken_ += static_cast<std::uint64_t>(facts.facts_size());
}

caf::result<wire::Durable>
journal_state::keep_waiting(const wire::AppendFacts& facts, bool is_lazy) {
  auto& one = untaken_.emplace_back();
  one.facts = facts;
  if (is_lazy)
    return wire::Durable{};
  one.who = owed_answer<wire::Durable>{self_};
  return one.who.later();
}

status journal_state::take_waiting() {
  for (; !untaken_.empty(); untaken_.pop_front()) {
    auto& [facts, who] = untaken_.front();
    auto taken = store_->append(facts);
    if (!taken && may_pass(taken.error().code))
      return taken;
    if (!taken) {
      log_refusal(facts, taken.error());
      who.settle(fail(taken.error()));
      continue;
    }
    count(facts);
    if (who.owed())
      owed_.push_back({std::move(who), taken_});
  }
  return {};
}

// A disk that cannot be read now may be asked again; all else is an answer.
template <class Answer, class Query>
caf::result<Answer>
journal_state::look_up(result<Answer> (journal_store::*how)(const Query&),
                       const Query& query) {
  auto found = (store_.get()->*how)(query);
  const auto is_lost = trouble_ && trouble_->for_good();
  if (found || is_lost || !may_pass(found.error().code))
    return answer(std::move(found));
  log_event(spdlog::level::warn, "journal_unread", [&](log_line& line) {
    line("error", to_string(found.error().code))("text", found.error().detail);
  });
  auto owed = std::make_shared<owed_answer<Answer>>(self_);
  questions_.push_back([this, how, query, owed](const failure* lost) {
    auto again = lost == nullptr ? (store_.get()->*how)(query)
                                 : result<Answer>{fail(*lost)};
    if (lost == nullptr && !again && may_pass(again.error().code))
      return false;
    owed->settle(std::move(again));
    return true;
  });
  try_later();
  return owed->later();
}

void journal_state::ask_again() {
  while (!questions_.empty() && questions_.front()(nullptr))
    questions_.pop_front();
  if (!questions_.empty())
    try_later();
}

void journal_state::try_later() {
  if (!std::exchange(lingers_, true))
    ring_later(pace_.retry_after, to_commit);
}

void journal_state::arm_commit() {
  if (trouble_ || std::exchange(turn_pending_, true))
    return; // a timer tries again
  mail(self_, turn_atom_v).send(journal_actor{self_});
}

void journal_state::ring_later(duration after, std::uint64_t number) {
  mail(self_, wake_atom_v, number, std::int64_t{after.count()}).send(pacer_);
}

void journal_state::commit() {
  if (trouble_ && trouble_->for_good())
    return;
  ask_again();
  if (auto taken = take_waiting(); !taken)
    return stumble(taken.error());
  if (!store_->has_draft() && !trouble_ && owed_.empty())
    return;
  // Who waits for nothing, or for what was kept meanwhile, is answered, too.
  if (auto done = store_->commit(); !done)
    return stumble(done.error());
  if (std::exchange(trouble_, std::nullopt)) {
    log_event(spdlog::level::info, "journal_recovered", [](log_line&) {});
    tell(wire::StorageState{});
  }
  tell_events();
  wire::Durable durable;
  durable.set_facts(store_->facts());
  for (; !owed_.empty() && owed_.front().facts <= durable.facts();
       owed_.pop_front())
    owed_.front().who.settle(durable);
}

void journal_state::tell_events() {
  wire::EventBatch batch;
  auto send = [&] {
    for (const auto& log : logs_)
      mail(self_, batch).send(log);
    batch.Clear();
  };
  for (auto& event : store_->take_events()) {
    if (batch.events_size() > 0 && batch.events(0).run_id() != event.run_id())
      send();
    *batch.add_events() = std::move(event);
  }
  if (batch.events_size() > 0)
    send();
}

void journal_state::stumble(failure why) {
  if (is_for_good(why.code))
    return give_up(why);
  try_later();
  if (trouble_)
    return;
  log_event(spdlog::level::err, "journal_failed", [&](log_line& line) {
    line("error", to_string(why.code))("text", why.detail);
  });
  *trouble_.emplace().mutable_failure() = to_wire(why);
  tell(*trouble_);
}

void journal_state::give_up(const failure& why) {
  log_event(spdlog::level::critical, "journal_lost", [&](log_line& line) {
    line("error", to_string(why.code))("text", why.detail);
  });
  trouble_.emplace().set_for_good(true);
  *trouble_->mutable_failure() = to_wire(why);
  tell(*trouble_);
  for (auto& one : std::exchange(owed_, {}))
    one.who.settle(fail(why));
  for (auto& ask : std::exchange(questions_, {}))
    ask(&why);
  for (auto& one : std::exchange(untaken_, {}))
    one.who.settle(fail(why));
}

void journal_state::tell(const wire::StorageState& state) {
  for (const auto& who : watchers_)
    mail(self_, state).send(who);
}

void journal_state::renew() {
  if (trouble_ && trouble_->for_good())
    return;
  if (auto done = store_->renew(); !done && is_for_good(done.error().code))
    return give_up(done.error());
  ring_later(pace_.renew_every, to_renew);
}

void journal_state::look() {
  if (trouble_ && trouble_->for_good())
    return;
  for (const auto& command : store_->take_commands())
    pass_on(command, 0);
  answer_commands();
  ring_later(pace_.look_every, to_look);
}

void journal_state::answer_later(std::uint64_t command,
                                 wire::CommandAnswer answer) {
  answers_.emplace_back(command, std::move(answer));
  answer_commands();
}

// Who asked waits for it: what cannot be kept now is tried at the next look.
void journal_state::answer_commands() {
  while (!answers_.empty()
         && store_->answer(answers_.front().first, answers_.front().second))
    answers_.pop_front();
}

// Asks one scheduler after the other, until one knows the request.
void journal_state::pass_on(const wire::JournalCommand& command,
                            std::size_t watcher) {
  auto answer_with = [this, id = command.id()](const failure& why) {
    wire::CommandAnswer answer;
    *answer.mutable_failure() = to_wire(why);
    answer_later(id, std::move(answer));
  };
  if (watcher >= watchers_.size())
    return answer_with(
      {errc::run_not_found,
       "the process that owns the journal does not run " + command.run()});
  mail(self_, command)
    .request(watchers_[watcher], caf::infinite)
    .then(
      [this, id = command.id()](const wire::CommandAnswer& answer) {
        answer_later(id, answer);
      },
      [this, command, watcher, answer_with](const caf::error& error) {
        const auto why = to_failure(self_->system(), error);
        if (why.code == errc::unknown_request || why.code == errc::backend_lost)
          pass_on(command, watcher + 1);
        else
          answer_with(why);
      });
}

caf::result<void> journal_state::watch(const storage_watcher_actor& who) {
  watchers_.push_back(who);
  if (trouble_)
    mail(self_, *trouble_).send(who);
  return {};
}

} // namespace turnstile
