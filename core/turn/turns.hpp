#pragma once

#include "core/turn/endings.hpp"

#include <algorithm>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// One submission, as the executor sees it.
struct submission {
  work_id id;
  std::uint32_t number = 1;          ///< Which try of this work; from 1.
  instant deadline = instant::max(); ///< max: none.
};

/// Hands a work to its backend: called once per submission with the work and
/// its branch, which it may change (decision T18). May fail or throw: the work
/// and its request fail.
template <class F, class P>
concept executor = program<P> && requires(
  F& execute, const submission& what, const typename P::work_type& work,
  typename P::state_type::branch_type& branch) {
  {
    execute(what, work, branch)
    } -> std::same_as<result<typename P::output_type>>;
};

/// The steps of a turn, one by one: expire, settle what completed, prepare,
/// submit. Each says what it did in the outcome it is given.
template <program P>
class turns : protected endings<P> {
public:
  using typename endings<P>::work_type;
  using typename endings<P>::state_type;
  using typename endings<P>::branch_type;
  using typename endings<P>::output_type;
  using typename endings<P>::outcome_type;
  using typename endings<P>::turn;

protected:
  using endings<P>::book_;
  using endings<P>::values_;
  using endings<P>::latch_;
  using endings<P>::tried_;

  explicit turns(const scheduler_settings& settings) : endings<P>(settings) {}

  // --- time

  /// Ends or abandons everything whose deadline is due, and wakes up what was
  /// put off until now.
  void expire(instant now, turn& out) {
    expire(take_expired(now), now, out);
    wake_due(now, out);
  }

  /// Takes due deadlines out of their index and returns whose they were.
  std::vector<work_id> take_expired(instant now) {
    std::vector<work_slot> slots;
    book_.take_expired(now, slots);
    std::vector<work_id> ids;
    ids.reserve(slots.size());
    for (auto slot : slots)
      ids.push_back(book_[slot].id);
    return ids;
  }

  void expire(const std::vector<work_id>& due, instant now, turn& out) {
    std::vector<request_slot> owners;
    for (const auto& id : due)
      if (auto slot = book_.find(id)) { // its request may have ended meanwhile
        owners.push_back(book_[*slot].owner);
        expire_one(*slot, now, out);
      }
    commit_ready(owners, now, out);
  }

  /// Ends or abandons one work that a caller does not want any more. Its
  /// siblings go on. @pre it may still publish
  void cancel_one(work_slot slot, instant now, turn& out) {
    const auto owner = book_[slot].owner;
    drop_alone(slot, drop_reason::cancelled, now, out);
    commit_ready(std::vector{owner}, now, out);
  }

  /// Queues requeued works that are due, and looks after retained ones.
  void wake_due(instant now, turn& out) {
    std::vector<work_slot> due;
    book_.take_due(now, due);
    std::vector<work_slot> retained;
    // The last to come to the front is the first there.
    for (auto slot = due.rbegin(); slot != due.rend(); ++slot)
      if (book_[*slot].place == work_place::delayed)
        book_.undelay(*slot);
      else
        retained.push_back(*slot);
    for (auto slot = retained.rbegin(); slot != retained.rend(); ++slot)
      watch(*slot, now, out); // may end a request, but no retained sibling
  }

  // --- completions

  /// Asks every polled output, and settles all that was seen since.
  void settle(instant now, turn& out) {
    look();
    auto done = std::move(scratch_); // its memory is used again
    done.clear();
    take_observed(done);
    settle(done, {}, true, now, out);
    scratch_ = std::move(done);
  }

  /// Notes what a backend said of a submitted work. The next settlement, or
  /// the next agreement of the ranks, makes something of it.
  void note(work_slot slot, observation seen, std::optional<failure>&& why) {
    auto& work = book_.edit(slot);
    if (work.seen != observation::incomplete)
      return; // The first word counts.
    work.seen = seen;
    values_[slot].why = std::move(why);
    observed_.push_back(work.id);
  }

