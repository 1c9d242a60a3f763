#pragma once

#include "core/turn/group_turns.hpp"
#include "core/work/hold.hpp"
#include "core/work/work_options.hpp"

#include <algorithm>
#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// What a backend says at the end of one submission.
template <program P>
using completion_of = result<outcome_of<P>>;

/// A fair transactional scheduler: requests own canonical state, works are
/// transitions of it that are queued, prepared, submitted, completed exactly,
/// and then committed or discarded.
///
/// It is told what happened and what time it is, and answers with what was
/// done. It knows no thread, clock or backend: the executor that a turn is
/// given hands works out, and completions come back by `observe`, `complete`
/// or, for outputs that can be asked, by polls. Every verb costs O(1) or
/// O(log n) for each work it touches, however many others there are.
///
/// A verb that is refused changes nothing and says why: `errc::poisoned` and
/// `errc::turn_in_progress` (see `resume_turn`) for every verb that changes
/// something, beside what it documents itself.
///
/// Not thread-safe: one actor owns it.
template <program P>
class scheduler : private group_turns<P> {
public:
  using typename turns<P>::work_type;
  using typename turns<P>::state_type;
  using typename turns<P>::branch_type;
  using typename turns<P>::output_type;
  using typename turns<P>::outcome_type;
  using typename group_turns<P>::command;
  using outcome = turn_outcome<P>;
  using completion = completion_of<P>;

  /// Makes an empty scheduler, or says which limit is zero.
  static result<scheduler> create(const scheduler_settings& settings = {}) {
    if (auto valid = validate(settings.limits); !valid)
      return fail(valid.error());
    return scheduler{settings};
  }

  // --- requests

  /// Whether `id` could be registered now: `duplicate_request` (active or
  /// remembered as ended) or `capacity`.
  [[nodiscard]] status validate_registration(request_id id) const {
    if (auto may = may_change(); !may)
      return may;
    return book_.may_begin(id);
  }

  /// Registers a request with its canonical state. On refusal `state` is left
  /// to the caller.
  status register_request(request_id id, state_type&& state) {
    if (auto may = validate_registration(id); !may)
      return may;
    book_.begin_verb();
    this->begin_request(id, std::move(state));
    return {};
  }

  /// Takes a request up again that an earlier scheduler had: with its life and
  /// the state that it had come to. Its works follow, each once and in the
  /// order of their sequence, before any other verb touches it. On refusal
  /// (as `register_request`) `state` is left to the caller.
  status restore_request(request_id id, std::uint64_t life,
                         state_type&& state) {
    if (auto may = may_change(); !may)
      return may;
    if (auto may = book_.may_restore(id, life); !may)
      return may;
    book_.begin_verb();
    auto slot = book_.restore(id, life, this->permits_parallel(state),
                              this->wants_order(state));
    values_.put_state(slot, std::move(state));
    return {};
  }

  /// Queues the next work of a restored request, which had been submitted so
  /// often. On refusal (as `enqueue`) `work` is left to the caller.
  result<work_id> restore_work(request_id id, work_type&& work,
                               std::uint32_t submissions,
                               const work_options& options = {}) {
    auto accepted = enqueue(id, std::move(work), options);
    if (accepted)
      book_.edit(*book_.find(*accepted)).submissions = submissions;
    return accepted;
  }

  /// Counts the next work of a restored request as ended. What it published is
  /// in the request's state.
  status restore_end(request_id id, work_end how, work_lifecycle lifecycle) {
    if (auto may = may_change(); !may)
      return may;
    auto slot = book_.active(id);
    if (!slot)
      return this->unknown(id);
    book_.restore_end(*slot, how, lifecycle);
    return {};
  }

  /// Ends a request normally and drops what was not submitted. Refused with
  /// `state` while works are submitted.
  result<outcome> finish(request_id id, instant now) {
    return changing(
      now, [&](outcome& out) { return this->finish_request(id, now, out); });
  }

  /// Cancels a request. Works that backends have are abandoned: retained until
  /// their exact completion, but never published. Refused with `state` if it
  /// has ended.
  result<outcome> cancel(request_id id, instant now) {
    return changing(
      now, [&](outcome& out) { return this->cancel_request(id, now, out); });
  }

