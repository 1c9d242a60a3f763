#pragma once

#include "actors/journal/row_id.hpp"
#include "messages/journal.pb.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace turnstile {

/// A row of the table `requests` that is to be written.
struct request_row {
  std::int64_t key = 0;
  bool is_new = false;
  std::string scheduler;
  wire::OpenedFact opened; ///< Only if it is new.
  std::optional<wire::ClosedFact> closed;
  std::optional<std::string> state;
  wire::Tally tally;
};

/// A row of the table `works` that is to be written. What is absent stays.
struct work_row {
  row_id id;
  std::optional<wire::AcceptedFact> accepted; ///< Then the row is new.
  std::optional<std::uint32_t> submissions;
  std::optional<bool> executing;
  std::optional<std::string> backend;
  std::optional<std::string> attempts;
  std::optional<wire::EndedFact> ended;
  std::uint64_t place = 0; ///< Of its end.
};

/// A row of the table `events` that is to be written.
struct event_row {
  row_id id;
  std::optional<row_id> about;
  wire::Event event;
};

/// The rows that the facts since the last commit come to: a work that came,
/// ran and ended in between is one row, written once.
struct journal_draft {
  std::vector<request_row> requests;
  std::vector<work_row> works;
  std::vector<event_row> events;
  std::unordered_map<std::int64_t, std::size_t> request_at; ///< By key.
  std::unordered_map<std::int64_t, std::size_t> work_at;    ///< By row.
  std::uint64_t facts = 0;

  request_row& request(std::int64_t key) {
    const auto [found, is_new] = request_at.emplace(key, requests.size());
    if (is_new)
      requests.emplace_back().key = key;
    return requests[found->second];
  }

  work_row& work(row_id id) {
    const auto [found, is_new] = work_at.emplace(id.value, works.size());
    if (is_new)
      works.emplace_back().id = id;
    return works[found->second];
  }

  [[nodiscard]] bool empty() const noexcept { return facts == 0; }
};

} // namespace turnstile