  /// Commits the successes in the order of their submission, then resolves the
  /// failures, together with those that are known already, then releases what
  /// can publish no more (decision T2). With `expires`, works that missed their
  /// commit are among the last; ranks have agreed on that before.
  void settle(const std::vector<work_slot>& done,
              std::vector<std::pair<work_slot, failure>> failures, bool expires,
              instant now, turn& out) {
    std::vector<work_id> last;
    auto* missed = expires ? &last : nullptr;
    for (auto slot : done) {
      note_late(slot, now);
      const auto place = book_[slot].place;
      if (place == work_place::failed_in_flight)
        failures.emplace_back(slot, failed_somewhere(slot));
      else if (is_abandoned(place) || (expires && missed_commit(slot, now)))
        last.push_back(book_[slot].id);
      else if (book_[slot].seen == observation::failed)
        failures.emplace_back(slot, take_why(slot));
      else
        complete(slot, failures, missed, now, out);
    }
    resolve_failures(failures, now, out);
    for (std::size_t i = 0; i < last.size(); ++i) // may grow meanwhile
      settle_last(work_id{last[i]}, missed, now, out);
  }

  // --- preparing and submitting

  /// Tries to cut a branch for up to `limit` works, one request after the
  /// other. A try that fails counts, too, so that a turn stays bounded. With
  /// `defer_failures` such a work stays among the prepared ones, without a
  /// branch, until all ranks know of it.
  void prepare(std::uint64_t limit, bool defer_failures, instant now,
               turn& out) {
    for (std::uint64_t tries = 0; tries < limit; ++tries) {
      auto slot = book_.take_turn();
      if (!slot)
        return;
      if (book_[*slot].place == work_place::regaining)
        continue;
      if (auto branched = prepare_one(*slot); branched)
        ++out.prepared;
      else if (defer_failures)
        values_[*slot].why = std::move(branched.error());
      else
        this->fail_with_request(*slot, std::move(branched.error()), now, out);
    }
  }

  /// Gives slots to prepared works and hands them to their backends, in as many
  /// tries as the backends have room. With `defer_failures` a submission that
  /// was refused keeps its slot until all ranks know of it.
  template <executor<P> Execute>
  void submit(instant now, Execute& execute, bool defer_failures, turn& out) {
    const auto capacity = book_.room();
    bool submitted = false;
    for (std::uint64_t tries = 0; tries < capacity; ++tries) {
      const auto slot = book_.first_prepared();
      if (slot == work_slot::none)
        break;
      if (book_[slot].place == work_place::regaining) {
        book_.submit(slot);
        out.resumed.push_back({book_[slot].id, book_[slot].submissions});
        submitted = true;
      } else if (submit_one(slot, now, execute, defer_failures, out)) {
        submitted = true;
      }
    }
    if (submitted)
      book_.counts().drain_cycle();
  }

  // --- poison

  /// Ends every active request as failed and closes all verbs but looking and
  /// draining. States stay (decision T15). The first reason is kept.
  void poison(failure why, instant now, turn& out) {
    if (latch_.is_set())
      return;
    latch_.set(why.detail);
    tell_tried(out);
    std::vector<request_slot> active;
    book_.requests().for_each(
      [&](request_slot slot, const request_record& record) {
        if (record.status == request_status::active)
          active.push_back(slot);
      });
    std::sort(active.begin(), active.end(),
              [&](auto a, auto b) { return book_[a].id < book_[b].id; });
    for (auto slot : active) {
      book_.edit(slot).frozen = true;
      this->retire(slot, request_status::failed,
                   failure{errc::poisoned, why.detail}, now, out);
    }
    out.poisoned = std::move(why);
  }

  /// Tells the commits that the ranks did not come to agree on: as they went
  /// here, where what is done is done.
  void tell_tried(turn& out) {
    for (auto& commit : std::exchange(tried_, {}))
      if (auto slot = book_.find(commit.id); !slot || commit.conflicted())
        continue;
      else if (commit.why)
        this->end_failed(*slot, std::move(*commit.why), out);
      else
        this->end_committed(*slot, out);
  }

