#pragma once

#include "actors/journal/lost_work.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "actors/scheduler/intake.hpp"
#include "core/turn/guarded.hpp"
#include "core/turn/scheduler.hpp"
#include "messages/translate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// A request that is being read from a journal, page by page. Until its last
/// page nothing of it is in the core.
template <hosted_program P>
class restoring {
public:
  using state_type = typename P::state_type;

  /// All three must outlive it.
  restoring(P& program, intake<P>& intake, const wall_clock& wall)
    : program_(&program), intake_(&intake), wall_(&wall) {}

  /// Takes the next page.
  status take(wire::History&& page, instant now) {
    if (!opened_) {
      if (page.opened().is_volatile())
        return fail(errc::no_codec,
                    "the journal cannot bring request "
                      + std::to_string(page.opened().request().value())
                      + " back: its program has no codec for its state");
      if (page.has_closed())
        return fail(errc::state,
                    "request " + std::to_string(page.opened().request().value())
                      + " has ended: " + page.closed().word());
      opened_ = page.opened();
      if (page.has_state())
        state_ = page.state();
      auto terms =
        intake_->read_terms(opened_->terms(), wall_->at(opened_->at_unix_ns()));
      if (!terms)
        return fail(terms.error());
      terms_.emplace(std::move(*terms));
    }
    for (auto& work : *page.mutable_works())
      if (auto taken = take_work(std::move(work), now); !taken)
        return taken;
    return {};
  }

  /// Puts the request into core and intake. @pre its last page was taken
  result<std::vector<work_id>> finish(scheduler<core_program<P>>& core) {
    auto id = from_wire(opened_->request(), "OpenedFact.request");
    if (!id)
      return fail(id.error());
    auto state = make_state();
    if (!state)
      return fail(state.error());
    if (auto done =
          core.restore_request(*id, opened_->life(), std::move(*state));
        !done)
      return fail(done.error());
    intake_->open(*id, std::move(*terms_));
    std::vector<work_id> live;
    for (auto& one : works_) {
      if (!one.work) {
        static_cast<void>(core.restore_end(*id, one.how, one.lifecycle));
        continue;
      }
      auto options = options_of(*one.work);
      intake_->date(one.work->work, options);
      auto queued = core.restore_work(*id, std::move(one.work->work),
                                      one.work->past.submissions, options);
      if (!queued)
        return fail(queued.error());
      live.push_back(*queued);
      if (one.work->past.lost)
        lost_.push_back(*queued);
    }
    return live;
  }

  [[nodiscard]] const wire::OpenedFact& opened() const { return *opened_; }

  /// Of what `finish` queued, works whose last attempt ended unknown.
  [[nodiscard]] const std::vector<work_id>& lost() const { return lost_; }

private:
  struct live_work {
    hosted_work<P> work;
    past_of_work past;
    wire::AcceptedFact accepted;
  };

  struct one_work {
    std::unique_ptr<live_work> work; ///< Null: it has ended.
    work_end how = work_end::committed;
    work_lifecycle lifecycle = work_lifecycle::committed;
  };

  struct applied {
    std::uint64_t place = 0;
    result_of_program<P> outcome;
  };

  status take_work(wire::WorkHistory&& history, instant now) {
    if (!history.has_ended_as_kept()) {
      auto id = next_work(history.accepted().work_id());
      return id ? take_live(*id, std::move(history), now) : fail(id.error());
    }
    if (!ended_.ParseFromString(history.ended_as_kept()))
      return fail(errc::journal_damaged,
                  "a work in the journal has ended, but not with an EndedFact");
    auto id = next_work(ended_.work_id());
    return id ? take_ended(*id, std::move(history), ended_) : fail(id.error());
  }

  result<work_id> next_work(const wire::WorkId& which) const {
    auto id = from_wire(which, "WorkHistory.work_id");
    if (id && id->sequence != works_.size())
      return fail(errc::journal_damaged,
                  "work " + std::to_string(works_.size()) + " of request "
                    + to_string(id->request) + " is missing in the journal");
    return id;
  }

  status take_ended(const work_id& id, wire::WorkHistory&& history,
                    const wire::EndedFact& ended) {
    auto lifecycle = from_wire(ended.lifecycle(), "EndedFact.lifecycle");
    if (!lifecycle)
      return fail(lifecycle.error());
    if (is_lost(ended))
      return take_lost(id);
    one_work one;
    one.lifecycle = *lifecycle;
    const auto committed = *lifecycle == work_lifecycle::committed;
    one.how = committed             ? work_end::committed
              : ended.has_failure() ? work_end::failed
              : ended.dropped() == wire::DROP_REASON_RECLAIMED
                ? work_end::reclaimed
              : ended.ran() ? work_end::released
                            : work_end::discarded;
    works_.push_back(std::move(one));
    past_of_ended<P> past;
    past.id = id;
    past.name = std::move(*history.mutable_accepted()->mutable_name());
    past.committed = committed;
    if (ended.has_outcome()
        && !past.outcome.emplace().ParseFromString(ended.outcome()))
      return fail(errc::journal_damaged, "the outcome of work " + to_string(id)
                                           + " is no "
                                           + past.outcome->GetTypeName());
    if constexpr (restores_works<P>) {
      auto told = caught(errc::journal_damaged, "restore_ended", [&] {
        return program_->restore_ended(*terms_, past);
      });
      if (!told)
        return told;
    }
    if constexpr (replaying_state<state_type>)
      if (committed && past.outcome)
        applied_.push_back({history.place(), *std::move(past.outcome)});
    return {};
  }