  /// Gives up an idle request and returns its state: its identity is free at
  /// once. On a request that has ended, takes its last state and leaves the
  /// rest as it is. Open on a poisoned scheduler.
  result<state_type> release(request_id id) {
    if (book_.active(id))
      if (auto may = may_change(); !may)
        return fail(may.error());
    return this->release_request(id);
  }

  /// Frees the identity of an ended request and says how it had ended. Refused
  /// with `state` while it retains abandoned work. Open on a poisoned
  /// scheduler.
  result<request_status> forget(request_id id) {
    return this->forget_request(id);
  }

  /// The canonical state of an active request, or the last one of an ended
  /// request that nobody took; otherwise null. Valid until the next verb.
  [[nodiscard]] const state_type* request_state(request_id id) const {
    auto slot = book_.requests().owner_of(id);
    return slot && values_.has_state(*slot) ? &values_.state(*slot) : nullptr;
  }

  /// Lets `edit` change the canonical state of an active request. Refused with
  /// `state` while branches exist, since they would not know.
  template <std::invocable<state_type&> Edit>
  status edit_state(request_id id, Edit&& edit) {
    if (auto may = may_change(); !may)
      return may;
    auto slot = book_.requests().owner_of(id);
    if (slot && (book_[*slot].branches > 0 || book_[*slot].submitted > 0))
      return fail(errc::state,
                  "request " + to_string(id)
                    + " has prepared or submitted branches; its state can be "
                      "edited once they have ended");
    if (slot = book_.active(id); !slot)
      return this->unknown(id);
    auto& state = values_.state(*slot);
    auto edited = guarded(errc::state, "the edit", [&]() -> status {
      std::invoke(std::forward<Edit>(edit), state);
      return {};
    });
    this->ask_permissions(*slot);
    return edited;
  }

  /// Asks the request's state again what it permits. Needed only if that
  /// changed other than by commits and `edit_state`.
  void refresh_permissions(request_id id) {
    if (auto slot = book_.active(id))
      this->ask_permissions(*slot);
  }

  // --- works

  /// Accepts one transition. On refusal (`capacity` with the limit and what
  /// frees it, `unknown_request`) `work` is left to the caller.
  result<work_id> enqueue(request_id id, work_type&& work,
                          const work_options& options = {}) {
    auto slot = may_accept(id, 1);
    if (!slot)
      return fail(slot.error());
    return this->accept(*slot, std::move(work), options);
  }

  /// Accepts an ordered batch, all or nothing, under the same options.
  result<std::vector<work_id>> enqueue_batch(request_id id,
                                             std::vector<work_type>&& works,
                                             const work_options& options = {}) {
    const std::vector<work_options> same(works.size(), options);
    return enqueue_batch(id, std::move(works), std::span{same});
  }

  /// Accepts an ordered batch, all or nothing, each work under the options of
  /// its place.
  result<std::vector<work_id>>
  enqueue_batch(request_id id, std::vector<work_type>&& works,
                std::span<const work_options> options) {
    if (options.size() != works.size())
      return fail(errc::invalid_argument,
                  std::to_string(options.size()) + " options for "
                    + std::to_string(works.size()) + " works");
    auto slot = may_accept(id, works.size());
    if (!slot)
      return fail(slot.error());
    std::vector<work_id> ids;
    ids.reserve(works.size());
    for (std::size_t i = 0; i < works.size(); ++i)
      ids.push_back(this->accept(*slot, std::move(works[i]), options[i]));
    works.clear();
    return ids;
  }

  /// Cancels one work; its request and its siblings go on. What a backend has
  /// is abandoned as by `cancel`. Refused with `state` if it can publish no
  /// more.
  result<outcome> cancel_work(const work_id& id, instant now) {
    return changing(
      now, [&](outcome& out) { return this->drop_work(id, now, out); });
  }

