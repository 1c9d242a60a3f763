#include "core/work/work_book.hpp"

#include "core/base/check.hpp"
#include "core/work/place_traits.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace turnstile {

namespace {

/// Whether a work at `place` may still publish.
bool may_publish(work_place place) {
  return !is_retained(place) && place != work_place::held;
}

std::string text(std::uint64_t number) {
  return std::to_string(number);
}

} // namespace

work_book::work_book(const scheduler_settings& settings)
  : settings_(settings), requests_(settings.first_life) {}

// --- requests

status work_book::may_begin(request_id id) const {
  if (auto slot = requests_.owner_of(id))
    return fail(errc::duplicate_request,
                "request " + to_string(id) + " is "
                  + std::string{to_string(requests_[*slot].status)}
                  + (requests_[*slot].status == request_status::active
                       ? ""
                       : "; forget it before its identity is used again"));
  if (ledger_.active_requests() >= settings_.limits.max_active_requests)
    return fail(errc::capacity,
                "max_active_requests "
                  + text(settings_.limits.max_active_requests)
                  + " of the scheduler is reached; a request has to end first");
  return {};
}

status work_book::may_restore(request_id id, std::uint64_t life) const {
  if (auto may = may_begin(id); !may)
    return may;
  if (auto newest = requests_.newest(id);
      newest && requests_[*newest].life >= life)
    return fail(errc::duplicate_request,
                "life " + text(life) + " of request " + to_string(id)
                  + " is not newer than the last one here, "
                  + text(requests_[*newest].life));
  return {};
}

request_slot work_book::restore(request_id id, std::uint64_t life,
                                bool parallel, bool ordered) {
  return begin(requests_.add(id, life), parallel, ordered);
}

request_slot work_book::begin(request_id id, bool parallel, bool ordered) {
  return begin(requests_.add(id), parallel, ordered);
}

request_slot work_book::begin(request_slot slot, bool parallel, bool ordered) {
  requests_[slot].parallel = parallel;
  requests_[slot].ordered = ordered;
  ledger_.begin_request();
  return slot;
}

void work_book::permit(request_slot slot, bool parallel, bool ordered) {
  requests_[slot].parallel = parallel;
  requests_[slot].ordered = ordered;
  sync_ring(slot);
}

void work_book::end_request(request_slot slot, request_status how, bool held) {
  auto& record = requests_[slot];
  TURNSTILE_CHECK(record.status == request_status::active);
  record.status = how;
  record.keeps_state = true;
  record.end_held = held;
  ledger_.end_request(how);
  ledger_.remember_ended();
  if (!held)
    tell_end(slot);
}

void work_book::end_told(request_slot slot) {
  TURNSTILE_CHECK(requests_[slot].end_held);
  requests_[slot].end_held = false;
  tell_end(slot);
}

void work_book::tell_end(request_slot slot) {
  requests_[slot].told_by = verb_;
  states_.push_back(requests_, slot);
  may_now_be_dropped(slot);
}

void work_book::release(request_slot slot) {
  auto& record = requests_[slot];
  TURNSTILE_CHECK(record.status == request_status::active);
  record.status = request_status::finished;
  record.forgotten = true;
  ledger_.release_request();
  ledger_.remember_ended();
  may_now_be_dropped(slot);
}

void work_book::forget(request_slot slot) {
  auto& record = requests_[slot];
  TURNSTILE_CHECK(record.status != request_status::active);
  TURNSTILE_CHECK(record.live.empty());
  state_taken(slot);
  record.forgotten = true;
}

void work_book::state_taken(request_slot slot) {
  auto& record = requests_[slot];
  if (!record.keeps_state)
    return;
  record.keeps_state = false;
  states_.remove(requests_, slot);
}

std::optional<request_slot> work_book::oldest_surplus_state() const {
  if (states_.size() <= settings_.keep.max_retained_states
      || requests_[states_.first()].told_by == verb_)
    return std::nullopt;
  return states_.first();
}

std::optional<request_slot> work_book::oldest_surplus_request() const {
  if (ended_.empty()
      || ledger_.ended_requests() <= settings_.keep.max_ended_requests
      || requests_[ended_.first()].told_by == verb_)
    return std::nullopt;
  return ended_.first();
}

void work_book::drop(request_slot slot) {
  state_taken(slot);
  ended_.remove(requests_, slot);
  ledger_.forget_ended();
  ledger_.drop_ended();
  requests_.drop(slot);
}

