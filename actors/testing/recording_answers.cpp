#include "actors/testing/recording.hpp"
#include "actors/testing/work_of_fact.hpp"

#include <algorithm>
#include <utility>

// What a recording answers in place of a file, of what is durable.

namespace turnstile::testing {

namespace {

using lock = std::lock_guard<std::mutex>;

/// Puts one fact of a request into what is known of it.
class history_of {
public:
  history_of(const std::string& scheduler, std::uint64_t request,
             std::uint64_t life)
    : scheduler_(scheduler), request_(request), life_(life) {}

  void take(const recorded_fact& one) {
    const auto& fact = one.fact;
    if (one.scheduler != scheduler_)
      return;
    if (fact.has_opened()
        && is_ours(fact.opened().request(), fact.opened().life()))
      head.mutable_opened()->CopyFrom(fact.opened());
    if (fact.has_closed()
        && is_ours(fact.closed().request(), fact.closed().life()))
      head.mutable_closed()->CopyFrom(fact.closed());
    const auto* id = work_of(fact);
    if (id != nullptr && is_ours(id->request(), id->life()))
      take_work(id->sequence(), fact);
  }

  wire::History head; ///< All but its works.
  std::map<std::uint64_t, wire::WorkHistory> works;

private:
  [[nodiscard]] bool is_ours(const wire::RequestId& request,
                             std::uint64_t life) const {
    return request.value() == request_ && life == life_;
  }

  void take_work(std::uint64_t sequence, const wire::Fact& fact) {
    auto& work = works[sequence];
    if (fact.has_accepted()) {
      work.mutable_accepted()->CopyFrom(fact.accepted());
    } else if (fact.has_started()) {
      work.set_submissions(fact.started().submission());
      work.set_executing(true);
      work.set_backend(fact.started().backend());
    } else if (fact.has_waits()) {
      work.set_submissions(fact.waits().submission());
      work.set_executing(false);
      if (fact.waits().has_attempts())
        work.set_attempts(fact.waits().attempts());
    } else {
      end(work, fact.ended());
    }
  }

  // Of a work that has ended, names and end alone are told.
  void end(wire::WorkHistory& work, wire::EndedFact ended) {
    if (ended.has_state())
      head.set_state(ended.state());
    ended.clear_state();
    wire::WorkHistory told;
    told.mutable_accepted()->set_name(work.accepted().name());
    told.mutable_accepted()->set_label(work.accepted().label());
    told.set_place(++ends_);
    told.set_ended_as_kept(ended.SerializeAsString());
    work = std::move(told);
  }

  std::string scheduler_;
  std::uint64_t request_;
  std::uint64_t life_;
  std::uint64_t ends_ = 0;
};

std::uint64_t page_size(std::uint32_t asked, std::uint32_t usual) {
  constexpr std::uint32_t most = 4096;
  return asked == 0 ? usual : std::min(asked, most);
}

} // namespace

std::uint64_t recording::next_life() const {
  lock guard{mutex_};
  std::uint64_t next = 0;
  for (const auto& [scheduler, request, life] : lives_)
    next = std::max(next, life + 1);
  return next;
}

result<wire::History>
recording::history(const wire::HistoryQuery& query) const {
  lock guard{mutex_};
  if (unreadable_)
    return turnstile::fail(*unreadable_);
  const auto request = query.request().value();
  std::optional<std::uint64_t> life;
  for (std::uint64_t i = 0; i < durable_; ++i)
    if (const auto& fact = facts_[i].fact;
        fact.has_opened() && facts_[i].scheduler == query.scheduler()
        && fact.opened().request().value() == request)
      life = std::max(life.value_or(0), fact.opened().life());
  if (!life)
    return turnstile::fail(errc::unknown_request, "request "
                                                    + std::to_string(request)
                                                    + " is not in the journal");
  history_of known{query.scheduler(), request, *life};
  for (std::uint64_t i = 0; i < durable_; ++i)
    known.take(facts_[i]);
  wire::History page;
  if (query.from() == 0)
    page = std::move(known.head);
  page.set_next(query.from());
  const auto limit = page_size(query.max(), 4096);
  for (auto at = known.works.lower_bound(query.from()); at != known.works.end();
       ++at) {
    if (static_cast<std::uint64_t>(page.works_size()) == limit) {
      page.set_more(true);
      break;
    }
    *page.add_works() = std::move(at->second);
    page.set_next(at->first + 1);
  }
  return page;
}

result<wire::EventBatch>
recording::events(const wire::EventsQuery& query) const {
  lock guard{mutex_};
  if (unreadable_)
    return turnstile::fail(*unreadable_);
  wire::EventBatch batch;
  batch.set_next(std::max<std::uint64_t>(query.from(), 1));
  const auto limit = page_size(query.max(), 256);
  stream known;
  for (std::uint64_t i = 0; i < durable_; ++i) {
    const auto& event = facts_[i].fact.event().event();
    if (event.number() == 0 || event.run_id() != query.run_id())
      continue; // it is none, or came too late
    known.next = event.number() + 1;
    known.ended = event.has_run_done();
    if (event.number() < batch.next()
        || static_cast<std::uint64_t>(batch.events_size()) == limit)
      continue;
    *batch.add_events() = event;
    batch.set_next(known.next);
  }
  batch.set_ended(known.ended && batch.next() >= known.next);
  return batch;
}

result<wire::MemoAnswer> recording::memo(const wire::MemoQuery& query) const {
  lock guard{mutex_};
  if (unreadable_)
    return turnstile::fail(*unreadable_);
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::string>
    names;
  wire::MemoAnswer newest;
  for (std::uint64_t i = 0; i < durable_; ++i) {
    const auto& [scheduler, fact] = facts_[i];
    if (fact.has_opened())
      names[{scheduler, fact.opened().request().value(),
             fact.opened().life()}] = fact.opened().name();
    if (!fact.has_ended() || query.key().empty()
        || fact.ended().memo_key() != query.key())
      continue;
    const auto& id = fact.ended().work_id();
    newest.set_run(names[{scheduler, id.request().value(), id.life()}]);
    newest.set_outcome(fact.ended().outcome());
  }
  if (newest.run() == query.not_of_run())
    return wire::MemoAnswer{};
  return newest;
}

} // namespace turnstile::testing
