#pragma once

#include "core/consensus/agreement.hpp"
#include "core/consensus/frame.hpp"
#include "core/turn/group_command.hpp"
#include "core/turn/verbs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// The steps of a turn that many ranks take together: what this rank says, and
/// what it makes of what all have said. Every rank makes the same of it, since
/// it uses nothing but what was agreed and the group's time.
///
/// What goes wrong on one rank is told in its frame and goes wrong on all
/// (decision R5): an execution or a submission with the next observation, a
/// preparation or a commit with the schedule of the same turn. Until then the
/// work keeps its place everywhere, so that the ranks' plans stay alike. Only
/// a branch that cannot be discarded is a matter of its own rank: the ranks'
/// plans may differ by it, and then they say so.
template <program P>
class rank_steps : protected verbs<P> {
public:
  using typename verbs<P>::turn;
  using command = group_command<P>;

protected:
  using verbs<P>::book_;
  using verbs<P>::values_;
  using turns<P>::tried_;

  explicit rank_steps(const scheduler_settings& settings)
    : verbs<P>(settings) {}

  // --- what this rank says

  /// Its due requests, its submitted works, and what it was told to do.
  frame observation_frame(const std::vector<work_id>& due,
                          const std::vector<command>& commands,
                          std::vector<work_id>& works) {
    frame f;
    f.kind = frame_kind::observation;
    put_expired(due, f);
    f.words.push_back(book_.at_backends().size());
    this->for_each_at_backend([&](work_slot slot) {
      const auto& work = book_[slot];
      put_identity(work.id, f);
      const auto seen = static_cast<std::uint64_t>(work.seen);
      if (work.seen == observation::failed)
        put(f, seen, values_[slot].why ? values_[slot].why->detail : "");
      else
        f.words.push_back(seen);
      works.push_back(work.id);
    });
    f.words.push_back(commands.size());
    for (const auto& one : commands)
      put(f, one.terms, one.missing ? &*one.missing : nullptr);
    return f;
  }

  /// Its plan, and how its commits and commands went. @param bound how many
  /// works of the plan to show
  frame schedule_frame(std::uint64_t bound, const turn& out,
                       std::vector<work_id>& works) {
    frame f;
    f.kind = frame_kind::schedule;
    f.words.push_back(0);
    const auto& chain = book_.prepared();
    for (auto slot = chain.first();
         slot != work_slot::none && works.size() < bound;
         slot = chain.after(book_.works(), slot))
      put_plan(slot, f, works);
    f.words.front() = works.size();
    f.words.push_back(tried_.size());
    for (const auto& commit : tried_) {
      put_identity(commit.id, f);
      put_verdict(commit.why, f);
    }
    f.words.push_back(out.commands.size());
    for (const auto& row : out.commands)
      f.words.push_back(
        row.refused ? static_cast<std::uint64_t>(row.refused->code) : 0);
    return f;
  }

  /// The states that it brings into a new epoch, by their requests.
  [[nodiscard]] frame formation_frame() const {
    frame f;
    f.kind = frame_kind::formation;
    const auto frozen = this->frozen_requests();
    f.words = {book_.requests().next_life(), frozen.size()};
    for (auto slot : frozen) {
      f.words.push_back(book_[slot].id.value);
      f.words.push_back(book_[slot].commits);
    }
    return f;
  }

  /// Requests that poison has ended and whose states are here, by identity.
  [[nodiscard]] std::vector<request_slot> frozen_requests() const {
    std::vector<request_slot> frozen;
    book_.requests().for_each(
      [&](request_slot slot, const request_record& record) {
        if (record.frozen && record.keeps_state)
          frozen.push_back(slot);
      });
    std::sort(frozen.begin(), frozen.end(),
              [&](auto a, auto b) { return book_[a].id < book_[b].id; });
    return frozen;
  }

  /// Puts what completions carried into their branches, so that a failure is
  /// seen by all before any rank commits.
  void apply_outcomes() {
    if constexpr (applying_program<P>)
      this->for_each_at_backend([&](work_slot slot) {
        if (book_[slot].seen != observation::complete
            || !is_running(book_[slot].place))
          return;
        if (auto applied = this->apply(values_[slot]); !applied) {
          book_.edit(slot).seen = observation::failed;
          values_[slot].why = std::move(applied.error());
        }
      });
  }

  /// Whether this rank failed to prepare a work that the others may have. The
  /// schedule will tell them.
  [[nodiscard]] bool could_not_prepare(work_slot slot) const {
    return book_[slot].place == work_place::prepared && values_[slot].why;
  }

