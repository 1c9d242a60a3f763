#pragma once

#include "actors/journal/row_id.hpp"
#include "core/base/result.hpp"
#include "messages/journal.pb.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace SQLite {
class Database;
} // namespace SQLite

namespace turnstile {

/// What a journal says of a request in one line.
struct request_head {
  std::int64_t key = 0;
  std::string scheduler;
  std::uint64_t life = 0;
  std::string name;
  std::string label;
  std::int64_t opened_at = 0;
  std::optional<std::int64_t> closed_at;
  std::string word; ///< How it ended; empty: it has not.
  wire::Tally tally;
};

/// One work, as far as it is looked at without its bytes.
struct work_head {
  row_id id;
  std::string name;
  std::string label;
  std::string backend;
  std::string word; ///< How it ended; empty: it has not.
  std::uint32_t submissions = 0;
  bool executing = false;
};

/// Questions to the tables of a journal. Throws SQLite::Exception.
class journal_reader {
public:
  explicit journal_reader(SQLite::Database& db) : db_(db) {}

  /// The newest life of a request, ended or not.
  std::optional<request_head> newest(const std::string& scheduler,
                                     std::uint64_t request);
  std::optional<request_head> life(const std::string& scheduler,
                                   std::uint64_t request, std::uint64_t life);

  /// The newest request of that name.
  std::optional<request_head> named(const std::string& name);

  /// All requests, newest first, up to `max`.
  std::vector<request_head> all(std::uint32_t max);

  /// The begin and the end of a request and its kept state, if asked from its
  /// first work on, and a page of its
  /// works from a sequence on. Of works that have ended it has their names and
  /// their end alone, not what they were to do.
  wire::History history(const request_head& of, std::uint64_t from,
                        std::uint32_t max);

  /// The works of a request that have this label or name.
  std::vector<work_head> works_called(const request_head& of,
                                      const std::string& text);
  std::optional<wire::WorkHistory> work(row_id id);

  /// A page of a run's events; `next` is the number after the last one there.
  wire::EventBatch events(const std::string& run, std::uint64_t from,
                          std::uint32_t max);

  /// The newest outcome that is remembered under a key.
  wire::MemoAnswer memo(const wire::MemoQuery& query);

private:
  void fill(wire::Event& event, row_id about);

  SQLite::Database& db_;
};

} // namespace turnstile
