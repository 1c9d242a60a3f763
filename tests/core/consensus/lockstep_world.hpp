#pragma once

#include "core/turn/lockstep.hpp"
#include "tests/core/consensus/choir_program.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// What a network does to messages; each in thousandths of them.
struct network {
  std::uint64_t delays = 0; ///< Takes up to `slowest`, not one step.
  std::uint64_t doubles = 0;
  std::uint64_t loses = 0;
  duration slowest{500};
};

/// A group of ranks, its network and its backends on one made-up time, all of
/// it drawn from a seed. Each rank has a clock of its own, which may be hours
/// off. There are no actors: `run` hands over one message or timer at a time.
class lockstep_world {
public:
  using rank_type = lockstep_rank<singing>;

  lockstep_world(std::size_t ranks, std::uint64_t seed, network net)
    : dice_(seed), net_(net) {
    for (std::size_t rank = 0; rank < ranks; ++rank)
      seats_.push_back(std::make_unique<seat>(*this, rank, ranks));
  }

  // --- what comes from outside

  /// Gives the leader a command to put into its next turn.
  void command(const command_terms& terms, std::uint32_t pitch = 0) {
    pending_.push_back({terms, pitch});
  }

  /// Ends a rank, without a word to anybody.
  void kill(std::size_t rank) { seats_[rank]->is_dead = true; }

  /// Puts a new rank into the place of a dead one, with another one's states.
  void replace(std::size_t rank, std::size_t donor) {
    auto fresh = std::make_unique<seat>(*this, rank, seats_.size());
    seats_[donor]->core.for_each_frozen(
      [&](request_id id, std::uint64_t commits, const song& state) {
        fresh->core.adopt(id, commits, *song::decode(*state.encode()));
      });
    if (!fresh->core.poison_reason())
      fresh->core.poison("it waits for its group to be formed", instant{});
    seats_[rank] = std::move(fresh);
  }

  /// Does what an operator does before ranks can be formed anew: what only some
  /// of them keep is taken out, and of the rest all get the newest state.
  void reconcile() {
    std::map<request_id, std::pair<std::size_t, kept_state>> newest;
    for (auto& each : seats_) {
      if (!each->core.poison_reason())
        each->core.poison("the operator stops it", instant{});
      each->core.for_each_frozen(
        [&](request_id id, std::uint64_t commits, const song& state) {
          auto& [ranks, best] = newest[id];
          ++ranks;
          if (ranks == 1 || commits > best.first)
            best = {commits, state};
        });
    }
    for (const auto& [id, kept] : newest)
      for (auto& each : seats_)
        if (kept.first < seats_.size())
          (void)each->core.release(id);
        else
          (void)each->core.adopt(id, kept.second.first,
                                 song{kept.second.second});
  }

  /// Has the leader open a formation for all.
  void form(std::uint64_t epoch) {
    const auto opened =
      seats_[0]->rank.begin_formation(epoch, local_of(*seats_[0]));
    post_opening(opened, {});
  }

  /// Makes the network a good one from now on.
  void mend() { net_ = {}; }

  // --- what happens

  /// Lets everything happen that does within so much time, or until nothing
  /// does.
  void run(duration time) {
    const auto end = now_ + time;
    while (step(end))
      for (auto& each : seats_)
        if (!each->is_dead)
          each->core.audit();
    now_ = end;
  }

  /// Whether submissions are refused and executions fail now and then.
  bool has_bad_days = false;

  // --- what can be seen

  [[nodiscard]] std::size_t ranks() const { return seats_.size(); }
  singer& core(std::size_t rank) { return seats_[rank]->core; }
  rank_type& rank(std::size_t rank) { return seats_[rank]->rank; }
  [[nodiscard]] const std::string& told(std::size_t rank) const {
    return seats_[rank]->told;
  }
  [[nodiscard]] std::string song_of(std::size_t rank, request_id id) const {
    const auto* state = seats_[rank]->core.request_state(id);
    return state != nullptr ? state->sung : "none";
  }
  [[nodiscard]] std::uint64_t messages() const { return posted_; }
  [[nodiscard]] std::uint64_t at_backends() const {
    std::uint64_t works = 0;
    for (const auto& each : seats_)
      works += each->running;
    return works;
  }
  [[nodiscard]] bool has_pending_commands() const { return !pending_.empty(); }

private:
  using happening = std::function<void()>;
  using kept_state = std::pair<std::uint64_t, song>;

