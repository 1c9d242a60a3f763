#pragma once

#include "core/turn/turns.hpp"
#include "core/work/work_options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace turnstile {

/// What callers can do to requests and works, whoever has let them: a verb of
/// the scheduler, or a command of its group. Each changes nothing if it is
/// refused.
template <program P>
class verbs : protected turns<P> {
public:
  using typename turns<P>::work_type;
  using typename turns<P>::state_type;
  using typename turns<P>::turn;

protected:
  using turns<P>::book_;
  using turns<P>::values_;

  explicit verbs(const scheduler_settings& settings) : turns<P>(settings) {}

  static tl::unexpected<failure> unknown(request_id id) {
    return fail(errc::unknown_request,
                "request " + to_string(id) + " is not active");
  }

  // --- requests

  /// Begins a life with its state. @pre `book_.may_begin(id)`
  request_slot begin_request(request_id id, state_type&& state) {
    auto slot =
      book_.begin(id, this->permits_parallel(state), this->wants_order(state));
    values_.put_state(slot, std::move(state));
    return slot;
  }

  status finish_request(request_id id, instant now, turn& out) {
    if (auto slot = book_.requests().owner_of(id);
        slot && book_[*slot].submitted > 0)
      return fail(errc::state, "request " + to_string(id)
                                 + " still has submitted work; wait for it or "
                                   "cancel the request");
    return end_request(id, request_status::finished, std::nullopt, now, out);
  }

  status cancel_request(request_id id, instant now, turn& out) {
    if (auto slot = book_.requests().owner_of(id);
        slot && book_[*slot].status != request_status::active)
      return fail(errc::state, "request " + to_string(id)
                                 + " has ended already: "
                                 + std::string{to_string(book_[*slot].status)});
    return end_request(id, request_status::cancelled,
                       failure{errc::cancelled, "a caller cancelled it"}, now,
                       out);
  }

  result<state_type> release_request(request_id id) {
    if (auto slot = book_.active(id)) {
      if (!book_[*slot].live.empty())
        return fail(errc::state, "request " + to_string(id)
                                   + " still owns unpublished work; finish or "
                                     "cancel it to take its state");
      auto state = take_state(*slot);
      book_.release(*slot);
      this->trim();
      return state;
    }
    auto slot = book_.requests().owner_of(id);
    if (!slot || !values_.has_state(*slot))
      return unknown(id);
    if (book_[*slot].end_held)
      return fail(errc::state, "the end of request " + to_string(id)
                                 + " is not durable yet");
    book_.state_taken(*slot);
    return take_state(*slot);
  }

  result<request_status> forget_request(request_id id) {
    auto slot = book_.requests().owner_of(id);
    if (slot && (book_[*slot].submitted > 0 || book_[*slot].end_held))
      return fail(errc::state,
                  "request " + to_string(id)
                    + " still has submitted work; it can be forgotten after "
                      "its exact completion");
    if (!slot || book_[*slot].status == request_status::active)
      return unknown(id);
    const auto how = book_[*slot].status;
    forget_slot(*slot);
    this->trim();
    return how;
  }

  /// Frees the identity of an ended request.
  void forget_slot(request_slot slot) {
    values_.drop_state(slot);
    book_.forget(slot);
  }

  state_type take_state(request_slot slot) {
    auto state = std::move(values_.state(slot));
    values_.drop_state(slot);
    return state;
  }

  // --- works

  /// Whether so many works may be accepted, and by whom.
  [[nodiscard]] result<request_slot> owner_for(request_id id,
                                               std::uint64_t works) const {
    if (auto may = book_.may_accept_globally(works); !may)
      return fail(may.error());
    auto slot = book_.active(id);
    if (!slot)
      return unknown(id);
    if (auto may = book_.may_accept(*slot, works); !may)
      return fail(may.error());
    return *slot;
  }

  work_id accept(request_slot owner, work_type&& work,
                 const work_options& options) {
    auto slot = book_.accept(owner, options.deadline.value_or(instant::max()),
                             options.policy);
    values_.put_work(slot, std::move(work));
    return book_[slot].id;
  }

  [[nodiscard]] result<work_slot> live_work(const work_id& id) const {
    if (auto slot = book_.find(id))
      return *slot;
    return fail(errc::unknown_work,
                "no work " + to_string(id) + " is in progress");
  }

  status drop_work(const work_id& id, instant now, turn& out) {
    auto slot = live_work(id);
    if (!slot)
      return fail(slot.error());
    const auto place = book_[*slot].place;
    if (is_retained(place) || place == work_place::held)
      return fail(errc::state, "work " + to_string(id)
                                 + " can publish no more: its end is on the "
                                   "way");
    this->cancel_one(*slot, now, out);
    return {};
  }

private:
  status end_request(request_id id, request_status how,
                     std::optional<failure> why, instant now, turn& out) {
    auto slot = book_.active(id);
    if (!slot)
      return unknown(id);
    this->retire(*slot, how, std::move(why), now, out);
    return {};
  }
};

} // namespace turnstile