  // --- what it makes of what all said

  /// Carries a command out, unless some rank cannot.
  void obey(std::uint64_t place, command&& what, const agreed_failure& refused,
            instant now, turn& out) {
    typename turn::command_row row;
    row.place = place;
    row.refused = refused;
    if (!row.refused)
      if (auto done = carry_out(std::move(what), now, row, out); !done)
        row.refused = std::move(done.error());
    out.commands.push_back(std::move(row));
  }

  /// Settles what all ranks together made of the works.
  void settle_agreed(const std::vector<work_id>& works,
                     std::vector<resolved_work>& resolved, instant now,
                     turn& out) {
    std::vector<work_slot> done;
    std::vector<std::pair<work_slot, failure>> failures;
    std::vector<std::pair<work_id, std::string>> failing;
    for (std::size_t i = 0; i < works.size(); ++i) {
      auto slot = book_.find(works[i]);
      if (!slot)
        continue;
      auto& why = resolved[i].why;
      switch (resolved[i].what) {
      case resolution::incomplete:
        break;
      case resolution::complete:
        done.push_back(*slot);
        break;
      case resolution::failed_pending:
        failing.emplace_back(works[i], std::move(why));
        break;
      case resolution::failed_complete:
        if (is_abandoned(book_[*slot].place)) {
          done.push_back(*slot); // The first cause stays (decision R8).
        } else {
          this->note_late(*slot, now);
          failures.emplace_back(*slot, failed_there(works[i], why));
        }
        break;
      }
    }
    this->settle(done, std::move(failures), false, now, out);
    doom(failing, now, out);
  }

  /// Tells the commits that all ranks have made, and fails the requests of the
  /// others on all of them. Those that made one of these cannot take it back:
  /// it is in the request's last state, and nothing can come after it.
  void settle_commits(std::vector<agreed_failure>& agreed, instant now,
                      turn& out) {
    auto tried = std::exchange(tried_, {});
    std::vector<std::pair<work_id, failure>> doomed;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      const auto& id = tried[i].id;
      auto slot = book_.find(id);
      if (agreed[i]) {
        if (slot && !has_failed_alone(tried[i], *slot))
          fail_work(*slot, *agreed[i], out);
        doomed.emplace_back(id, std::move(*agreed[i]));
      } else if (slot && !tried[i].why) {
        this->end_committed(*slot, out);
      }
    }
    for (auto& [id, why] : doomed)
      if (auto owner = book_.requests().find(id.request, id.life))
        fail_request(*owner, std::move(why), now, out);
  }

  /// Fails what some rank could not prepare.
  void settle_plan(const std::vector<work_id>& works,
                   std::vector<agreed_failure>& agreed, instant now,
                   turn& out) {
    for (std::size_t i = 0; i < works.size(); ++i) {
      if (!agreed[i])
        continue;
      auto slot = book_.find(works[i]);
      if (!slot || book_[*slot].place != work_place::prepared)
        continue; // Its request has failed before.
      const auto owner = book_[*slot].owner;
      fail_work(*slot, *agreed[i], out);
      fail_request(owner, std::move(*agreed[i]), now, out);
    }
  }

  /// Goes on with the states that were kept, each in a new life of its request.
  /// What backends still hold is reclaimed: no rank waits for it any more, and
  /// its completion will be stale. What had ended before is forgotten, since a
  /// new rank does not know it.
  void revive(std::uint64_t first_life, instant now, turn& out) {
    reclaim_all(now, out);
    const auto frozen = frozen_requests();
    std::vector<typename turn::revived_row> rows;
    std::vector<typename P::state_type> states;
    for (auto slot : frozen) {
      rows.push_back({book_[slot].id, 0, book_[slot].commits});
      states.push_back(this->take_state(slot));
    }
    forget_ended();
    book_.begin_lives_at(first_life);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto slot = this->begin_request(rows[i].request, std::move(states[i]));
      book_.edit(slot).commits = rows[i].commits;
      rows[i].life = book_[slot].life;
    }
    out.revived = std::move(rows);
  }