  /// Gives the slot of a submitted work back and queues it again, before its
  /// siblings, at once or at `not_before`; meanwhile it blocks nobody. Its
  /// branch is discarded, a new one is cut later. For the next try of a work
  /// whose backend is quiet (decision T19).
  result<outcome> requeue(const work_id& id, std::optional<instant> not_before,
                          instant now) {
    auto slot = may_touch_running(id);
    if (!slot)
      return fail(slot.error());
    auto out = fresh();
    if (auto rolled_back = this->discard(*slot); !rolled_back) {
      this->fail_with_request(*slot, std::move(rolled_back.error()), now, out);
    } else {
      value_store<P>::drop_submission(values_[*slot]);
      values_[*slot].why.reset();
      if (not_before && *not_before <= now)
        not_before.reset();
      book_.requeue(*slot, not_before);
    }
    return whole(std::move(out), now);
  }

  /// Gives the slot of a work in flight back while it waits for something
  /// else; its branch stays and its backend keeps it (decision T19).
  result<outcome> park(const work_id& id, instant now) {
    auto slot = may_touch_running(id);
    if (!slot)
      return fail(slot.error());
    if (book_[*slot].place != work_place::in_flight)
      return fail(errc::state, "work " + to_string(id) + " is parked already");
    book_.park(*slot);
    return whole(fresh(), now);
  }

  /// Asks for a slot for a parked work; a later turn gives it one, in its
  /// request's turn, and says so in `resumed`.
  result<outcome> unpark(const work_id& id, instant now) {
    auto slot = may_touch_running(id);
    if (!slot)
      return fail(slot.error());
    if (book_[*slot].place != work_place::parked)
      return fail(errc::state, "work " + to_string(id) + " is not parked");
    book_.unpark(*slot);
    return whole(fresh(), now);
  }

  /// Says what the backend of a submitted work retains for it now.
  status resources_changed(const work_id& id, std::uint64_t resources) {
    auto slot = book_.find(id);
    if (!slot || !is_at_backend(book_[*slot].place))
      return fail(errc::unknown_work, "no backend has work " + to_string(id));
    book_.set_resources(*slot, resources);
    return {};
  }

  // --- completions

  /// Notes the completion of a submission, in O(1); the next turn makes
  /// something of it. Returns false, and counts it as stale, if the work has
  /// ended or `number` is not its present submission; 0 stands for any.
  bool observe(const work_id& id, completion what, std::uint32_t number = 0) {
    auto slot = book_.find(id);
    if (!slot || !is_at_backend(book_[*slot].place)
        || book_[*slot].seen != observation::incomplete
        || (number != 0 && number != book_[*slot].submissions)) {
      book_.counts().stale_completion();
      return false;
    }
    if (what) {
      values_[*slot].outcome.emplace(std::move(*what));
      this->note(*slot, observation::complete, std::nullopt);
    } else {
      auto why = std::move(what.error());
      if (why.code == errc::conflict) // not a backend's word
        why.code = errc::completion;
      this->note(*slot, observation::failed, std::move(why));
    }
    return true;
  }

  /// Notes the completion of a submission and settles all that was noted.
  /// Open on a poisoned scheduler.
  outcome complete(const work_id& id, completion what, instant now,
                   std::uint32_t number = 0) {
    observe(id, std::move(what), number);
    return poll_completions(now);
  }

  /// Asks polled outputs and settles everything that has completed: first the
  /// successes in the order of submission, then the failures. Open on a
  /// poisoned scheduler, to drain it: there it also reclaims what hangs, as
  /// turns do elsewhere.
  outcome poll_completions(instant now) {
    auto out = fresh();
    if (this->phase() == turn_phase::idle)
      this->settle(now, out);
    if (latch_.is_set())
      this->wake_due(now, out);
    return whole(std::move(out), now);
  }

  // --- turns

  /// Expires deadlines and tries to cut up to `limit` branches, in round-robin
  /// order. A limit of zero is refused with `capacity`.
  result<outcome> prepare_bounded(std::uint64_t limit, instant now) {
    if (auto may = may_change(); !may)
      return fail(may.error());
    if (limit == 0)
      return fail(errc::capacity, "the preparation limit must be positive");
    auto out = fresh();
    this->expire(now, out);
    this->prepare(limit, false, now, out);
    return whole(std::move(out), now);
  }

