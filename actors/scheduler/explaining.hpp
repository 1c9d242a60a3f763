#pragma once

#include "actors/scheduler/dispatcher.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "actors/scheduler/journal_desk.hpp"
#include "core/turn/scheduler.hpp"
#include "messages/explain.pb.h"
#include "messages/translate.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace turnstile {

/// Writes `text` and `frees` of an explanation whose other fields are there.
void put_into_words(wire::Explanation& it);

/// Adds to an explanation of `whose` what core, its flight and its journal say.
/// @param stops why it is to stop, if it is
void add_hold(wire::Explanation& it, const work_id& whose,
              const hold& from_core, const dispatcher& from,
              const journal_desk& journal,
              const std::optional<std::string>& stops, instant now);

/// Says why works do not go on: gathers it from core, from the dispatcher and
/// from the journal's desk, and changes nothing.
template <hosted_program P>
class explaining {
public:
  using core_type = scheduler<core_program<P>>;

  explaining(const P& program, core_type& core, const dispatcher& flights,
             const journal_desk& journal)
    : program_(program), core_(core), flights_(flights), journal_(journal) {}

  /// @param suspended whether nothing is started any more
  result<wire::Explanation> explain(const work_id& id, bool suspended,
                                    instant now) {
    wire::Explanation it;
    *it.mutable_work_id() = to_wire(id);
    const auto lifecycle = core_.lifecycle(id);
    if (!lifecycle)
      return fail(errc::unknown_work,
                  "no work " + to_string(id) + " is remembered");
    it.set_lifecycle(to_wire(*lifecycle));
    const auto held = core_.hold_of(id);
    if (!held) {
      it.set_cause(wire::HOLD_CAUSE_ENDED);
    } else {
      const auto& work = *core_.find_work(id);
      call(it, work);
      it.set_submission(core_.submissions_of(id));
      if constexpr (tells_attempts<P>)
        it.set_so_far(P::so_far(work.attempts));
      if (suspended && *lifecycle == work_lifecycle::queued)
        it.set_cause(wire::HOLD_CAUSE_SUSPENDED);
      else
        add_hold(it, id, *held, flights_, journal_, why_it_stops(work), now);
      if (it.backend().empty())
        it.set_backend(backend_of(work));
      for (auto& holder : *it.mutable_holders())
        if (auto known = from_wire(holder.work_id()))
          if (const auto* other = core_.find_work(*known))
            call(holder, *other);
    }
    put_into_words(it);
    return it;
  }

private:
  template <class Message>
  void call(Message& it, const hosted_work<P>& work) const {
    if constexpr (labels_facts<P>) {
      auto called = program_.label_of(work.message);
      it.set_name(std::move(called.name));
      it.set_label(std::move(called.label));
    } else {
      static_cast<void>(it), static_cast<void>(work);
    }
  }

  std::string backend_of(const hosted_work<P>& work) const {
    if constexpr (routes_works<P>)
      return program_.backend_of(work.message);
    else
      return static_cast<void>(work), std::string{};
  }

  static std::optional<std::string> why_it_stops(const hosted_work<P>& work) {
    if (!work.lost_by)
      return std::nullopt;
    switch (*work.lost_by) {
    case drop_reason::cancelled:
      return "it was cancelled";
    case drop_reason::expired:
      return "its deadline has passed";
    default:
      return "its request has ended";
    }
  }

  const P& program_;
  core_type& core_;
  const dispatcher& flights_;
  const journal_desk& journal_;
};

} // namespace turnstile