bool work_book::may_be_dropped(const request_record& record) {
  return record.status != request_status::active && record.live.empty()
         && !record.end_held;
}

void work_book::may_now_be_dropped(request_slot slot) {
  if (may_be_dropped(requests_[slot]))
    ended_.push_back(requests_, slot);
}

// --- works

status work_book::may_accept_globally(std::uint64_t works) const {
  const auto bound = settings_.limits.max_queued_work;
  const auto now = ledger_.in_progress();
  if (works > bound || now > bound - works)
    return fail(errc::capacity,
                "max_queued_work " + text(bound) + " of the scheduler leaves "
                  + text(bound - std::min(bound, now)) + " places, not "
                  + text(works) + "; works have to end first");
  return {};
}

status work_book::may_accept(request_slot slot, std::uint64_t works) const {
  const auto& record = requests_[slot];
  const auto bound = settings_.limits.max_queued_per_request;
  const auto now = static_cast<std::uint64_t>(record.live.size());
  if (works > bound || now > bound - works)
    return fail(errc::capacity,
                "max_queued_per_request " + text(bound) + " leaves request "
                  + to_string(record.id) + " "
                  + text(bound - std::min(bound, now)) + " places, not "
                  + text(works) + "; works of this request have to end first");
  if (record.next_sequence > UINT64_MAX - works)
    return fail(errc::capacity, "request " + to_string(record.id)
                                  + " has no work identities left; release it "
                                    "and register it again");
  return {};
}

work_slot work_book::accept(request_slot owner, instant deadline,
                            deadline_policy policy) {
  auto& record = requests_[owner];
  TURNSTILE_CHECK(record.status == request_status::active);
  auto slot =
    works_.take({record.id, record.next_sequence++, record.life}, owner);
  auto& work = works_[slot];
  work.deadline = deadline;
  work.policy = policy;
  if (deadline != instant::max())
    deadlines_.set(slot, deadline);
  record.live.push_back(works_, slot);
  record.publishable.push_back(works_, slot);
  record.queued.push_back(works_, slot);
  ledger_.accept(1);
  sync_ring(owner);
  return slot;
}

void work_book::restore_end(request_slot owner, work_end how,
                            work_lifecycle lifecycle) {
  auto& record = requests_[owner];
  TURNSTILE_CHECK(record.status == request_status::active);
  ledger_.accept(1);
  ledger_.end(work_place::queued, how);
  record.history.note(record.next_sequence++, lifecycle,
                      settings_.keep.max_exceptions_per_request);
}

std::optional<work_slot> work_book::take_turn() {
  auto owner = ring_.take_turn();
  if (owner == request_slot::none)
    return std::nullopt;
  auto slot = requests_[owner].queued.first();
  auto& work = works_[slot];
  if (work.place == work_place::resuming) {
    move(slot, work_place::regaining); // its branch and base stay
  } else {
    move(slot, work_place::prepared);
    work.base_commits = requests_[owner].commits;
  }
  return slot;
}

std::uint64_t work_book::free_slots() const noexcept {
  const auto bound = settings_.limits.max_in_flight_global;
  return bound - std::min(bound, ledger_.slots_in_use());
}

std::uint64_t work_book::room() const noexcept {
  return std::min(settings_.limits.max_new_submissions_per_turn, free_slots());
}

std::uint64_t work_book::wanted() const noexcept {
  const auto slots = free_slots();
  return std::min(settings_.limits.max_new_submissions_per_turn,
                  slots - std::min<std::uint64_t>(slots, prepared_.size()));
}

bool work_book::can_go_on() const noexcept {
  return room() > 0 && (!prepared_.empty() || ring_.has_unblocked());
}

void work_book::submit(work_slot slot) {
  auto& work = works_[slot];
  auto regains = work.place == work_place::regaining;
  TURNSTILE_CHECK(regains || work.place == work_place::prepared);
  TURNSTILE_CHECK(room() > 0);
  move(slot, work_place::in_flight);
  work.submission_at = ++submissions_;
  if (!regains)
    ++work.submissions;
  if (work.policy.lasts == deadline_policy::until::submission)
    deadlines_.clear(slot);
}

