#pragma once

#include "actors/journal/journal_file.hpp"
#include "actors/journal/journal_view.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

// The files of a journal as bytes, and facts to fill it with.

namespace journal_tests {

inline std::string bytes_of(const std::string& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  std::string bytes(none ? 0 : size, '\0');
  std::ifstream{path, std::ios::binary}.read(bytes.data(), std::ssize(bytes));
  return bytes;
}

/// Writes over a file that may be open.
inline void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream{path, std::ios::binary} << bytes;
}

/// All that is kept of a journal. What a process that is killed leaves is what
/// is there while it lives.
struct journal_files {
  std::string database;
  std::string log;
  std::string owner;

  static journal_files at(const std::string& path) {
    return {bytes_of(path), bytes_of(path + "-wal"), bytes_of(path + "-owner")};
  }

  /// Puts them where no process has them.
  void put(const std::string& path) const {
    std::filesystem::remove(path + "-shm");
    std::filesystem::remove(path + "-wal");
    put_bytes(path, database);
    if (!log.empty())
      put_bytes(path + "-wal", log);
    put_bytes(path + "-owner", owner);
  }
};

/// Two facts: request `number` begins and event `number` + 1 of "run" tells
/// it, in so many bytes.
inline turnstile::wire::AppendFacts two_facts(std::uint64_t number,
                                              std::size_t bytes = 10) {
  turnstile::wire::AppendFacts facts;
  facts.set_scheduler("test");
  auto& opened = *facts.add_facts()->mutable_opened();
  opened.mutable_request()->set_value(number);
  opened.set_life(number);
  opened.set_name("request " + std::to_string(number));
  auto& event = *facts.add_facts()->mutable_event()->mutable_event();
  event.set_run_id("run");
  event.mutable_log()->set_msg(std::string(bytes, 'x'));
  return facts;
}

/// "fine", or what opening and verifying say.
inline std::string verdict(const std::string& path) {
  auto view = turnstile::journal_view::open(path);
  if (!view)
    return to_string(view.error());
  auto wrong = view->verify();
  if (!wrong)
    return to_string(wrong.error());
  std::string text;
  for (const auto& line : *wrong)
    text += line + '\n';
  return text.empty() ? "fine" : text;
}

/// Which requests and events `two_facts` has left, as "2 requests, events 1 2".
inline std::string content(turnstile::journal_file& file) {
  std::uint64_t requests = 0;
  for (;; ++requests) {
    turnstile::wire::HistoryQuery query;
    query.set_scheduler("test");
    query.mutable_request()->set_value(requests);
    if (!file.history(query))
      break;
  }
  auto text = std::to_string(requests) + " requests, events";
  turnstile::wire::EventsQuery query;
  query.set_run_id("run");
  query.set_from(1);
  query.set_max(1000);
  if (auto events = file.events(query))
    for (const auto& event : events->events())
      text += ' ' + std::to_string(event.number());
  return text;
}

} // namespace journal_tests
