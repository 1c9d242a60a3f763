#pragma once

#include "actors/scheduler/ending_messages.hpp"
#include "actors/scheduler/heed.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "actors/scheduler/intake.hpp"
#include "actors/scheduler/journal_desk.hpp"
#include "core/base/hash.hpp"
#include "core/turn/guarded.hpp"
#include "core/turn/scheduler.hpp"
#include "messages/translate.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

namespace turnstile {

/// Turns what happens to requests and works of one program into facts for the
/// journal, in the order in which it happens in memory. A work's end and what
/// subscribers are told of it go in one piece, so that no crash parts them.
///
/// Invariant: `live_` counts, for every request with a fact of its begin and
/// none of its last work's end, the works that were accepted and have no fact
/// of their end.
template <hosted_program P>
class recorder {
public:
  using core_type = scheduler<core_program<P>>;
  using outcome = typename core_type::outcome;

  recorder(P& program, core_type& core, intake<P>& intake, journal_desk& desk)
    : program_(program), core_(core), intake_(intake), desk_(desk) {
    if constexpr (has_news<P>)
      if (desk.is_there())
        program.collect_news();
  }

  void opened(request_id id, std::uint64_t life, const std::string& terms,
              instant now) {
    if (!desk_.is_there())
      return;
    live_.emplace(id, requests{});
    auto& fact = *desk_.add().mutable_opened();
    *fact.mutable_request() = to_wire(id);
    fact.set_life(life);
    fact.set_terms(terms);
    fact.set_at_unix_ns(desk_.wall().unix_ns(now));
    fact.set_is_volatile(!can_restore<P>);
    if constexpr (labels_facts<P>) {
      auto called = program_.label_of(intake_.terms(id));
      call(id, called.name);
      fact.set_name(std::move(called.name));
      fact.set_label(std::move(called.label));
    }
    news();
  }

  /// A request goes on that the journal has, with so many works.
  void resumed(request_id id, const std::string& name, std::uint64_t works) {
    live_.emplace(id, requests{works, {}, {}});
    call(id, name);
  }

  /// The request that its program calls so.
  [[nodiscard]] std::optional<request_id> find(const std::string& name) const {
    auto known = called_.find(name);
    return known == called_.end() ? std::nullopt : std::optional{known->second};
  }

  void accepted(const work_id& id, const hosted_work<P>& work,
                const wire::Work& as_given, const work_options& options,
                instant now) {
    if (!desk_.is_there())
      return;
    ++live_.at(id.request).works;
    auto& fact = *desk_.add().mutable_accepted();
    *fact.mutable_work_id() = to_wire(id);
    fact.set_payload(as_given.payload());
    fact.set_at_unix_ns(desk_.wall().unix_ns(now));
    if (as_given.has_deadline() && as_given.deadline().has_remaining_ns()) {
      if (options.deadline && *options.deadline != instant::max())
        fact.set_due_unix_ns(desk_.wall().unix_ns(*options.deadline));
      fact.set_scope(as_given.deadline().scope());
      fact.set_enforcement(as_given.deadline().enforcement());
    }
    if constexpr (labels_facts<P>) {
      auto called = program_.label_of(work.message);
      fact.set_name(std::move(called.name));
      fact.set_label(std::move(called.label));
    }
    news();
  }

  void started(const work_id& id, std::uint32_t submission,
               const std::string& backend, instant now) {
    if (!desk_.is_there())
      return;
    auto& fact = *desk_.add().mutable_started();
    *fact.mutable_work_id() = to_wire(id);
    fact.set_submission(submission);
    fact.set_backend(backend);
    fact.set_at_unix_ns(desk_.wall().unix_ns(now));
    news();
  }

  void waits(const work_id& id, std::uint32_t submission,
             const hosted_work<P>& work, instant now) {
    if (!desk_.is_there())
      return;
    auto& fact = *desk_.add().mutable_waits();
    *fact.mutable_work_id() = to_wire(id);
    fact.set_submission(submission);
    fact.set_at_unix_ns(desk_.wall().unix_ns(now));
    if constexpr (restores_works<P>)
      fact.set_attempts(
        program_.encode_attempts(work.message, work.attempts, desk_.wall()));
    else
      static_cast<void>(work);
    news();
  }

  /// Adds what the program wants to be told, beside ends.
  void news() { add_news(std::nullopt); }

  /// Notes which requests have ended in `done`, before anything is made of it.
  void close_requests(const outcome& done) {
    for (const auto& row : done.facts)
      if (!row.sequence)
        if (auto whose = live_.find(row.request); whose != live_.end())
          whose->second.closed = row.status;
  }

  /// Adds the ends in `done`, and asks to be told when they are durable.
  void ends(const outcome& done, instant now) {
    if (done.facts.empty())
      return;
    std::unordered_map<request_id, wire::EndedFact*, id_hash> last_commit;
    for (const auto& row : done.facts)
      if (row.sequence)
        end_work(row, last_commit, now);
      else
        end_request(row, now);
    if constexpr (can_restore<P> && !replaying_state<typename P::state_type>)
      for (auto& [id, fact] : last_commit)
        if (const auto* state = core_.request_state(id)) {
          auto bytes =
            guarded(errc::state, "encode", [&] { return state->encode(); });
          if (bytes)
            fact->set_state(std::move(*bytes));
        }
    desk_.hold(done.facts.back().position);
  }