void work_book::abandon(work_slot slot, instant now) {
  auto& work = works_[slot];
  TURNSTILE_CHECK(is_running(work.place));
  deadlines_.clear(slot);
  move(slot, holds_slot(work.place) ? work_place::abandoned_in_flight
                                    : work_place::abandoned_parked);
  work.abandoned_at = now;
  ledger_.retain_resources(0, work.resources);
  watch_retained(slot);
}

void work_book::fail_in_flight(work_slot slot) {
  auto& work = works_[slot];
  TURNSTILE_CHECK(work.place == work_place::in_flight);
  deadlines_.clear(slot);
  move(slot, work_place::failed_in_flight);
}

void work_book::park(work_slot slot) {
  TURNSTILE_CHECK(works_[slot].place == work_place::in_flight);
  move(slot, work_place::parked);
}

void work_book::unpark(work_slot slot) {
  TURNSTILE_CHECK(works_[slot].place == work_place::parked);
  move(slot, work_place::resuming, true);
}

void work_book::requeue(work_slot slot, std::optional<instant> not_before) {
  auto& work = works_[slot];
  TURNSTILE_CHECK(traits_of(work.place).branch);
  work.seen = observation::incomplete;
  work.resources = 0;
  work.late = false;
  if (work.deadline != instant::max())
    deadlines_.set(slot, work.deadline);
  ledger_.requeue();
  if (not_before) {
    due_.set(slot, *not_before);
    move(slot, work_place::delayed);
  } else {
    move(slot, work_place::queued, true);
  }
}

void work_book::wait_for_siblings(work_slot slot) {
  move(slot, work_place::completing);
}

void work_book::hold(work_slot slot) {
  if (is_abandoned(works_[slot].place))
    ledger_.retain_resources(works_[slot].resources, 0);
  due_.clear(slot);
  deadlines_.clear(slot);
  if (works_[slot].place != work_place::held) // by its ranks already
    move(slot, work_place::held);
}

void work_book::end(work_slot slot, work_end how, work_lifecycle lifecycle) {
  auto owner = works_[slot].owner;
  auto& work = works_[slot];
  auto& record = requests_[owner];
  if (is_abandoned(work.place))
    ledger_.retain_resources(work.resources, 0);
  leave_place(slot);
  if (may_publish(work.place))
    record.publishable.remove(works_, slot);
  ledger_.end(work.place, how);
  deadlines_.clear(slot);
  due_.clear(slot);
  record.live.remove(works_, slot);
  record.history.note(work.id.sequence, lifecycle,
                      settings_.keep.max_exceptions_per_request);
  works_.give_back(slot);
  sync_ring(owner);
  may_now_be_dropped(owner);
}

void work_book::set_resources(work_slot slot, std::uint64_t now) {
  auto& work = works_[slot];
  if (is_abandoned(work.place))
    ledger_.retain_resources(work.resources, now);
  work.resources = now;
}

// --- moving

place_chain* work_book::chain_of(const work_record& record) {
  switch (record.place) {
  case work_place::queued:
  case work_place::resuming:
    return &requests_[record.owner].queued;
  case work_place::prepared:
  case work_place::regaining:
    return &prepared_;
  case work_place::in_flight:
  case work_place::abandoned_in_flight:
  case work_place::failed_in_flight:
  case work_place::parked:
  case work_place::abandoned_parked:
  case work_place::delayed:
  case work_place::completing:
  case work_place::held:
    return nullptr;
  }
  return nullptr;
}

void work_book::leave_place(work_slot slot) {
  auto& work = works_[slot];
  auto& record = requests_[work.owner];
  if (auto* from = chain_of(work))
    from->remove(works_, slot);
  if (is_at_backend(work.place))
    at_backends_.remove(works_, slot);
  auto gone = traits_of(work.place);
  record.branches -= gone.branch ? 1 : 0;
  record.slots -= gone.slot ? 1 : 0;
  record.submitted -= gone.submitted ? 1 : 0;
  record.completing -= gone.waits ? 1 : 0;
}

