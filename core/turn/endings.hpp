#pragma once

#include "core/turn/guarded.hpp"
#include "core/turn/outcome.hpp"
#include "core/turn/poison_latch.hpp"
#include "core/turn/value_store.hpp"
#include "core/work/report.hpp"
#include "core/work/work_book.hpp"

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// How works and requests end. Whatever the reason, a work ends only in
/// `end_work`, and a request only in `retire`; nothing else may end one.
///
/// An end that has to be durable first is held: the work then is `completing`,
/// gives its slot back, and its row comes out of `tell_durable`, in the order
/// in which things happened in memory.
///
/// Invariant: the values of a work and its place in the book agree: there is a
/// branch from `prepared` until the work's end or requeue.
template <program P>
class endings {
public:
  using work_type = typename P::work_type;
  using state_type = typename P::state_type;
  using branch_type = typename P::state_type::branch_type;
  using output_type = typename P::output_type;
  using outcome_type = outcome_of<P>;
  using turn = turn_outcome<P>;

protected:
  explicit endings(const scheduler_settings& settings) : book_(settings) {}

  // --- asking the user's values

  static bool permits_parallel(const state_type& state) {
    if constexpr (parallel_state<state_type>)
      return asked(false, [&] { return state.permits_parallel_branches(); });
    else
      return false;
  }

  static bool wants_order(const state_type& state) {
    if constexpr (ordered_state<state_type>)
      return asked(true, [&] { return state.ordered_commits(); });
    else
      return false;
  }

  /// Rolls the work's branch back, if it has one.
  status discard(work_slot slot) {
    auto& values = values_[slot];
    auto answer = status{};
    if (values.branch)
      if constexpr (discarding_state<state_type>)
        answer = guarded(errc::state, "discard_branch", [&] {
          return state_type::discard_branch(std::move(*values.branch));
        });
    values.branch.reset();
    if (!answer)
      answer.error().detail =
        "the branch of work " + to_string(book_[slot].id)
        + " could not be discarded: " + answer.error().detail;
    return answer;
  }

  /// Rolls the branch of a work back that fails because of `why`, which also
  /// tells if that went wrong.
  void discard_after(failure& why, work_slot slot) {
    if (auto rolled_back = discard(slot); !rolled_back)
      why.detail += "; " + rolled_back.error().detail;
  }

  /// Asks a request's state what it permits now.
  void ask_permissions(request_slot slot) {
    const auto& state = values_.state(slot);
    book_.permit(slot, permits_parallel(state), wants_order(state));
  }

  /// The bucket of a work that ends while it is queued or prepared: it may
  /// have run before and have been queued again.
  [[nodiscard]] work_end unsubmitted_end(work_slot slot) const {
    return book_[slot].submissions > 0 ? work_end::released
                                       : work_end::discarded;
  }

  // --- works

  /// Ends a work and tells it, now or once it is durable.
  void end_work(work_slot slot, work_end how, work_lifecycle lifecycle,
                drop_reason reason, std::optional<failure> why, turn& out) {
    if (book_.settings().hold_until_durable) {
      values_[slot].why = std::move(why);
      add_fact(slot, how, lifecycle, reason, out);
      held_.push_back({++facts_,
                       slot,
                       how,
                       lifecycle,
                       reason,
                       request_slot::none,
                       request_status::active,
                       {}});
      book_.hold(slot);
      return;
    }
    tell_work(slot, how, lifecycle, reason, std::move(why), out);
  }

  void end_failed(work_slot slot, failure why, turn& out) {
    end_work(slot, work_end::failed, work_lifecycle::failed,
             drop_reason::released, std::move(why), out);
  }

  /// Ends a work that can no longer publish. A branch that cannot be rolled
  /// back makes it a failed one, and with it its request if that is active.
  void end_dropped(work_slot slot, work_end how, work_lifecycle lifecycle,
                   drop_reason reason, instant now, turn& out) {
    if (auto rolled_back = discard(slot); !rolled_back)
      fail_with_request(slot, std::move(rolled_back.error()), now, out);
    else
      end_work(slot, how, lifecycle, reason, std::nullopt, out);
  }

  /// Ends a work as failed, and with it its request if that is active.
  void fail_with_request(work_slot slot, failure why, instant now, turn& out) {
    const auto owner = book_[slot].owner;
    end_failed(slot, why, out);
    if (book_[owner].status == request_status::active)
      retire(owner, request_status::failed, std::move(why), now, out);
  }

  // --- requests

