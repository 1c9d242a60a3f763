#pragma once

#include "actors/journal/journal_draft.hpp"
#include "actors/journal/journal_retention.hpp"
#include "actors/journal/journal_store.hpp"
#include "actors/journal/ownership.hpp"
#include "actors/journal/wal_check.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "messages/journal.pb.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// Which file a journal is kept in, and how.
struct journal_file_options {
  std::string path;

  /// Below SQLite, by its name there; empty: the system's.
  std::string vfs;

  /// For how long an owner that does nothing, though it lives, keeps the
  /// journal: then another process may take it over.
  duration lease = std::chrono::seconds{15};

  /// Nanoseconds since the machine started, and since the Unix epoch. By
  /// default what the machine says.
  std::function<std::int64_t()> machine_now;
  std::function<std::int64_t()> unix_now;
};

/// A journal in an SQLite file, owned by this process: facts come in as they
/// happen (`append`), and many of them become durable together (`commit`). See
/// `file_schema.hpp` for what lies where.
///
/// Invariants:
/// (1) A commit writes all facts that were appended since the last one, or
///     nothing.
/// (2) The numbers of a run's events have no holes.
/// (3) Nothing is written once another process has taken the journal over:
///     every commit first finds its own epoch in the file (else `fenced`).
///
/// Blocks; not thread-safe.
class journal_file : public journal_store {
public:
  /// Opens or makes the file and becomes its owner: `journal_owned` if somebody
  /// else is, `journal_damaged`, `storage_full`, `storage_failed`.
  static result<std::unique_ptr<journal_file>> open(journal_file_options how);
  ~journal_file() override;

  status append(const wire::AppendFacts& facts) override;
  [[nodiscard]] bool has_draft() const noexcept override {
    return !draft_.empty();
  }

  /// With one sync.
  status commit() override;

  /// Renews the lease, if half of it is over and no commit did.
  status renew() override;

  [[nodiscard]] std::uint64_t facts() const noexcept override { return facts_; }

  /// Forgets all other requests that have ended, with their works and events,
  /// and answered commands. Their space is used again.
  status retain(const journal_retention& what);

  /// Gives the file's unused space back. Takes as much again meanwhile.
  status compact();

  /// What a crash had left of a commit and opening has dropped.
  [[nodiscard]] const wal_tail& dropped() const noexcept { return dropped_; }

  [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }
  [[nodiscard]] std::uint64_t next_life() const noexcept override {
    return lives_;
  }
  result<wire::History> history(const wire::HistoryQuery& query) override;
  result<wire::EventBatch> events(const wire::EventsQuery& query) override;
  result<wire::MemoAnswer> memo(const wire::MemoQuery& query) override;
  std::vector<wire::JournalCommand> take_commands() override;
  status answer(std::uint64_t command,
                const wire::CommandAnswer& answer) override;
  std::vector<wire::Event> take_events() override {
    return std::exchange(told_, {});
  }

private:
  struct connection;
  struct head;
  struct stream;

  journal_file(journal_file_options how, ownership_file owner);

  status open_tables();
  status take_ownership();
  result<head*> head_of(const std::string& scheduler,
                        const wire::RequestId& request, std::uint64_t life);
  result<stream*> stream_of(const std::string& run_id);
  status check(const wire::AppendFacts& facts);
  void take(const std::string& scheduler, const wire::Fact& fact);
  void take_event(const std::string& scheduler, const wire::EventFact& fact);
  void write_draft();
  void remember(const work_row& row);
  void settle_draft();

  journal_file_options how_;
  ownership_file owner_;
  wal_tail dropped_;
  std::unique_ptr<connection> sql_;
  journal_draft draft_;
  std::vector<wire::Event> told_;
  std::uint64_t facts_ = 0;
  std::uint64_t epoch_ = 0;
  std::uint64_t lives_ = 0;
  std::uint64_t last_command_ = 0;
  std::int64_t next_key_ = 1;
  std::int64_t next_stream_ = 1;
  std::int64_t lease_until_ = 0;
};

} // namespace turnstile
