#pragma once

#include "tests/catch.hpp"
#include "tests/core/consensus/choir_program.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace turnstile {

/// Several ranks of one group in one process. They hold each round at the same
/// time; a test may change what they hear of each other.
class choir {
public:
  static constexpr std::uint64_t protocol = 42;

  /// A rank: its scheduler, what goes wrong there, and what it did last.
  struct member {
    singer scheduler;
    mood feels;
    singer::outcome did; ///< In the newest turn, all parts together.
    std::vector<std::string> submitted;
    std::optional<failure> refused; ///< Why the newest verb was.
  };

  /// All that the ranks say in a round, as one of them hears it.
  using hearing = std::function<void(std::size_t listener, frame& said)>;

  explicit choir(std::size_t ranks, scheduler_settings settings = roomy()) {
    for (std::size_t rank = 0; rank < ranks; ++rank)
      members_.push_back(std::make_unique<member>(
        member{*singer::create(settings), {}, {}, {}, {}}));
  }

  static scheduler_settings roomy() {
    scheduler_settings settings;
    settings.limits = {8, 64, 8, 8, 8, 1, 64};
    return settings;
  }

  member& operator[](std::size_t rank) { return *members_[rank]; }
  [[nodiscard]] std::size_t size() const { return members_.size(); }

  /// Replaces a rank by one that knows nothing.
  void replace(std::size_t rank) {
    members_[rank] = std::make_unique<member>(
      member{*singer::create(roomy()), {}, {}, {}, {}});
  }

  // --- what a turn is told; the same on each rank

  void registers(request_id id, const std::string& sung = "") {
    commands_.push_back([=](member& of) {
      singer::command c;
      c.terms = terms_of(command_kind::register_request, id);
      c.state = song{sung, &of.feels, true};
      return c;
    });
  }

  void enqueues(request_id id, std::vector<std::uint32_t> pitches,
                std::optional<duration> remaining = std::nullopt,
                deadline_policy policy = {}) {
    commands_.push_back([=](member& of) {
      singer::command c;
      c.terms = terms_of(command_kind::enqueue, id);
      c.terms.works = pitches.size();
      c.terms.remaining = remaining;
      c.terms.policy = policy;
      for (auto pitch : pitches)
        c.works.push_back({pitch, &of.feels});
      return c;
    });
  }

  void commands(command_kind kind, request_id id, std::uint64_t sequence = 0,
                std::uint64_t life = 0) {
    commands_.push_back([=](member&) {
      singer::command c;
      c.terms = terms_of(kind, id);
      c.terms.life = life;
      c.terms.sequence = sequence;
      return c;
    });
  }

  /// Gives one rank another command at that place of the next turn.
  void tells(std::size_t rank, std::size_t place,
             std::function<void(singer::command&)> edit) {
    edits_.emplace_back(rank, place, std::move(edit));
  }

  /// A backend of one rank has finished.
  void hears(std::size_t rank, const work_id& id, const std::string& what) {
    members_[rank]->scheduler.observe(id, what);
  }
  void breaks(std::size_t rank, const work_id& id, const std::string& why) {
    members_[rank]->scheduler.observe(id, fail(errc::completion, why));
  }
  void all_hear(const work_id& id, const std::string& what) {
    for (std::size_t rank = 0; rank < size(); ++rank)
      hears(rank, id, what);
  }

  // --- what they do

  /// Holds one turn at the group's time, with all commands said so far.
  void turn(std::int64_t now) {
    const group_terms terms{protocol, epoch, at(now), false};
    begin([&](member& of, seat& in) {
      return of.scheduler.run_distributed_turn(terms, in, take_commands(of),
                                               executor(of));
    });
    commands_.clear();
    edits_.clear();
    hold_rounds(terms);
  }

  void cancels(request_id id, std::int64_t now) {
    const group_terms terms{protocol, epoch, at(now), false};
    begin([&](member& of, seat& in) {
      return of.scheduler.cancel_distributed(terms, id, in);
    });
    hold_rounds(terms);
  }

  void forms(std::uint64_t next, std::int64_t now) {
    epoch = next;
    const group_terms terms{protocol, epoch, at(now), false};
    begin([&](member& of, seat& in) { return of.scheduler.reform(terms, in); });
    hold_rounds(terms);
  }

  /// Freezes every rank, each for its own reason.
  void loses(std::size_t rank) {
    for (std::size_t other = 0; other < size(); ++other)
      if (other != rank)
        members_[other]->did = members_[other]->scheduler.poison(
          failure{errc::rank_lost, "rank " + std::to_string(rank) + " is gone"},
          at(0));
  }

  /// What one rank did last, and where it stands, on one line each.
  std::string picture(std::size_t rank) const {
    const auto& m = *members_[rank];
    std::string all;
    auto add = [&](const std::string& word) {
      all += (all.empty() ? "" : " ") + word;
    };
    for (const auto& row : m.did.commands)
      add(row.refused ? "refused:" + std::string{to_string(row.refused->code)}
                      : "obeyed");
    for (const auto& row : m.did.submitted)
      add("submitted:" + to_string(row.id));
    for (const auto& row : m.did.committed)
      add("committed:" + to_string(row.id));
    for (const auto& row : m.did.failed)
      add("failed:" + to_string(row.id) + ":"
          + std::string{to_string(row.why.code)});
    for (const auto& row : m.did.dropped)
      add("dropped:" + to_string(row.id));
    for (const auto& row : m.did.abandoned)
      add("abandoned:" + to_string(row.id));
    for (const auto& row : m.did.ended)
      add("ended:" + to_string(row.request) + ":"
          + std::string{to_string(row.status)});
    for (const auto& row : m.did.revived)
      add("revived:" + to_string(row.request));
    if (m.did.poisoned)
      add("poisoned");
    return all;
  }