  // --- looking at backends

  /// Asks every polled output that was not seen complete yet.
  void look() {
    if constexpr (polled_output<output_type>) {
      for_each_at_backend([&](work_slot slot) {
        if (book_[slot].seen != observation::incomplete
            || !values_[slot].output)
          return;
        auto complete = guarded(errc::completion, "is_complete", [&] {
          return values_[slot].output->is_complete();
        });
        if (!complete)
          note(slot, observation::failed, std::move(complete.error()));
        else if (*complete)
          note(slot, observation::complete, std::nullopt);
        else
          this->refresh_resources(slot);
      });
    }
  }

  /// Visits what backends have, in the order of submission.
  template <class Visit>
  void for_each_at_backend(Visit&& visit) const {
    const auto& chain = book_.at_backends();
    for (auto slot = chain.first(); slot != work_slot::none;
         slot = chain.after(book_.works(), slot))
      visit(slot);
  }

  void sort_by_submission(std::vector<work_slot>& slots) const {
    std::sort(slots.begin(), slots.end(), [&](work_slot a, work_slot b) {
      return book_[a].submission_at < book_[b].submission_at;
    });
  }

  /// The work with this identity, if something was noted of its submission and
  /// not settled yet.
  [[nodiscard]] std::optional<work_slot> noted(const work_id& id) const {
    auto slot = book_.find(id);
    if (!slot || book_[*slot].seen == observation::incomplete)
      return std::nullopt;
    return is_at_backend(book_[*slot].place) ? slot : std::nullopt;
  }

  /// Takes what was noted, in the order of submission.
  void take_observed(std::vector<work_slot>& into) {
    for (const auto& id : observed_)
      if (auto slot = noted(id))
        into.push_back(*slot);
    observed_.clear();
    sort_by_submission(into);
    // A work that was requeued after it was noted may be there twice.
    into.erase(std::unique(into.begin(), into.end()), into.end());
  }

  /// Forgets what was noted of works that are settled or were requeued since.
  void prune_observed() {
    std::erase_if(observed_, [&](const work_id& id) { return !noted(id); });
  }

  /// Whether anything was noted that is not settled yet.
  [[nodiscard]] bool has_observed() const {
    return std::any_of(observed_.begin(), observed_.end(),
                       [&](const work_id& id) { return noted(id); });
  }

  void note_late(work_slot slot, instant now) {
    auto& work = book_.edit(slot);
    if (work.deadline == instant::max() || work.deadline > now)
      return;
    work.late = true;
    book_.counts().late_completion();
  }

  std::map<std::string, bool, std::less<>> backends_;
  bool all_preemptible_ = true;

private:
  /// Does what the policy of a work says of its deadline, which is due.
  void expire_one(work_slot slot, instant now, turn& out) {
    const auto& work = book_[slot];
    if (is_retained(work.place) || work.place == work_place::held)
      return; // Another end came first.
    if (work.policy.ends == deadline_policy::scope::work)
      drop_alone(slot, drop_reason::expired, now, out);
    else if (book_[work.owner].status == request_status::active)
      this->retire(
        work.owner, request_status::deadline_exceeded,
        failure{errc::deadline_exceeded,
                "the deadline of work " + to_string(work.id) + " passed"},
        now, out);
  }

  /// Ends a work that can publish no more, or not in time, and lets those go
  /// on that waited for it.
  void settle_last(const work_id& id, std::vector<work_id>* missed, instant now,
                   turn& out) {
    auto slot = book_.find(id);
    if (!slot)
      return; // It has ended with its request.
    const auto owner = book_[*slot].owner;
    expire_one(*slot, now, out);
    if (slot = book_.find(id); slot && is_abandoned(book_[*slot].place))
      release(*slot, now, out);
    std::vector<std::pair<work_slot, failure>> failures;
    commit_ready(owner, failures, missed, now, out);
    resolve_failures(failures, now, out);
  }