  /// Expires deadlines and submits prepared works, as many as have room.
  template <executor<P> Execute>
  result<outcome> submit_prepared(instant now, Execute&& execute) {
    if (auto may = may_change(); !may)
      return fail(may.error());
    auto out = fresh();
    this->expire(now, out);
    this->submit(now, execute, false, out);
    return whole(std::move(out), now);
  }

  /// Runs one bounded turn: settle, expire, prepare, submit, and settle what
  /// completed at once.
  template <executor<P> Execute>
  result<outcome> run_local_turn(instant now, Execute&& execute) {
    if (auto may = may_change(); !may)
      return fail(may.error());
    auto out = fresh();
    this->settle(now, out);
    this->expire(now, out);
    this->prepare(book_.wanted(), false, now, out);
    this->submit(now, execute, false, out);
    if constexpr (polled_output<output_type>)
      this->settle(now, out);
    return whole(std::move(out), now);
  }

  // --- turns of many ranks: see `group_turns`

  using group_turns<P>::run_distributed_turn;
  using group_turns<P>::cancel_distributed;
  using group_turns<P>::resume_turn;
  using group_turns<P>::farewell;
  using group_turns<P>::reform;
  using group_turns<P>::adopt;
  using group_turns<P>::for_each_frozen;
  using group_turns<P>::next_round;
  using group_turns<P>::next_turn;
  using group_turns<P>::epoch;
  using group_turns<P>::phase;

  // --- the end of a wait

  /// Tells every end up to the fact at `position`, now that it is durable.
  outcome durable(std::uint64_t position, instant now) {
    auto out = fresh();
    this->tell_durable(position, out);
    return whole(std::move(out), now);
  }

  /// Poisons the scheduler on its host's word. The first reason is kept.
  outcome poison(std::string reason, instant now) {
    return poison(failure{errc::poisoned, std::move(reason)}, now);
  }
  outcome poison(failure why, instant now) {
    auto out = fresh();
    this->stop_waiting();
    turns<P>::poison(std::move(why), now, out);
    return whole(std::move(out), now);
  }

  /// Takes the lists of an outcome back, so that the next turn need not
  /// allocate any.
  void recycle(outcome&& used) { this->keep(std::move(used)); }

  // --- looking: always open

  [[nodiscard]] std::optional<request_status> status_of(request_id id) const {
    auto slot = book_.requests().owner_of(id);
    if (!slot)
      return std::nullopt;
    return book_[*slot].end_held ? request_status::active : book_[*slot].status;
  }

  /// Where a work stands or how it ended, for as long as its request's record
  /// is retained.
  [[nodiscard]] std::optional<work_lifecycle>
  lifecycle(const work_id& id) const {
    return book_.lifecycle(id);
  }

  /// The identity of that work in the newest life of the request that has had
  /// it, if one is retained.
  [[nodiscard]] std::optional<work_id>
  newest_work(request_id id, std::uint64_t sequence) const {
    auto slot = book_.requests().newest(id).value_or(request_slot::none);
    for (; slot != request_slot::none; slot = book_[slot].older)
      if (sequence < book_[slot].next_sequence)
        return work_id{id, sequence, book_[slot].life};
    return std::nullopt;
  }

  /// The newest remembered life of a request.
  [[nodiscard]] std::optional<std::uint64_t> life_of(request_id id) const {
    auto slot = book_.requests().owner_of(id);
    return slot ? std::optional{book_[*slot].life} : std::nullopt;
  }

  /// How many accepted works have not ended.
  [[nodiscard]] std::uint64_t in_progress() const noexcept {
    return book_.counts().in_progress();
  }

  /// How many works of a request have not ended, retained ones included.
  [[nodiscard]] std::uint64_t in_progress_for(request_id id) const {
    auto slot = book_.requests().owner_of(id);
    return slot ? book_[*slot].live.size() : 0;
  }