  /// Ends a request: the only way in which one ends. Works that a backend has
  /// stay retained until their exact completion; all others end with it.
  void retire(request_slot slot, request_status how, std::optional<failure> why,
              instant now, turn& out) {
    std::vector<work_slot> live;
    book_.live_works(slot, live);
    const auto by_cancel = how == request_status::cancelled
                           || how == request_status::deadline_exceeded;
    const auto by_failure = how == request_status::failed;
    for (auto work : live) {
      const auto place = book_[work].place;
      if (is_retained(place) || place == work_place::held)
        continue;
      if (is_running(place)) {
        if (by_cancel)
          book_.counts().cancel_after_submission();
        abandon(work, now, out);
        continue;
      }
      if (by_cancel && place != work_place::completing)
        book_.counts().cancel_before_submission();
      if (auto rolled_back = discard(work); !rolled_back) {
        auto& cause = rolled_back.error();
        if (latch_.is_set())
          latch_.add(cause.detail);
        end_failed(work, cause, out);
        if (how != request_status::failed) {
          how = request_status::failed;
          why = std::move(cause);
        }
      } else if (place == work_place::completing) {
        end_work(work, work_end::released, work_lifecycle::abandoned,
                 drop_reason::released, std::nullopt, out);
      } else {
        const auto fails =
          by_failure && (place != work_place::prepared || latch_.is_set());
        end_work(work, unsubmitted_end(work),
                 fails ? work_lifecycle::failed : work_lifecycle::abandoned,
                 drop_reason::with_request, std::nullopt, out);
      }
    }
    const auto& record = book_[slot];
    typename turn::ended_row row{record.id, record.life, how, std::move(why)};
    const auto held = book_.settings().hold_until_durable;
    book_.end_request(slot, how, held);
    if (held) {
      held_.push_back({++facts_, work_slot::none, work_end::committed,
                       work_lifecycle::committed, drop_reason::with_request,
                       slot, how, std::move(row.why)});
      const auto& cause = held_.back().why;
      out.facts.push_back({facts_, record.id, record.life, std::nullopt,
                           work_lifecycle::committed, how, std::nullopt,
                           nullptr, nullptr, cause ? &*cause : nullptr});
    } else {
      out.ended.push_back(std::move(row));
    }
  }

  /// Takes the right to publish from a submitted work.
  void abandon(work_slot slot, instant now, turn& out) {
    refresh_resources(slot);
    book_.abandon(slot, now);
    out.abandoned.push_back({book_[slot].id});
  }

  void refresh_resources(work_slot slot) {
    if (const auto& output = values_[slot].output)
      book_.set_resources(slot,
                          asked<std::uint64_t>(book_[slot].resources, [&] {
                            return output->retained_resources();
                          }));
  }

  // --- publishing

  /// Publishes a work whose execution succeeded. Returns why it could not, if
  /// that fails its request.
  std::optional<failure> commit(work_slot slot, turn& out) {
    auto& values = values_[slot];
    auto& work = book_.edit(slot);
    const auto owner = work.owner;
    if (auto done = publish(slot, values); !done) {
      if (done.error().code == errc::conflict)
        return resolve_conflict_of(slot, std::move(done.error()), out);
      if (!commits_wait_)
        return std::move(done.error());
      discard_after(done.error(), slot);
      set_aside(slot, std::move(done.error()));
      return std::nullopt;
    }
    values.branch.reset();
    ++book_.edit(owner).commits;
    if (commits_wait_)
      set_aside(slot, std::nullopt);
    else
      end_committed(slot, out);
    ask_permissions(owner);
    return std::nullopt;
  }

  void end_committed(work_slot slot, turn& out) {
    end_work(slot, work_end::committed, work_lifecycle::committed,
             drop_reason::released, std::nullopt, out);
  }

  /// Keeps a commit to itself until all ranks are known to have made it.
  void set_aside(work_slot slot, std::optional<failure> why) {
    tried_.push_back({book_[slot].id, std::move(why)});
    book_.hold(slot);
  }

  /// As `resolve_conflict`, and tells the other ranks if they have to agree.
  std::optional<failure> resolve_conflict_of(work_slot slot, failure why,
                                             turn& out) {
    const auto id = book_[slot].id;
    auto note = why;
    auto failed = resolve_conflict(slot, std::move(why), out);
    if (!commits_wait_)
      return failed;
    if (failed)
      set_aside(slot, std::move(failed));
    else
      tried_.push_back({id, std::move(note)});
    return std::nullopt;
  }

  std::optional<failure> resolve_conflict(work_slot slot, failure why,
                                          turn& out) {
    auto& work = book_.edit(slot);
    const auto again = work.conflicts < book_.settings().max_conflicts;
    if (auto rolled_back = discard(slot); !rolled_back)
      return std::move(rolled_back.error());
    if (!again) {
      end_failed(slot, std::move(why), out);
      return std::nullopt;
    }
    ++work.conflicts;
    value_store<P>::drop_submission(values_[slot]);
    book_.requeue(slot, std::nullopt);
    out.requeued.push_back({work.id});
    return std::nullopt;
  }