  /// How a request stands that has ended in memory, though that may not have
  /// been told yet.
  [[nodiscard]] request_status status_of(request_id id) const {
    if (auto whose = live_.find(id);
        whose != live_.end() && whose->second.closed)
      return *whose->second.closed;
    return core_.status_of(id).value_or(request_status::finished);
  }

  void forget(request_id id) {
    if (auto gone = live_.extract(id))
      called_.erase(gone.mapped().name);
  }

private:
  struct requests {
    std::uint64_t works = 0;
    std::optional<request_status> closed;
    std::string name;
  };

  void call(request_id id, const std::string& name) {
    live_.at(id).name = name;
    if (!name.empty())
      called_.insert_or_assign(name, id);
  }

  using fact_row = typename outcome::fact_row;
  using commits = std::unordered_map<request_id, wire::EndedFact*, id_hash>;

  void end_work(const fact_row& row, commits& last_commit, instant now) {
    const work_id id{row.request, *row.sequence, row.life};
    auto& work = *core_.find_work(id);
    auto& fact = *desk_.add().mutable_ended();
    *fact.mutable_work_id() = to_wire(id);
    fact.set_lifecycle(to_wire(row.lifecycle));
    fact.set_at_unix_ns(desk_.wall().unix_ns(now));
    fact.set_word(std::string{to_string(row.lifecycle)});
    fact.set_ran(core_.submissions_of(id) > 0);
    if (row.dropped)
      fact.set_dropped(to_wire(*row.dropped));
    else if (row.why != nullptr)
      *fact.mutable_failure() = to_wire(*row.why);
    if (row.outcome != nullptr) {
      row.outcome->SerializeToString(fact.mutable_outcome());
      last_commit[row.request] = &fact;
      if constexpr (labels_facts<P>)
        fact.set_word(program_.word_of(*row.outcome));
      if constexpr (remembers_outcomes<P>)
        fact.set_memo_key(program_.memo_key_of(work.message, *row.outcome));
    }
    if constexpr (hears_ends<P>) {
      end_of_work<P> end;
      end.lifecycle = row.lifecycle;
      end.result = row.outcome;
      if (!row.dropped)
        end.why = row.why;
      else
        end.lost_by = work.lost_by.value_or(*row.dropped);
      end.reclaimed = row.dropped == drop_reason::reclaimed;
      end.request = status_of(row.request);
      end.now = now;
      std::optional<result_of_program<P>> said;
      heed("work_ended", [&] {
        said = program_.work_ended(intake_.terms(row.request), work.message,
                                   work.attempts, end);
      });
      if (said && row.outcome == nullptr) {
        work.said = std::make_unique<std::string>();
        said->SerializeToString(work.said.get());
        fact.set_outcome(*work.said);
        if constexpr (labels_facts<P>)
          fact.set_word(program_.word_of(*said));
      }
    }
    add_news(id);
    auto whose = live_.find(row.request);
    if (whose != live_.end() && --whose->second.works == 0
        && whose->second.closed)
      close(row.request);
  }

  void end_request(const fact_row& row, instant now) {
    auto& fact = *desk_.add().mutable_closed();
    *fact.mutable_request() = to_wire(row.request);
    fact.set_life(row.life);
    fact.set_status(to_wire(row.status));
    fact.set_at_unix_ns(desk_.wall().unix_ns(now));
    fact.set_word(std::string{to_string(row.status)});
    if (row.why != nullptr)
      *fact.mutable_failure() = to_wire(*row.why);
    if constexpr (labels_facts<P>)
      fact.set_word(program_.word_of(intake_.terms(row.request), row.status));
    if (auto whose = live_.find(row.request);
        whose != live_.end() && whose->second.works == 0)
      close(row.request);
  }

  /// Nothing of the request is to be written any more but what its program
  /// says at its end.
  void close(request_id id) {
    if constexpr (hears_requests<P>)
      heed("request_closed",
           [&] { program_.request_closed(intake_.terms(id), status_of(id)); });
    news();
  }

  void add_news(const std::optional<work_id>& about) {
    if constexpr (has_news<P>) {
      if (!desk_.is_there())
        return;
      for (auto& event : program_.take_news()) {
        auto& fact = *desk_.add().mutable_event();
        if (about && event.has_agent_done())
          *fact.mutable_about() = to_wire(*about);
        *fact.mutable_event() = std::move(event);
      }
    } else {
      static_cast<void>(about);
    }
  }

  P& program_;
  core_type& core_;
  intake<P>& intake_;
  journal_desk& desk_;
  std::unordered_map<request_id, requests, id_hash> live_;
  std::unordered_map<std::string, request_id> called_;
};

} // namespace turnstile