void work_book::move(work_slot slot, work_place to, bool to_front) {
  auto& work = works_[slot];
  auto& record = requests_[work.owner];
  auto* from = chain_of(work);
  auto gone = traits_of(work.place);
  auto come = traits_of(to);
  if (may_publish(work.place) && !may_publish(to))
    record.publishable.remove(works_, slot);
  const auto submits = to == work_place::in_flight; // perhaps once more
  if (is_at_backend(work.place) && (submits || !is_at_backend(to)))
    at_backends_.remove(works_, slot);
  if (submits)
    at_backends_.push_back(works_, slot);
  ledger_.move(work.place, to);
  work.place = to;
  auto* into = chain_of(work);
  if (from != nullptr)
    from->remove(works_, slot);
  if (into != nullptr && to_front)
    into->push_front(works_, slot);
  else if (into != nullptr)
    into->push_back(works_, slot);
  record.branches =
    record.branches + (come.branch ? 1 : 0) - (gone.branch ? 1 : 0);
  record.slots = record.slots + (come.slot ? 1 : 0) - (gone.slot ? 1 : 0);
  record.submitted =
    record.submitted + (come.submitted ? 1 : 0) - (gone.submitted ? 1 : 0);
  record.completing =
    record.completing + (come.waits ? 1 : 0) - (gone.waits ? 1 : 0);
  sync_ring(work.owner);
}

bool work_book::head_is_blocked(const request_record& record) const {
  if (record.slots >= settings_.limits.max_in_flight_per_request)
    return true;
  const auto head = record.queued.first();
  if (record.parallel || works_[head].place == work_place::resuming)
    return false;
  // A branch that could only wait for a delayed sibling's commit would keep
  // that one from having its own.
  if (record.ordered
      && works_[record.publishable.first()].place == work_place::delayed)
    return true;
  // Those that wait for their commit block nobody, whether or not the state
  // still wants an order: what they wait for must get its branch.
  return record.branches > record.completing;
}

void work_book::sync_ring(request_slot slot) {
  const auto& record = requests_[slot];
  if (record.queued.empty())
    ring_.disarm(slot);
  else if (ring_.holds(slot))
    ring_.set_blocked(slot, head_is_blocked(record));
  else
    ring_.arm(slot, head_is_blocked(record));
}

// --- time

void work_book::take_expired(instant now, std::vector<work_slot>& into) {
  auto first = static_cast<std::ptrdiff_t>(into.size());
  while (auto slot = deadlines_.take_due(now))
    into.push_back(*slot);
  std::sort(into.begin() + first, into.end(), [&](work_slot a, work_slot b) {
    return works_[a].id < works_[b].id;
  });
}

void work_book::take_due(instant now, std::vector<work_slot>& into) {
  auto first = static_cast<std::ptrdiff_t>(into.size());
  while (auto slot = due_.take_due(now))
    into.push_back(*slot);
  std::sort(into.begin() + first, into.end(), [&](work_slot a, work_slot b) {
    return works_[a].id < works_[b].id;
  });
}

void work_book::undelay(work_slot slot) {
  TURNSTILE_CHECK(works_[slot].place == work_place::delayed);
  move(slot, work_place::queued, true);
}

void work_book::watch_retained(work_slot slot) {
  const auto& work = works_[slot];
  TURNSTILE_CHECK(is_retained(work.place));
  auto next = instant::max();
  if (settings_.overdue_after && !work.told_overdue)
    next = later(work.abandoned_at, *settings_.overdue_after);
  if (settings_.reclaim_after)
    next = std::min(next, later(work.abandoned_at, *settings_.reclaim_after));
  if (next != instant::max())
    due_.set(slot, next);
}

std::optional<instant> work_book::due_at(work_slot slot) const {
  return due_.find(slot);
}

std::optional<instant> work_book::next_instant() const {
  auto deadline = deadlines_.next();
  auto due = due_.next();
  if (deadline && due)
    return std::min(*deadline, *due);
  return deadline ? deadline : due;
}

// --- looking

std::optional<work_slot> work_book::find(const work_id& id) const {
  auto owner = requests_.find(id.request, id.life);
  if (!owner)
    return std::nullopt;
  return works_.find(*owner, id.sequence);
}

std::optional<work_lifecycle> work_book::lifecycle(const work_id& id) const {
  auto owner = requests_.find(id.request, id.life);
  if (!owner || id.sequence >= requests_[*owner].next_sequence)
    return std::nullopt;
  if (auto slot = works_.find(*owner, id.sequence))
    return lifecycle_of(works_[*slot].place);
  return requests_[*owner].history.find(id.sequence);
}

std::optional<request_slot> work_book::active(request_id id) const {
  auto slot = requests_.owner_of(id);
  if (!slot || requests_[*slot].status != request_status::active)
    return std::nullopt;
  return slot;
}