  // --- durability

  /// Tells everything up to and including `position`.
  void tell_durable(std::uint64_t position, turn& out) {
    while (!held_.empty() && held_.front().position <= position) {
      auto end = std::move(held_.front());
      held_.pop_front();
      if (end.work != work_slot::none) {
        tell_work(end.work, end.how, end.lifecycle, end.reason,
                  std::move(values_[end.work].why), out);
        continue;
      }
      book_.end_told(end.request);
      const auto& record = book_[end.request];
      out.ended.push_back(
        {record.id, record.life, end.status, std::move(end.why)});
    }
  }

  /// Drops what retention no longer wants to keep. Poison keeps everything.
  void trim() {
    if (latch_.is_set())
      return;
    while (auto surplus = book_.oldest_surplus_state()) {
      values_.drop_state(*surplus);
      book_.state_taken(*surplus);
    }
    while (auto surplus = book_.oldest_surplus_request()) {
      values_.drop_state(*surplus);
      book_.drop(*surplus);
    }
  }

  /// Puts what a completion carried into the branch, once.
  static status apply(work_values<P>& values) requires applying_program<P> {
    if (!values.outcome || values.applied)
      return {};
    values.applied = true;
    return guarded(errc::state, "apply", [&] {
      return state_type::apply(*values.branch, *values.outcome);
    });
  }

  /// A commit that the other ranks have to have made before it is told. Its
  /// work is `held`, unless it was a conflict.
  struct tried_commit {
    work_id id;
    std::optional<failure> why; ///< Nothing: this rank has made it.

    /// Whether it was a conflict, which has been resolved: the work is queued
    /// again, or has failed alone.
    [[nodiscard]] bool conflicted() const {
      return why && why->code == errc::conflict;
    }
  };

  work_book book_;
  value_store<P> values_;
  poison_latch latch_;
  std::vector<tried_commit> tried_;
  bool commits_wait_ = false; ///< Until the ranks have agreed on them.

private:
  struct held_end {
    std::uint64_t position = 0;
    work_slot work = work_slot::none;
    work_end how = work_end::committed;
    work_lifecycle lifecycle = work_lifecycle::committed;
    drop_reason reason = drop_reason::released;
    request_slot request = request_slot::none;
    request_status status = request_status::active;
    std::optional<failure> why;
  };

  status publish(work_slot slot, work_values<P>& values) {
    auto& state = values_.state(book_[slot].owner);
    if constexpr (applying_program<P>) {
      if (auto applied = apply(values); !applied)
        return applied;
    }
    auto done = guarded(
      errc::state, "commit_branch",
      [&] {
        if constexpr (conflict_aware_state<state_type>) {
          const auto& work = book_[slot];
          return state.commit_branch(std::move(*values.branch),
                                     book_[work.owner].commits
                                       - work.base_commits);
        } else {
          return state.commit_branch(std::move(*values.branch));
        }
      },
      conflict_aware_state<state_type>);
    if (!done && done.error().code != errc::conflict)
      values.branch.reset(); // It was given away: not to be discarded, too.
    return done;
  }

  void add_fact(work_slot slot, work_end how, work_lifecycle lifecycle,
                drop_reason reason, turn& out) {
    const auto& id = book_[slot].id;
    const auto& values = values_[slot];
    const auto published = how == work_end::committed;
    std::optional<drop_reason> dropped;
    if (!published && how != work_end::failed)
      dropped = reason;
    out.facts.push_back(
      {facts_ + 1, id.request, id.life, id.sequence, lifecycle,
       request_status::active, dropped, &*values.work,
       published && values.outcome ? &*values.outcome : nullptr,
       values.why ? &*values.why : nullptr});
  }

  void tell_work(work_slot slot, work_end how, work_lifecycle lifecycle,
                 drop_reason reason, std::optional<failure> why, turn& out) {
    auto& values = values_[slot];
    const auto& work = book_[slot];
    if (how == work_end::committed)
      out.committed.push_back({work.id, std::move(*values.work),
                               std::move(values.output),
                               std::move(values.outcome), work.late});
    else if (how == work_end::failed)
      out.failed.push_back({work.id, std::move(*why), std::move(*values.work)});
    else
      out.dropped.push_back(
        {work.id, reason, lifecycle, std::move(*values.work)});
    values_.drop_work(slot);
    book_.end(slot, how, lifecycle);
  }

  std::deque<held_end> held_;
  std::uint64_t facts_ = 0;
};

} // namespace turnstile