  /// Whether it is too late to commit the work.
  [[nodiscard]] bool missed_commit(work_slot slot, instant now) const {
    const auto& work = book_[slot];
    return work.policy.lasts == deadline_policy::until::commit
           && work.deadline <= now;
  }

  /// Ends one work, or takes its right to publish if a backend has it.
  /// @param unrun why, if it was not submitted
  void drop_alone(work_slot slot, drop_reason unrun, instant now, turn& out) {
    const auto place = book_[slot].place;
    if (is_running(place)) {
      book_.counts().cancel_after_submission();
      this->abandon(slot, now, out);
    } else if (place == work_place::completing) {
      this->end_dropped(slot, work_end::released, work_lifecycle::abandoned,
                        drop_reason::released, now, out);
    } else {
      book_.counts().cancel_before_submission();
      this->end_dropped(slot, this->unsubmitted_end(slot),
                        work_lifecycle::abandoned, unrun, now, out);
    }
  }

  /// A retained work is overdue, or has to give its slot back.
  void watch(work_slot slot, instant now, turn& out) {
    auto& work = book_.edit(slot);
    const auto& settings = book_.settings();
    const auto age = now - work.abandoned_at;
    if (settings.overdue_after && !work.told_overdue
        && age >= *settings.overdue_after) {
      work.told_overdue = true;
      out.overdue.push_back({work.id, age});
    }
    if (settings.reclaim_after && age >= *settings.reclaim_after)
      this->end_dropped(slot, work_end::reclaimed, work_lifecycle::abandoned,
                        drop_reason::reclaimed, now, out);
    else
      book_.watch_retained(slot);
  }

  failure take_why(work_slot slot) {
    auto why = std::exchange(values_[slot].why, std::nullopt);
    return why ? std::move(*why)
               : failure{errc::completion, "the execution failed"};
  }

  failure failed_somewhere(work_slot slot) {
    failure why{errc::distributed_completion,
                "the execution failed on at least one rank"};
    if (auto here = std::exchange(values_[slot].why, std::nullopt))
      why.detail += "; here: " + here->detail;
    return why;
  }

  /// The backend of a work that could not publish any more has let it go.
  void release(work_slot slot, instant now, turn& out) {
    if (is_abandoned(book_[slot].place))
      book_.counts().released_after(now - book_[slot].abandoned_at);
    values_[slot].why.reset();
    this->end_dropped(slot, work_end::released, work_lifecycle::abandoned,
                      drop_reason::released, now, out);
  }

  void complete(work_slot slot,
                std::vector<std::pair<work_slot, failure>>& failures,
                std::vector<work_id>* missed, instant now, turn& out) {
    const auto owner = book_[slot].owner;
    if (book_[owner].ordered && book_[owner].publishable.first() != slot) {
      book_.wait_for_siblings(slot);
      return;
    }
    if (auto why = this->commit(slot, out))
      failures.emplace_back(slot, std::move(*why));
    else
      commit_ready(owner, failures, missed, now, out);
  }

  /// Lets those commit that waited for what these requests have just lost.
  void commit_ready(const std::vector<request_slot>& owners, instant now,
                    turn& out) {
    std::vector<std::pair<work_slot, failure>> failures;
    for (auto owner : owners)
      commit_ready(owner, failures, nullptr, now, out);
    resolve_failures(failures, now, out);
  }

  /// Commits the completing works that no earlier sibling keeps waiting. Stops
  /// at one that fails and, unless `missed` is null, at one that it is too late
  /// for.
  void commit_ready(request_slot owner,
                    std::vector<std::pair<work_slot, failure>>& failures,
                    std::vector<work_id>* missed, instant now, turn& out) {
    for (auto next = book_[owner].publishable.first();
         next != work_slot::none && book_[next].place == work_place::completing;
         next = book_[owner].publishable.first()) {
      if (missed != nullptr && missed_commit(next, now)) {
        missed->push_back(book_[next].id);
        return;
      }
      if (auto why = this->commit(next, out)) {
        failures.emplace_back(next, std::move(*why));
        return;
      }
    }
  }