  struct order {
    command_terms terms;
    std::uint32_t pitch = 0;
  };

  struct seat final : rank_type::host {
    seat(lockstep_world& in, std::size_t number, std::size_t ranks)
      : world(&in), number(number),
        skew(std::chrono::hours{static_cast<std::int64_t>(in.below(5)) - 2}),
        core(*singer::create(settings())),
        rank(core, *this, group(ranks, number),
             [this](const submission& what, const note& work, std::string&) {
               return execute(what, work);
             }) {}

    static scheduler_settings settings() {
      scheduler_settings s;
      s.limits = {6, 40, 3, 4, 2, 1, 40};
      s.keep.max_ended_requests = 4;
      return s;
    }

    static lockstep_settings group(std::size_t ranks, std::size_t number) {
      return {ranks, number, 42, 1, duration{5'000}};
    }

    result<singing::output_type> execute(const submission& what,
                                         const note& work) {
      if (world->has_bad_days && world->one_in(40))
        return fail(errc::submission, "no more breath");
      world->start(*this, what, work);
      return singing::output_type{};
    }

    void send(const frame& word) override { world->post_frame(number, word); }

    /// Notes a turn's rows down once it is over, kind by kind.
    void did(singer::outcome&& out) override {
      for (const auto& row : out.commands)
        parts[0] +=
          row.refused
            ? "refused:" + std::string{to_string(row.refused->code)} + "\n"
            : "obeyed\n";
      for (const auto& row : out.committed)
        parts[1] += "committed:" + to_string(row.id) + "\n";
      for (const auto& row : out.failed)
        parts[2] += "failed:" + to_string(row.id) + "\n";
      for (const auto& row : out.dropped)
        parts[3] += "dropped:" + to_string(row.id) + "\n";
      for (const auto& row : out.ended)
        parts[4] += "ended:" + to_string(row.request) + ":"
                    + std::string{to_string(row.status)} + "\n";
      for (const auto& row : out.revived)
        parts[5] += "revived:" + to_string(row.request) + "\n";
      if (out.poisoned)
        parts[5] += "poisoned\n";
      if (out.waiting == turn_phase::idle)
        for (auto& part : parts)
          told += std::exchange(part, {});
    }

    void did_not_form(const failure& why) override {
      told += "unformed: " + to_string(why) + "\n";
    }

    lockstep_world* world;
    std::size_t number;
    duration skew;
    singer core;
    rank_type rank;
    std::array<std::string, 6> parts;
    std::string told;
    std::uint64_t running = 0;
    bool is_dead = false;
  };

  // --- chance

  std::uint64_t below(std::uint64_t bound) { return dice_() % bound; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  // --- time

  instant local_of(const seat& of) const { return now_ + of.skew; }

  void at_time(instant when, happening what) {
    happenings_.emplace(std::pair{when, ++happened_}, std::move(what));
  }

  /// Does the next thing, if it is before `end`. Things that are due at the
  /// same time happen in the order in which they were said.
  bool step(instant end) {
    drive_leader();
    auto due =
      happenings_.empty() ? instant::max() : happenings_.begin()->first.first;
    auto* late = first_deadline(due);
    if (due > end)
      return false;
    now_ = std::max(now_, due);
    if (late != nullptr) {
      late->rank.tick(local_of(*late));
    } else {
      auto next = happenings_.extract(happenings_.begin());
      next.mapped()();
    }
    return true;
  }

  /// Whose timer or whose own next turn comes before `due`, which it lowers.
  seat* first_deadline(instant& due) {
    seat* first = nullptr;
    for (auto& each : seats_) {
      if (each->is_dead)
        continue;
      if (auto at = each->rank.deadline(); at && *at - each->skew < due) {
        due = *at - each->skew;
        first = each.get();
      }
    }
    return first;
  }

  /// Opens a turn if the leader has a reason to.
  void drive_leader() {
    auto& leader = *seats_[0];
    if (leader.is_dead || !leader.rank.is_idle())
      return;
    const auto local = local_of(leader);
    const auto next = leader.rank.next_turn(local);
    const auto now = leader.rank.clock().estimate(local);
    if (pending_.empty() && !is_asked_) {
      if (!next)
        return;
      if (*next > now) {
        look_again(now_ + (*next - now));
        return;
      }
    }
    is_asked_ = false;
    post_opening(leader.rank.begin(local), std::exchange(pending_, {}));
  }

  void look_again(instant when) {
    if (looks_at_ != when)
      at_time(when, [] {});
    looks_at_ = when;
  }

  // --- messages

  void post(std::size_t to, happening what, bool may_be_lost = true) {
    ++posted_;
    if (may_be_lost && below(1'000) < net_.loses)
      return;
    const auto copies = below(1'000) < net_.doubles ? 2U : 1U;
    for (std::uint64_t copy = 0; copy < copies; ++copy) {
      auto takes = duration{1};
      if (below(1'000) < net_.delays)
        takes = duration{static_cast<std::int64_t>(
          1 + below(static_cast<std::uint64_t>(net_.slowest.count())))};
      at_time(now_ + takes, [this, to, what] {
        if (!seats_[to]->is_dead)
          what();
      });
    }
  }

  void post_frame(std::size_t from, const frame& word) {
    if (seats_.size() > from)
      for (std::size_t to = 0; to < seats_.size(); ++to)
        post(
          to,
          [this, from, to, word] {
            auto& seat = *seats_[to];
            seat.rank.arrive(from, word, local_of(seat));
          },
          to != from);
  }

  void post_opening(const turn_opening& what,
                    const std::vector<order>& orders) {
    for (std::size_t to = 1; to < seats_.size(); ++to)
      post(to, [this, to, what, orders] { open(to, what, orders); });
    open(0, what, orders);
  }

  void open(std::size_t to, const turn_opening& what,
            const std::vector<order>& orders) {
    auto& seat = *seats_[to];
    std::vector<singer::command> commands;
    for (const auto& one : orders) {
      auto& made = commands.emplace_back();
      made.terms = one.terms;
      if (one.terms.kind == command_kind::register_request)
        made.state.emplace();
      for (std::uint64_t i = 0; i < one.terms.works; ++i)
        made.works.push_back({one.pitch, nullptr});
    }
    seat.rank.open(what, std::move(commands), local_of(seat));
  }

  // --- backends

  void start(seat& at, const submission& what, const note& work) {
    ++at.running;
    const auto takes = duration{static_cast<std::int64_t>(1 + below(2'000))};
    const auto breaks = has_bad_days && one_in(30);
    const auto number = at.number;
    at_time(now_ + takes, [this, number, id = what.id, pitch = work.pitch,
                           breaks] { finish(number, id, pitch, breaks); });
  }

  void finish(std::size_t number, const work_id& id, std::uint32_t pitch,
              bool breaks) {
    auto& seat = *seats_[number];
    if (seat.is_dead)
      return;
    seat.running -= seat.running > 0 ? 1 : 0; // a new rank has none of these
    if (breaks)
      seat.core.observe(id, fail(errc::completion, "a string broke"));
    else
      seat.core.observe(id, std::to_string(pitch) + " ");
    if (seat.core.poison_reason()) {
      seat.did(seat.core.poll_completions(seat.rank.clock().last()));
      return;
    }
    seat.rank.note_news();
    if (number != 0)
      post(
        0, [this] { is_asked_ = true; }, false);
  }

  std::mt19937_64 dice_;
  network net_;
  instant now_;
  std::map<std::pair<instant, std::uint64_t>, happening> happenings_;
  std::uint64_t happened_ = 0;
  std::uint64_t posted_ = 0;
  std::vector<order> pending_;
  std::optional<instant> looks_at_; ///< When it is looked at the leader again.
  bool is_asked_ = false; ///< A rank has told the leader that it has news.
  std::vector<std::unique_ptr<seat>> seats_;
};

} // namespace turnstile
