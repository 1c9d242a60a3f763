#include "actors/testing/recording.hpp"

#include "actors/journal/row_id.hpp"
#include "actors/testing/work_of_fact.hpp"

#include <algorithm>
#include <utility>

namespace turnstile::testing {

namespace {

using lock = std::lock_guard<std::mutex>;

std::string text_of(const wire::Fact& fact) {
  std::string text;
  if (const auto* work = work_of(fact)) {
    text = fact.has_accepted()  ? "accepted "
           : fact.has_started() ? "started "
           : fact.has_waits()   ? "waits "
                                : "ended ";
    text.append(std::to_string(work->sequence()));
    if (fact.has_ended())
      text.append(" ").append(fact.ended().word());
    return text;
  }
  if (fact.has_event())
    return text.append("event ").append(
      std::to_string(fact.event().event().number()));
  return fact.has_opened() ? "opened" : "closed " + fact.closed().word();
}

} // namespace

// --- what a test sees and steers

std::vector<recorded_fact> recording::facts() const {
  lock guard{mutex_};
  return facts_;
}

std::string recording::text() const {
  lock guard{mutex_};
  std::string text;
  for (std::uint64_t i = 0; i < facts_.size(); ++i) {
    if (i > 0)
      text.append(i == durable_ ? " | " : ", ");
    else if (durable_ == 0)
      text = "| ";
    text.append(text_of(facts_[i].fact));
  }
  return text;
}

std::uint64_t recording::durable() const {
  lock guard{mutex_};
  return durable_;
}

std::uint64_t recording::syncs() const {
  lock guard{mutex_};
  return syncs_;
}

// The journal is woken when we have let go: it may run at once.
void recording::steer(const std::function<void()>& change) {
  std::function<void()> wake;
  {
    lock guard{mutex_};
    change();
    wake = wake_;
  }
  if (wake)
    wake();
}

void recording::hold() {
  lock guard{mutex_};
  released_ = durable_;
}

void recording::release() {
  steer([this] { released_ = all; });
}

void recording::release(std::uint64_t position) {
  steer([&] { released_ = std::max(durable_, position); });
}

void recording::fail(failure why) {
  lock guard{mutex_};
  trouble_ = std::move(why);
}

void recording::fail_reading(failure why) {
  lock guard{mutex_};
  unreadable_ = std::move(why);
}

void recording::recover() {
  lock guard{mutex_};
  trouble_.reset();
  unreadable_.reset();
}

std::uint64_t recording::ask(const std::string& verb, const std::string& run,
                             const std::string& task) {
  lock guard{mutex_};
  auto& one = commands_.emplace_back();
  one.set_id(commands_.size());
  one.set_verb(verb);
  one.set_run(run);
  one.set_task(task);
  return one.id();
}

std::optional<wire::CommandAnswer>
recording::answer_to(std::uint64_t command) const {
  lock guard{mutex_};
  const auto found = answers_.find(command);
  return found == answers_.end() ? std::nullopt : std::optional{found->second};
}

// --- for its stores

std::uint64_t recording::attach(std::function<void()> wake) {
  std::function<void()> let_go; // outside of the guard
  lock guard{mutex_};
  let_go = std::exchange(wake_, std::move(wake));
  facts_.resize(durable_);
  while (!ends_.empty() && ends_.back() > durable_)
    ends_.pop_back();
  streams_.clear();
  lives_.clear();
  for (const auto& one : facts_)
    note(one);
  return ++store_;
}

void recording::detach(std::uint64_t store) {
  std::function<void()> let_go; // outside of the guard
  lock guard{mutex_};
  if (store == store_)
    let_go = std::exchange(wake_, nullptr);
}

status recording::owns(std::uint64_t store) const {
  lock guard{mutex_};
  if (store == store_)
    return {};
  return turnstile::fail(errc::fenced, "another journal has the recording");
}

status recording::append(std::uint64_t store, const wire::AppendFacts& facts,
                         std::int64_t unix_ns) {
  if (auto ours = owns(store); !ours)
    return ours;
  lock guard{mutex_};
  if (unreadable_)
    return turnstile::fail(*unreadable_);
  if (auto may = check(facts); !may)
    return may;
  for (const auto& fact : facts.facts()) {
    auto& one = facts_.emplace_back(recorded_fact{facts.scheduler(), fact});
    if (fact.has_event()) {
      auto& event = *one.fact.mutable_event()->mutable_event();
      const auto whose = streams_.find(event.run_id());
      const auto is_new = whose == streams_.end();
      // What a scheduler says too late is told to nobody.
      event.set_number(is_new                ? 1
                       : whose->second.ended ? 0
                                             : whose->second.next);
      if (event.ts_ns() == 0)
        event.set_ts_ns(unix_ns);
    }
    note(one);
  }
  ends_.push_back(facts_.size());
  return {};
}

// What `journal_file` refuses.
status recording::check(const wire::AppendFacts& facts) const {
  auto opened = lives_;
  auto known = [&](const wire::RequestId& request,
                   std::uint64_t life) -> status {
    if (opened.contains({facts.scheduler(), request.value(), life}))
      return {};
    return turnstile::fail(errc::unknown_request,
                           "life " + std::to_string(life) + " of request "
                             + std::to_string(request.value())
                             + " is not in the journal");
  };
  for (const auto& fact : facts.facts()) {
    if (const auto* work = work_of(fact)) {
      if (auto is_there = known(work->request(), work->life()); !is_there)
        return is_there;
      if (work->sequence() > static_cast<std::uint64_t>(row_id::max_place))
        return turnstile::fail(errc::capacity,
                               "a request in a journal has at most 2^40 works");
    } else if (fact.has_opened()) {
      opened.insert({facts.scheduler(), fact.opened().request().value(),
                     fact.opened().life()});
    } else if (fact.has_closed()) {
      if (auto is_there = known(fact.closed().request(), fact.closed().life());
          !is_there)
        return is_there;
    } else if (fact.has_event()) {
      const auto whose = streams_.find(fact.event().event().run_id());
      if (whose != streams_.end() && whose->second.ended
          && facts.scheduler().empty())
        return turnstile::fail(
          errc::state, "run " + whose->first + " has ended with its event "
                         + std::to_string(whose->second.next - 1)
                         + "; none can follow");
    } else {
      return turnstile::fail(errc::invalid_argument,
                             "Fact.kind: it is missing");
    }
  }
  return {};
}

void recording::note(const recorded_fact& one) {
  if (one.fact.has_opened())
    lives_.insert({one.scheduler, one.fact.opened().request().value(),
                   one.fact.opened().life()});
  const auto& event = one.fact.event().event();
  if (!one.fact.has_event() || event.number() == 0)
    return;
  auto& whose = streams_[event.run_id()];
  whose.next = event.number() + 1;
  whose.ended = event.has_run_done();
}

std::uint64_t recording::committable() const {
  const auto behind = std::upper_bound(ends_.begin(), ends_.end(), released_);
  return behind == ends_.begin() ? durable_ : std::max(durable_, behind[-1]);
}

bool recording::may_commit() const {
  lock guard{mutex_};
  return committable() > durable_;
}

status recording::commit(std::uint64_t store, std::vector<wire::Event>& told) {
  if (auto ours = owns(store); !ours)
    return ours;
  lock guard{mutex_};
  if (trouble_)
    return turnstile::fail(*trouble_);
  const auto until = committable();
  if (until == durable_)
    return {};
  for (; durable_ < until; ++durable_)
    if (const auto& event = facts_[durable_].fact.event().event();
        event.number() > 0)
      told.push_back(event);
  ++syncs_;
  return {};
}

std::vector<wire::JournalCommand>
recording::commands_after(std::uint64_t command) const {
  lock guard{mutex_};
  std::vector<wire::JournalCommand> later;
  for (const auto& one : commands_)
    if (one.id() > command && !answers_.contains(one.id()))
      later.push_back(one);
  return later;
}

status recording::answer(std::uint64_t command,
                         const wire::CommandAnswer& answer) {
  lock guard{mutex_};
  if (trouble_)
    return turnstile::fail(*trouble_);
  answers_.insert_or_assign(command, answer);
  return {};
}

} // namespace turnstile::testing