  /// Takes a work that a repair of the journal could not save. Whoever hands
  /// works in again that have no end yet, as runs of agents do, is none the
  /// worse for it; a state that replays its outcomes alone would lack one.
  status take_lost(const work_id& id) {
    if constexpr (replaying_state<state_type> && !restores_works<P>)
      return fail(errc::journal_damaged,
                  "what became of work " + to_string(id)
                    + " was lost from the journal, so the state of its request "
                      "cannot be made again");
    one_work one;
    one.how = work_end::failed;
    one.lifecycle = work_lifecycle::failed;
    works_.push_back(std::move(one));
    return {};
  }

  status take_live(const work_id& id, wire::WorkHistory&& history,
                   instant now) {
    auto read = std::make_unique<live_work>();
    if (!read->work.message.ParseFromString(history.accepted().payload()))
      return fail(errc::journal_damaged, "work " + to_string(id)
                                           + " in the journal is no "
                                           + read->work.message.GetTypeName());
    auto& past = read->past;
    past.id = id;
    past.accepted = wall_->at(history.accepted().at_unix_ns());
    past.submissions = history.submissions();
    past.attempts = history.attempts();
    past.lost = history.executing();
    past.backend = history.backend();
    if constexpr (restores_works<P>) {
      auto decided = caught(errc::journal_damaged, "restore", [&] {
        return program_->restore(*terms_, read->work.message,
                                 read->work.attempts, past, now, *wall_);
      });
      if (!decided)
        return fail(decided.error());
      if (*decided)
        read->work.decided =
          std::make_unique<result_of_program<P>>(std::move(**decided));
    } else {
      static_cast<void>(now);
    }
    read->accepted = std::move(*history.mutable_accepted());
    read->accepted.clear_payload();
    one_work one;
    one.work = std::move(read);
    works_.push_back(std::move(one));
    return {};
  }

  result<state_type> initial_state() {
    return caught(errc::journal_damaged, "make_state",
                  [&] { return program_->make_state(opened_->terms()); });
  }

  result<state_type> make_state() {
    if constexpr (replaying_state<state_type>) {
      auto state = initial_state();
      if (!state)
        return state;
      std::sort(applied_.begin(), applied_.end(),
                [](const auto& a, const auto& b) { return a.place < b.place; });
      for (auto& one : applied_) {
        auto done = caught(errc::journal_damaged, "replay", [&]() -> status {
          auto branch = state->branch();
          if (!branch)
            return fail(branch.error());
          if (auto put = apply(*branch, std::move(one.outcome)); !put)
            return put;
          return state->commit_branch(std::move(*branch));
        });
        if (!done)
          return fail(done.error());
      }
      return state;
    } else if constexpr (restorable_state<state_type>) {
      if (!state_)
        return initial_state();
      return caught(errc::journal_damaged, "decode",
                    [&] { return state_type::decode(*state_); });
    } else {
      return fail(errc::no_codec, "the program's states have no codec");
    }
  }

  /// Gives an outcome that nobody else wants to the state, which may take it.
  template <class Branch, class Outcome>
  static status apply(Branch& branch, Outcome&& outcome) {
    if constexpr (requires { state_type::apply(branch, std::move(outcome)); })
      return state_type::apply(branch, std::move(outcome));
    else
      return state_type::apply(branch, outcome);
  }

  work_options options_of(const live_work& work) const {
    const auto& policy = intake_->deadlines();
    work_options options;
    options.policy = policy;
    if (!work.accepted.has_due_unix_ns())
      return options;
    wire::Deadline as_given;
    as_given.set_scope(work.accepted.scope());
    as_given.set_enforcement(work.accepted.enforcement());
    if (auto read = from_wire(as_given, instant{}, policy, "AcceptedFact"))
      options = *read;
    options.deadline = wall_->at(work.accepted.due_unix_ns());
    return options;
  }

  P* program_;
  intake<P>* intake_;
  const wall_clock* wall_;
  std::optional<wire::OpenedFact> opened_;
  std::optional<std::string> state_;
  std::optional<terms_of_program<P>> terms_;
  std::vector<one_work> works_;
  wire::EndedFact ended_; ///< Of the work at hand, so that it is made once.
  std::vector<applied> applied_;
  std::vector<work_id> lost_;
};

} // namespace turnstile
