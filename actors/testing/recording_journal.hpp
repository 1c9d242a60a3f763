#pragma once

#include "actors/caf/clock.hpp"
#include "actors/caf/spawn.hpp"
#include "actors/journal/journal_state.hpp"
#include "actors/scheduler/journal_desk.hpp"
#include "actors/testing/recording.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace turnstile::testing {

/// A journal's store that keeps everything in a recording.
class recording_store : public journal_store {
public:
  /// Takes `where` over from whoever had it, and drops what is not durable.
  /// @param unix_now what time events get that have none
  /// @param wake is called when more may become durable; from any thread
  recording_store(std::shared_ptr<recording> where,
                  std::function<std::int64_t()> unix_now,
                  std::function<void()> wake);
  ~recording_store() override;

  status append(const wire::AppendFacts& facts) override;

  /// Whether anything waits that may become durable now.
  [[nodiscard]] bool has_draft() const noexcept override;

  /// Makes durable what may become so: perhaps less than there is.
  status commit() override;
  status renew() override;
  [[nodiscard]] std::uint64_t facts() const noexcept override;
  [[nodiscard]] std::uint64_t next_life() const noexcept override;
  result<wire::History> history(const wire::HistoryQuery& query) override;
  result<wire::EventBatch> events(const wire::EventsQuery& query) override;
  result<wire::MemoAnswer> memo(const wire::MemoQuery& query) override;
  std::vector<wire::JournalCommand> take_commands() override;
  status answer(std::uint64_t command,
                const wire::CommandAnswer& answer) override;
  std::vector<wire::Event> take_events() override;

private:
  std::shared_ptr<recording> where_;
  std::function<std::int64_t()> unix_now_;
  std::uint64_t number_;
  std::uint64_t last_command_ = 0;
  bool is_stale_ = false; ///< It was given facts after another took over.
  std::vector<wire::Event> told_;
};

/// A journal for tests, and what it keeps.
struct recording_journal {
  /// For the options of a scheduler, of a run and of an event log. Its time is
  /// that of the actor system's clock, so that a recording in a still world is
  /// the same in every run.
  journal_link link;

  std::shared_ptr<recording> record;
};

/// Spawns the journal actor that programs use, over a recording in memory:
///
///   auto journal = spawn_recording_journal(world.system());
///   options.journal = journal.link;
///   journal.record->hold();           // from now on nothing is told
///   ...
///   CHECK(journal.record->text() == "opened | accepted 0, ended 0 ok");
///   journal.record->release();
///
/// `record` is what an earlier journal has left, if there was one. It wakes the
/// actor, so it is to be let go of before the actor system ends, unless the
/// actor has ended.
template <class System>
recording_journal
spawn_recording_journal(System& system,
                        std::shared_ptr<recording> record = nullptr,
                        journal_pace pace = {}) {
  if (!record)
    record = std::make_shared<recording>();
  auto whom = std::make_shared<journal_actor>();
  auto store = std::make_unique<recording_store>(
    record,
    [&clock = system.clock()] { return now(clock).time_since_epoch().count(); },
    [whom] { anon_mail(turn_atom_v).send(*whom); });
  recording_journal made;
  made.link.first_life = store->next_life();
  made.link.unix_origin = duration::zero();
  made.link.journal = spawn_journal(system, std::move(store), pace);
  *whom = made.link.journal;
  made.record = std::move(record);
  return made;
}

} // namespace turnstile::testing