  /// The same for all, if they did the same; else both that differ first.
  std::string picture() const {
    for (std::size_t rank = 1; rank < size(); ++rank)
      if (picture(rank) != picture(0))
        return "rank 0: " + picture(0) + " | rank " + std::to_string(rank)
               + ": " + picture(rank);
    return picture(0);
  }

  /// What an active or kept request has come to, if it is the same everywhere.
  std::string state(request_id id) const {
    std::string all;
    for (const auto& m : members_) {
      const auto* has = m->scheduler.request_state(id);
      const auto text = has != nullptr ? has->sung : "none";
      if (&m != &members_.front() && text != all)
        return all + " or " + text;
      all = text;
    }
    return all;
  }

  [[nodiscard]] bool any_poisoned() const {
    for (const auto& m : members_)
      if (m->scheduler.poison_reason())
        return true;
    return false;
  }

  std::uint64_t epoch = 1;
  hearing hears_wrongly;                ///< Changes what a rank hears.
  std::vector<std::vector<frame>> said; ///< By round, all that was said.

private:
  /// One rank's place: it answers once all have spoken.
  class seat final : public rank_group {
  public:
    seat(std::size_t ranks, std::size_t rank) : ranks_(ranks), rank_(rank) {}
    [[nodiscard]] std::size_t ranks() const override { return ranks_; }
    [[nodiscard]] std::size_t rank() const override { return rank_; }
    result<std::optional<std::vector<frame>>>
    gather(const frame& local) override {
      spoken = local;
      return std::nullopt;
    }
    std::optional<frame> spoken;

  private:
    std::size_t ranks_;
    std::size_t rank_;
  };

  static command_terms terms_of(command_kind kind, request_id id) {
    command_terms terms;
    terms.kind = kind;
    terms.request = id;
    return terms;
  }

  static std::function<result<singing::output_type>(const submission&,
                                                    const note&, std::string&)>
  executor(member& of) {
    return [&of](const submission& what, const note&,
                 std::string&) -> result<singing::output_type> {
      of.submitted.push_back(to_string(what.id));
      if (auto may = of.feels.may("submit"); !may)
        return fail(may.error());
      return singing::output_type{};
    };
  }

  std::vector<singer::command> take_commands(member& of) {
    std::vector<singer::command> all;
    for (const auto& make : commands_)
      all.push_back(make(of));
    for (const auto& [rank, place, edit] : edits_)
      if (members_[rank].get() == &of)
        edit(all[place]);
    return all;
  }

  template <class Verb>
  void begin(Verb&& verb) {
    seats_.clear();
    for (std::size_t rank = 0; rank < size(); ++rank) {
      auto& in = *seats_.emplace_back(std::make_unique<seat>(size(), rank));
      auto& of = *members_[rank];
      of.did = {};
      of.refused.reset();
      take(of, verb(of, in));
    }
  }

  static void take(member& of, result<singer::outcome> out) {
    of.scheduler.audit();
    if (!out) {
      of.refused = std::move(out.error());
      return;
    }
    append(of.did.submitted, out->submitted);
    append(of.did.committed, out->committed);
    append(of.did.failed, out->failed);
    append(of.did.dropped, out->dropped);
    append(of.did.abandoned, out->abandoned);
    append(of.did.ended, out->ended);
    append(of.did.commands, out->commands);
    append(of.did.revived, out->revived);
    if (out->poisoned)
      of.did.poisoned = std::move(out->poisoned);
  }

  template <class Rows>
  static void append(Rows& to, Rows& from) {
    for (auto& row : from)
      to.push_back(std::move(row));
  }

  /// Holds rounds for as long as somebody waits for one. Ranks that are
  /// poisoned say their last word.
  void hold_rounds(const group_terms& terms) {
    while (true) {
      std::vector<frame> all;
      bool anyone = false;
      for (std::size_t rank = 0; rank < size(); ++rank) {
        auto& of = *members_[rank];
        if (of.scheduler.phase() != turn_phase::idle) {
          anyone = true;
          all.push_back(*seats_[rank]->spoken);
        } else if (of.scheduler.poison_reason()) {
          all.push_back(of.scheduler.farewell(terms, rank));
        } else {
          all.emplace_back();
        }
      }
      if (!anyone)
        return;
      said.push_back(all);
      hold_round(all);
    }
  }

  void hold_round(const std::vector<frame>& all) {
    for (std::size_t rank = 0; rank < size(); ++rank) {
      auto& of = *members_[rank];
      if (of.scheduler.phase() == turn_phase::idle)
        continue;
      auto heard = all;
      if (hears_wrongly)
        for (auto& one : heard)
          hears_wrongly(rank, one);
      take(of, of.scheduler.resume_turn(std::move(heard), at(0), executor(of)));
    }
  }

  std::vector<std::unique_ptr<member>> members_;
  std::vector<std::unique_ptr<seat>> seats_;
  std::vector<std::function<singer::command(member&)>> commands_;
  std::vector<
    std::tuple<std::size_t, std::size_t, std::function<void(singer::command&)>>>
    edits_;
};

} // namespace turnstile
