#pragma once

#include "core/work/report.hpp"
#include "tests/model/records.hpp"
#include "tests/model/rules.hpp"
#include "tests/model/told.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile::model {

/// How a completion that is pushed goes out.
struct completion {
  std::optional<errc> failed;
  std::uint32_t outcome = 0;
};

/// The other ranks of a group: they say what this rank says, except where
/// `skew` has them see something else.
struct group_plan {
  enum class skew : std::uint8_t { none, lags, odd_failed, all_done };
  enum class reply : std::uint8_t { frames, fails, too_few, differs };

  std::size_t ranks = 1;
  skew seen = skew::none;
  bool later = false; ///< Answers by `resume` only.
  bool seed = true;   ///< By the rules of the seed.
  reply answer = reply::frames;
};

/// The scheduler as the decisions describe it, and nothing more: vectors,
/// linear search, and everything computed that can be computed. It shares no
/// code with core; where the two differ, one of them is wrong.
class naive_scheduler {
public:
  explicit naive_scheduler(rules r) : rules_(r) {}

  steering world; ///< What the user's values do to the model.

  told validate(request_id id);
  told register_request(request_id id, std::uint64_t value);
  told finish(request_id id, std::int64_t now);
  told cancel(request_id id, std::int64_t now);
  told cancel_work(const work_id& id, std::int64_t now);
  told release(request_id id);
  told forget(request_id id);
  told edit(request_id id, std::uint64_t add, bool throws);
  told refresh(request_id id);

  told enqueue(request_id id, const std::vector<order>& orders);
  told requeue(const work_id& id, std::optional<std::int64_t> not_before,
               std::int64_t now);
  told park(const work_id& id, std::int64_t now);
  told unpark(const work_id& id, std::int64_t now);
  told resources_changed(const work_id& id, std::uint64_t resources);

  told observe(const work_id& id, completion what, std::uint32_t number);
  told complete(const work_id& id, completion what, std::uint32_t number,
                std::int64_t now);
  told poll(std::int64_t now);
  told prepare(std::uint64_t limit, std::int64_t now);
  told submit(std::int64_t now);
  told local_turn(std::int64_t now);
  told distributed_turn(group_plan group, std::int64_t now);
  told cancel_distributed(request_id id, group_plan group, std::int64_t now);
  told resume(group_plan::reply answer, std::int64_t now);
  told durable(std::uint64_t position, std::int64_t now);
  told poison(std::int64_t now);

  // --- looking (naive_looks.cpp)
  [[nodiscard]] scheduler_report report() const;
  [[nodiscard]] std::string next_wake(std::int64_t now) const;
  [[nodiscard]] std::string request_picture(request_id id) const;
  [[nodiscard]] std::string works_picture() const;
  [[nodiscard]] std::string backends_picture() const;
  [[nodiscard]] int phase() const { return turn_ ? turn_->phase : 0; }
  [[nodiscard]] const std::vector<life>& lives() const { return lives_; }
  [[nodiscard]] std::uint64_t requests() const { return rules_.requests; }
  [[nodiscard]] std::uint64_t newest_fact() const { return facts_; }

private:
  struct failed_work {
    at who;
    errc why;
  };
  struct doomed_life {
    std::size_t which;
    errc why;
  };
  struct held_end {
    std::uint64_t position;
    std::optional<at> who; ///< Nothing: the life itself.
    std::size_t which;
    bucket how;
    work_lifecycle last;
    std::string reason;
    errc why;
  };
  /// A commit that all ranks have to have made before it is told.
  struct tried_commit {
    at who;
    std::optional<errc> why;
  };
  struct turn {
    int phase = 0; ///< As `turn_phase`.
    group_plan group;
    std::vector<at> due;
    std::vector<at> works;
    std::vector<seen> saw; ///< When the ranks were asked.
    std::vector<at> plan;  ///< What they are asked about next.
    std::int64_t now = 0;  ///< When it began.
    request_id cancelled;
  };