void work_book::live_works(request_slot slot,
                           std::vector<work_slot>& into) const {
  const auto& live = requests_[slot].live;
  for (auto work = live.first(); work != work_slot::none;
       work = live.after(works_, work))
    into.push_back(work);
}

void work_book::audit_request(request_slot slot,
                              const request_record& record) const {
  record.live.audit(works_);
  record.publishable.audit(works_);
  record.queued.audit(works_);
  auto publishable = record.publishable.first();
  std::size_t queued = 0;
  std::uint32_t branches = 0;
  std::uint32_t slots = 0;
  std::uint32_t submitted = 0;
  std::uint32_t completing = 0;
  std::uint64_t previous = 0;
  for (auto work = record.live.first(); work != work_slot::none;
       work = record.live.after(works_, work)) {
    const auto& w = works_[work];
    TURNSTILE_CHECK(w.owner == slot);
    TURNSTILE_CHECK(w.id.request == record.id && w.id.life == record.life);
    TURNSTILE_CHECK(w.id.sequence < record.next_sequence);
    TURNSTILE_CHECK(work == record.live.first() || w.id.sequence > previous);
    previous = w.id.sequence;
    auto traits = traits_of(w.place);
    branches += traits.branch ? 1 : 0;
    slots += traits.slot ? 1 : 0;
    submitted += traits.submitted ? 1 : 0;
    completing += traits.waits ? 1 : 0;
    if (may_publish(w.place)) {
      TURNSTILE_CHECK(publishable == work);
      publishable = record.publishable.after(works_, work);
    }
    queued += w.place == work_place::queued || w.place == work_place::resuming;
    if (record.status != request_status::active)
      TURNSTILE_CHECK(is_retained(w.place) || w.place == work_place::held);
    TURNSTILE_CHECK(w.place != work_place::delayed || due_.holds(work));
    TURNSTILE_CHECK(!due_.holds(work) || w.place == work_place::delayed
                    || is_retained(w.place));
  }
  TURNSTILE_CHECK(publishable == work_slot::none);
  TURNSTILE_CHECK(queued == record.queued.size());
  TURNSTILE_CHECK(branches == record.branches);
  TURNSTILE_CHECK(slots == record.slots);
  TURNSTILE_CHECK(submitted == record.submitted);
  TURNSTILE_CHECK(completing == record.completing);
  TURNSTILE_CHECK(ring_.holds(slot) == !record.queued.empty());
  if (ring_.holds(slot))
    TURNSTILE_CHECK(ring_.is_blocked(slot) == head_is_blocked(record));
  TURNSTILE_CHECK(!record.keeps_state
                  || record.status != request_status::active);
}

void work_book::audit() const {
  requests_.audit();
  works_.audit();
  ring_.audit();
  prepared_.audit(works_);
  at_backends_.audit(works_);
  deadlines_.audit();
  due_.audit();
  ended_.audit(requests_);
  states_.audit(requests_);
  ledger_.audit();
  std::size_t at_backends = 0;
  works_.for_each([&](work_slot, const work_record& work) {
    at_backends += is_at_backend(work.place) ? 1 : 0;
  });
  TURNSTILE_CHECK(at_backends == at_backends_.size());
  std::uint64_t previous = 0;
  for (auto slot = at_backends_.first(); slot != work_slot::none;
       slot = at_backends_.after(works_, slot)) {
    TURNSTILE_CHECK(works_[slot].submission_at > previous);
    previous = works_[slot].submission_at;
  }
  std::size_t live = 0;
  std::size_t droppable = 0;
  std::size_t states = 0;
  std::size_t active = 0;
  requests_.for_each([&](request_slot slot, const request_record& record) {
    audit_request(slot, record);
    live += record.live.size();
    states += record.keeps_state && !record.end_held ? 1 : 0;
    auto is_active = record.status == request_status::active;
    active += is_active ? 1 : 0;
    droppable += may_be_dropped(record) ? 1 : 0;
  });
  TURNSTILE_CHECK(live == works_.size());
  TURNSTILE_CHECK(live == ledger_.in_progress());
  TURNSTILE_CHECK(active == ledger_.active_requests());
  TURNSTILE_CHECK(requests_.size() - active == ledger_.ended_requests());
  TURNSTILE_CHECK(droppable == ended_.size());
  TURNSTILE_CHECK(states == states_.size());
}

} // namespace turnstile