private:
  static void put_identity(const work_id& id, frame& f) {
    f.words.insert(f.words.end(), {id.request.value, id.life, id.sequence});
  }

  static void put_verdict(const std::optional<failure>& why, frame& f) {
    if (why)
      put(f, static_cast<std::uint64_t>(why->code), why->detail);
    else
      f.words.push_back(0);
  }

  static void put_expired(const std::vector<work_id>& due, frame& f) {
    f.words.push_back(0);
    for (const auto& id : due)
      if (f.words.size() == 1 || f.words.back() != id.request.value)
        f.words.push_back(id.request.value);
    f.words.front() = f.words.size() - 1;
  }

  void put_plan(work_slot slot, frame& f, std::vector<work_id>& works) {
    const auto& values = values_[slot];
    const auto failed = could_not_prepare(slot);
    put_identity(book_[slot].id, f);
    put_verdict(failed ? values.why : std::nullopt, f);
    f.words.push_back(failed ? 0 : values.descriptor.size());
    if (!failed)
      f.words.insert(f.words.end(), values.descriptor.begin(),
                     values.descriptor.end());
    works.push_back(book_[slot].id);
  }

  static failure failed_there(const work_id& id, const std::string& why) {
    return {errc::distributed_completion,
            "work " + to_string(id) + " failed on " + why};
  }

  /// Ends the requests of works that failed on some rank (decision R7). A work
  /// in flight keeps its slot until it is done on every rank.
  void doom(const std::vector<std::pair<work_id, std::string>>& failing,
            instant now, turn& out) {
    std::vector<std::pair<request_slot, failure>> doomed;
    for (const auto& [id, why] : failing) {
      auto slot = book_.find(id);
      if (!slot || !is_running(book_[*slot].place))
        continue; // Another end came first.
      doomed.emplace_back(book_[*slot].owner, failed_there(id, why));
      if (book_[*slot].place == work_place::in_flight)
        book_.fail_in_flight(*slot);
    }
    for (auto& [owner, why] : doomed)
      fail_request(owner, std::move(why), now, out);
  }

  /// Whether a work whose commit conflicted has failed already, only that this
  /// is not durable yet.
  [[nodiscard]] bool
  has_failed_alone(const typename endings<P>::tried_commit& commit,
                   work_slot slot) const {
    return commit.conflicted() && book_[slot].place == work_place::held;
  }

  void fail_work(work_slot slot, failure why, turn& out) {
    this->discard_after(why, slot);
    this->end_failed(slot, std::move(why), out);
  }

  void fail_request(request_slot slot, failure why, instant now, turn& out) {
    if (book_[slot].status == request_status::active)
      this->retire(slot, request_status::failed, std::move(why), now, out);
  }

  void reclaim_all(instant now, turn& out) {
    std::vector<work_slot> retained;
    this->for_each_at_backend(
      [&](work_slot slot) { retained.push_back(slot); });
    for (auto slot : retained)
      this->end_dropped(slot, work_end::reclaimed, work_lifecycle::abandoned,
                        drop_reason::reclaimed, now, out);
    this->prune_observed();
  }

  void forget_ended() {
    std::vector<request_slot> ended;
    book_.requests().for_each(
      [&](request_slot slot, const request_record& record) {
        if (record.status != request_status::active && !record.forgotten)
          ended.push_back(slot);
      });
    for (auto slot : ended)
      this->forget_slot(slot);
  }

  // --- commands

  status carry_out(command&& what, instant now, typename turn::command_row& row,
                   turn& out) {
    const auto& terms = what.terms;
    switch (terms.kind) {
    case command_kind::register_request:
      if (auto may = book_.may_begin(terms.request); !may)
        return may;
      this->begin_request(terms.request, std::move(*what.state));
      return {};
    case command_kind::enqueue:
      return enqueue(std::move(what), now, row);
    case command_kind::cancel_request:
      return this->cancel_request(terms.request, now, out);
    case command_kind::cancel_work:
      return this->drop_work({terms.request, terms.sequence, terms.life}, now,
                             out);
    case command_kind::finish:
      return this->finish_request(terms.request, now, out);
    case command_kind::release:
      return put_into(row.state, this->release_request(terms.request));
    case command_kind::forget:
      return put_into(row.forgotten, this->forget_request(terms.request));
    }
    return fail(errc::invalid_argument, "there is no such command");
  }

  template <class T>
  static status put_into(std::optional<T>& place, result<T> answer) {
    if (!answer)
      return fail(std::move(answer.error()));
    place.emplace(std::move(*answer));
    return {};
  }

  status enqueue(command&& what, instant now, typename turn::command_row& row) {
    auto owner = this->owner_for(what.terms.request, what.works.size());
    if (!owner)
      return fail(owner.error());
    work_options options{std::nullopt, what.terms.policy};
    if (what.terms.remaining)
      options.deadline =
        later(now, std::max(*what.terms.remaining, duration::zero()));
    for (auto& work : what.works)
      row.accepted.push_back(this->accept(*owner, std::move(work), options));
    return {};
  }
};

} // namespace turnstile