  work& of(at who) { return lives_[who.first].works[who.second]; }
  [[nodiscard]] const work& of(at who) const {
    return lives_[who.first].works[who.second];
  }
  [[nodiscard]] std::optional<std::size_t> owner(request_id id) const;
  [[nodiscard]] std::optional<std::size_t> active(request_id id) const;
  [[nodiscard]] std::optional<at> find(const work_id& id) const;
  [[nodiscard]] std::size_t count_live(std::size_t which) const;
  [[nodiscard]] std::uint64_t accepted_now() const;
  [[nodiscard]] std::uint64_t slots_in_use() const;
  [[nodiscard]] std::uint64_t kept_resources() const;
  [[nodiscard]] std::uint64_t active_requests() const;
  [[nodiscard]] std::vector<at> at_backends() const;
  [[nodiscard]] std::uint64_t room() const;
  [[nodiscard]] std::uint64_t wanted() const;
  [[nodiscard]] bool is_blocked(std::size_t which) const;
  [[nodiscard]] std::optional<at> first_in_order(std::size_t which) const;
  template <class Wanted>
  [[nodiscard]] std::vector<at> all_works(Wanted&& wanted) const;

  [[nodiscard]] std::optional<errc> may_change() const;
  static told refused(errc code);
  void forget_news();
  void begin(std::int64_t now);
  told whole(std::string said = "ok");
  told touch_running(const work_id& id, std::optional<at>& who) const;

  // --- places (naive_places.cpp)
  void enter_queue(at who, bool in_front);
  void leave(at who);
  void note_peaks();
  void read_resources(work& w) const;

  // --- ends (naive_ends.cpp)
  bool discard(at who);
  void end_work(at who, bucket how, work_lifecycle last, std::string reason,
                errc why = errc::state);
  void tell_work(at who, bucket how, work_lifecycle last,
                 const std::string& reason, errc why);
  static bucket unsubmitted(const work& w);
  void drop(at who, bucket how, const std::string& reason);
  void retire(std::size_t which, request_status how, std::optional<errc> why);
  void abandon(at who);
  void trim();
  void poison_now();

  // --- settling (naive_settles.cpp)
  void look();
  void settle();
  void settle(const std::vector<at>& done, std::vector<failed_work> failures,
              bool expires);
  void release_kept(at who);
  void note_late(at who);
  void complete_one(at who, std::vector<failed_work>& failures,
                    std::vector<at>* missed);
  void commit_waiting(std::size_t which, std::vector<failed_work>& failures,
                      std::vector<at>* missed);
  [[nodiscard]] bool missed_commit(at who) const;
  std::optional<errc> commit(at who);
  fault apply(at who);
  void set_aside(at who, std::optional<errc> why);
  void put_back(at who, std::optional<std::int64_t> not_before);
  void resolve(std::vector<failed_work> failures);

  // --- turns (naive_turns.cpp)
  std::vector<at> take_expired();
  void expire(const std::vector<at>& due);
  void expire_one(at who);
  void drop_alone(at who, const std::string& unrun);
  void wake_due();
  void watch(at who);
  void prepare_some(std::uint64_t limit, bool defer_failures = false);
  std::optional<errc> branch_off(at who);
  void submit_some(bool defer_failures);
  std::optional<errc> execute(at who);
  void ask_permissions(std::size_t which);

  // --- other ranks (naive_ranks.cpp)
  told ask(turn t);
  told go_on(turn t);
  void settle_agreed(const turn& t);
  void apply_outcomes();
  void tell_tried();
  void settle_tried();
  void settle_plan(const std::vector<at>& plan);
  [[nodiscard]] std::string observation_words(const turn& t) const;
  [[nodiscard]] std::string schedule_words(const turn& t) const;

  rules rules_;
  std::vector<life> lives_;
  std::vector<std::size_t> ready_; ///< Lives, next one first.
  std::vector<at> prepared_;       ///< Longest prepared first.
  std::vector<held_end> held_;
  std::vector<std::size_t> states_; ///< Ended, state not taken; oldest first.
  std::vector<std::size_t> droppable_; ///< What retention may drop; same.
  std::vector<std::pair<std::string, bool>> backends_;
  std::optional<turn> turn_;
  std::vector<tried_commit> tried_;
  bool commits_wait_ = false;
  told out_;
  std::int64_t now_ = 0;
  std::uint64_t facts_ = 0;
  std::uint64_t submissions_ = 0;
  bool poisoned_ = false;
  bool all_preemptible_ = true;
  scheduler_report counted_; ///< Only what cannot be computed from the above.
};

} // namespace turnstile::model