  /// The value of a work that has not ended, or null. What its descriptor says
  /// must stay as it is. Valid until the next verb.
  [[nodiscard]] work_type* find_work(const work_id& id) {
    auto slot = book_.find(id);
    return slot ? &*values_[*slot].work : nullptr;
  }

  /// How often a backend got a work that has not ended.
  [[nodiscard]] std::uint32_t submissions_of(const work_id& id) const {
    auto slot = book_.find(id);
    return slot ? book_[*slot].submissions : 0;
  }

  /// Why a work that has not ended does not go on now; nothing if it has.
  [[nodiscard]] std::optional<hold> hold_of(const work_id& id) const {
    auto slot = book_.find(id);
    if (!slot)
      return std::nullopt;
    return turnstile::hold_of(book_, *slot);
  }

  /// How many works of an active request stand in its queue: for a branch or,
  /// once unparked, for a slot. Delayed ones do not.
  [[nodiscard]] std::uint64_t queued_for(request_id id) const {
    auto slot = book_.active(id);
    return slot ? book_[*slot].queued.size() : 0;
  }

  /// Occupancy and telemetry, in O(1).
  [[nodiscard]] scheduler_report report() const {
    auto r = book_.counts().report();
    const auto& limits = book_.settings().limits;
    r.configured_submission_bound = limits.max_new_submissions_per_turn;
    r.configured_slice_bound = limits.execution_slice;
    r.poisoned = latch_.is_set();
    return r;
  }

  [[nodiscard]] scheduler_capabilities capabilities() const {
    return {book_.settings().limits, this->backends_,
            !this->backends_.empty() && this->all_preemptible_,
            "from the submission of a work until its exact completion"};
  }

  [[nodiscard]] const scheduler_settings& settings() const noexcept {
    return book_.settings();
  }

  [[nodiscard]] const std::optional<std::string>& poison_reason() const {
    return latch_.reason();
  }

  using group_turns<P>::next_wake;

  /// Checks the invariants of every table in O(n). For tests and audit builds.
  void audit() const {
    book_.audit();
    TURNSTILE_CHECK(values_.works() == book_.works().size());
    book_.works().for_each([&](work_slot slot, const work_record& work) {
      const auto& values = values_[slot];
      const auto branched =
        work.place != work_place::queued && work.place != work_place::delayed
        && work.place != work_place::held && !this->could_not_prepare(slot);
      TURNSTILE_CHECK(values.branch.has_value() == branched);
    });
    book_.requests().for_each(
      [&](request_slot slot, const request_record& record) {
        TURNSTILE_CHECK(
          values_.has_state(slot)
          == (record.keeps_state || record.status == request_status::active));
      });
  }

private:
  using group_turns<P>::book_;
  using group_turns<P>::values_;
  using group_turns<P>::latch_;
  using group_turns<P>::may_change;
  using group_turns<P>::fresh;
  using group_turns<P>::whole;

  explicit scheduler(const scheduler_settings& settings)
    : group_turns<P>(settings) {}

  [[nodiscard]] result<request_slot> may_accept(request_id id,
                                                std::uint64_t works) const {
    if (auto may = may_change(); !may)
      return fail(may.error());
    return this->owner_for(id, works);
  }

  [[nodiscard]] result<work_slot> may_touch_running(const work_id& id) const {
    if (auto may = may_change(); !may)
      return fail(may.error());
    auto slot = this->live_work(id);
    if (!slot)
      return slot;
    if (!is_running(book_[*slot].place))
      return fail(errc::state,
                  "work " + to_string(id) + " is "
                    + std::string{to_string(lifecycle_of(book_[*slot].place))}
                    + ", not submitted");
    return *slot;
  }

  /// Runs a verb that changes something and tells what it did.
  template <class Verb>
  result<outcome> changing(instant now, Verb&& verb) {
    if (auto may = may_change(); !may)
      return fail(may.error());
    auto out = fresh();
    if (auto done = verb(out); !done) {
      book_.take_verb_back();
      this->keep(std::move(out));
      return fail(std::move(done.error()));
    }
    return whole(std::move(out), now);
  }
};

} // namespace turnstile