  /// Ends the works that failed, then their requests.
  void resolve_failures(std::vector<std::pair<work_slot, failure>>& failures,
                        instant now, turn& out) {
    std::stable_sort(
      failures.begin(), failures.end(), [&](const auto& a, const auto& b) {
        return book_[a.first].submission_at < book_[b.first].submission_at;
      });
    std::vector<std::pair<request_slot, failure>> doomed;
    for (auto& [slot, why] : failures) {
      const auto owner = book_[slot].owner;
      this->discard_after(why, slot);
      doomed.emplace_back(owner, why);
      this->end_failed(slot, std::move(why), out);
    }
    for (auto& [owner, why] : doomed)
      if (book_[owner].status == request_status::active)
        this->retire(owner, request_status::failed, std::move(why), now, out);
  }

  status prepare_one(work_slot slot) {
    auto& values = values_[slot];
    if constexpr (sliced_work<work_type>) {
      const auto slice = guarded(errc::descriptor, "execution_slice_size",
                                 [&]() -> result<std::uint64_t> {
                                   return values.work->execution_slice_size();
                                 });
      if (!slice)
        return turnstile::fail(slice.error());
      const auto bound = book_.settings().limits.execution_slice;
      if (*slice == 0 || *slice > bound)
        return turnstile::fail(errc::descriptor,
                               "work " + to_string(book_[slot].id) + " needs "
                                 + std::to_string(*slice)
                                 + " operations; execution_slice permits 1 to "
                                 + std::to_string(bound));
    }
    values.descriptor.clear();
    auto described = guarded(errc::descriptor, "encode_descriptor", [&] {
      return values.work->encode_descriptor(values.descriptor);
    });
    if (!described)
      return described;
    const auto& state = std::as_const(values_).state(book_[slot].owner);
    auto branch =
      guarded(errc::state, "branch", [&] { return state.branch(); });
    if (!branch)
      return turnstile::fail(std::move(branch.error()));
    values.branch.emplace(std::move(*branch));
    return {};
  }

  template <executor<P> Execute>
  bool submit_one(work_slot slot, instant now, Execute& execute,
                  bool defer_failures, turn& out) {
    auto& values = values_[slot];
    const auto& work = book_[slot];
    const submission what{work.id, work.submissions + 1, work.deadline};
    auto output = guarded(errc::submission, "the executor", [&] {
      return execute(what, *values.work, *values.branch);
    });
    if (output) {
      values.output.emplace(std::move(*output));
      see_backend(*values.output);
      book_.submit(slot);
      this->refresh_resources(slot);
      out.submitted.push_back({what.id, what.number});
      return true;
    }
    auto why = std::move(output.error());
    if (defer_failures) {
      book_.submit(slot);
      note(slot, observation::failed, std::move(why));
      return true;
    }
    this->discard_after(why, slot);
    this->fail_with_request(slot, std::move(why), now, out);
    return false;
  }

  void see_backend(const output_type& output) {
    bool preemptible = false;
    if constexpr (preemptible_output<output_type>)
      preemptible =
        asked(false, [&] { return output.physically_preemptible(); });
    all_preemptible_ = all_preemptible_ && preemptible;
    if constexpr (named_output<output_type>)
      asked(false,
            [&] { return remember(output.backend_name(), preemptible); });
  }

  /// Remembers what a backend said last. Returns whether it has a name.
  bool remember(const std::string& name, bool preemptible) {
    if (name.empty())
      return false;
    if (auto known = backends_.find(name); known != backends_.end())
      known->second = preemptible;
    else
      backends_.emplace(name, preemptible);
    return true;
  }

  std::vector<work_id> observed_;
  std::vector<work_slot> scratch_;
};

} // namespace turnstile
