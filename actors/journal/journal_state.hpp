#pragma once

#include "actors/caf/caf.hpp"
#include "actors/interfaces.hpp"
#include "actors/journal/journal_store.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace turnstile {

/// How a journal actor paces itself.
struct journal_pace {
  /// How long facts wait for company that nobody waits for.
  duration linger = std::chrono::milliseconds{20};

  /// How long after a failure it tries again.
  duration retry_after = std::chrono::seconds{1};

  /// How often it looks for what other processes want.
  duration look_every = std::chrono::milliseconds{200};

  /// How often it says that it lives.
  duration renew_every = std::chrono::seconds{4};
};

/// A journal over some store: decides when to commit, and tells who waits.
///
/// While a commit is under way, facts gather in the mailbox; the next commit
/// takes all of them. So under load one sync serves many, and without load each
/// is served at once.
///
/// Invariants:
/// (1) Whoever appended and was not told that its facts are durable, or why
///     they never will be, is in `owed_`, and its facts are in the draft; or
///     both are in `untaken_`.
/// (2) Whoever asked and was not answered is in `questions_`, and a timer will
///     ask again.
class journal_state {
public:
  static constexpr const char* name = "turnstile.journal";

  journal_state(journal_actor::pointer self,
                std::unique_ptr<journal_store> store, journal_pace pace = {});

  /// Makes durable what nobody waits for any more.
  ~journal_state();

  journal_actor::behavior_type make_behavior();

private:
  /// Whoever waits for the durability of all facts up to this one.
  struct awaited {
    owed_answer<wire::Durable> who;
    std::uint64_t facts = 0;
  };

  /// Asks the store again. @returns whether that was answered, be it with an
  /// error; with `lost` it is, at once
  using question = std::function<bool(const failure* lost)>;

  /// Facts that the store could not look into just now.
  struct untaken {
    wire::AppendFacts facts;
    owed_answer<wire::Durable> who; ///< Nobody, if they are lazy.
  };

  caf::result<wire::Durable> append(const wire::AppendFacts& facts);
  caf::result<wire::Durable> keep_waiting(const wire::AppendFacts& facts,
                                          bool is_lazy);
  status take_waiting();
  void count(const wire::AppendFacts& facts);
  template <class Answer, class Query>
  caf::result<Answer>
  look_up(result<Answer> (journal_store::*how)(const Query&),
          const Query& query);
  void ask_again();
  void try_later();
  void commit();
  void stumble(failure why);
  void give_up(const failure& why);
  void tell(const wire::StorageState& state);
  void arm_commit();
  void ring_later(duration after, std::uint64_t number);
  void renew();
  void look();
  void pass_on(const wire::JournalCommand& command, std::size_t watcher);
  caf::result<void> watch(const storage_watcher_actor& who);
  void tell_events();
  void answer_later(std::uint64_t command, wire::CommandAnswer answer);
  void answer_commands();

  journal_actor::pointer self_;
  pacer_actor pacer_;
  std::unique_ptr<journal_store> store_;
  journal_pace pace_;
  std::uint64_t taken_;         ///< Facts, ever, those in the draft included.
  std::deque<awaited> owed_;    ///< In the order of their facts.
  std::deque<untaken> untaken_; ///< In the order in which they came.
  std::deque<question> questions_;
  std::deque<std::pair<std::uint64_t, wire::CommandAnswer>> answers_;
  std::vector<storage_watcher_actor> watchers_;
  std::vector<event_log_actor> logs_;
  std::optional<wire::StorageState> trouble_;
  bool turn_pending_ = false; ///< A commit is on its way to us.
  bool lingers_ = false;      ///< A timer will ask for one.
};

/// Spawns a journal over `store`, in a thread of its own if its parent's world
/// has threads (`spawn_detached`).
template <class Parent>
journal_actor spawn_journal(Parent&& parent,
                            std::unique_ptr<journal_store> store,
                            journal_pace pace = {}) {
  return spawn<journal_state>(parent, std::move(store), pace);
}

template <class Parent>
journal_actor spawn_journal_in_own_thread(Parent&& parent,
                                          std::unique_ptr<journal_store> store,
                                          journal_pace pace = {}) {
  return spawn_detached<journal_state>(parent, std::move(store), pace);
}

} // namespace turnstile
