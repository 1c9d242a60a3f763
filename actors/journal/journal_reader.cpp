#include "actors/journal/journal_reader.hpp"

#include "actors/journal/lost_work.hpp"
#include "messages/agent.pb.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <string_view>

namespace turnstile {

namespace {

constexpr const char* head_columns =
  "key, scheduler, life, name, label, opened_at, closed_at, word, tally";
constexpr const char* work_columns =
  "id, submissions, executing, place, backend, accepted, attempts, ended, name,"
  " label";

std::string select(std::string_view columns, std::string_view rest) {
  std::string text = "SELECT ";
  return text.append(columns).append(" ").append(rest);
}

std::string bytes_of(const SQLite::Column& column) {
  return {static_cast<const char*>(column.getBlob()),
          static_cast<std::size_t>(column.getBytes())};
}

template <class Message>
void read(const SQLite::Column& column, Message& into) {
  if (!into.ParseFromArray(column.getBlob(), column.getBytes()))
    throw SQLite::Exception{"a row holds no " + into.GetTypeName(), 11};
}

request_head head_of(SQLite::Statement& row) {
  request_head head;
  head.key = row.getColumn(0).getInt64();
  head.scheduler = row.getColumn(1).getString();
  head.life = static_cast<std::uint64_t>(row.getColumn(2).getInt64());
  head.name = row.getColumn(3).getString();
  head.label = row.getColumn(4).getString();
  head.opened_at = row.getColumn(5).getInt64();
  if (!row.getColumn(6).isNull())
    head.closed_at = row.getColumn(6).getInt64();
  if (!row.getColumn(7).isNull())
    head.word = row.getColumn(7).getString();
  read(row.getColumn(8), head.tally);
  return head;
}

std::optional<request_head> first_head(SQLite::Statement& query) {
  if (!query.executeStep())
    return std::nullopt;
  return head_of(query);
}

void read_work(SQLite::Statement& row, wire::WorkHistory& into) {
  into.set_submissions(row.getColumn(1).getUInt());
  into.set_executing(row.getColumn(2).getInt() != 0);
  if (!row.getColumn(3).isNull())
    into.set_place(static_cast<std::uint64_t>(row.getColumn(3).getInt64()));
  into.set_backend(row.getColumn(4).getString());
  read(row.getColumn(5), *into.mutable_accepted());
  if (!row.getColumn(6).isNull())
    into.set_attempts(bytes_of(row.getColumn(6)));
  if (!row.getColumn(7).isNull())
    read(row.getColumn(7), *into.mutable_ended());
}

/// What is still of use of a work once it has ended: nobody does it again.
void read_ended_work(SQLite::Statement& row, wire::WorkHistory& into) {
  into.set_ended_as_kept(bytes_of(row.getColumn(7)));
  into.set_place(static_cast<std::uint64_t>(row.getColumn(3).getInt64()));
  auto& accepted = *into.mutable_accepted();
  accepted.set_name(row.getColumn(8).getString());
  accepted.set_label(row.getColumn(9).getString());
}

} // namespace

std::optional<request_head> journal_reader::newest(const std::string& scheduler,
                                                   std::uint64_t request) {
  SQLite::Statement query{
    db_,
    select(head_columns, "FROM requests WHERE scheduler = ? AND request = ?"
                         " ORDER BY life DESC LIMIT 1")};
  query.bind(1, scheduler);
  query.bind(2, static_cast<std::int64_t>(request));
  return first_head(query);
}

std::optional<request_head> journal_reader::life(const std::string& scheduler,
                                                 std::uint64_t request,
                                                 std::uint64_t life) {
  SQLite::Statement query{
    db_,
    select(head_columns,
           "FROM requests WHERE scheduler = ? AND request = ? AND life = ?")};
  query.bind(1, scheduler);
  query.bind(2, static_cast<std::int64_t>(request));
  query.bind(3, static_cast<std::int64_t>(life));
  return first_head(query);
}

std::optional<request_head> journal_reader::named(const std::string& name) {
  SQLite::Statement query{
    db_, select(head_columns,
                "FROM requests WHERE name = ? ORDER BY key DESC LIMIT 1")};
  query.bind(1, name);
  return first_head(query);
}

std::vector<request_head> journal_reader::all(std::uint32_t max) {
  SQLite::Statement query{
    db_, select(head_columns, "FROM requests ORDER BY key DESC LIMIT ?")};
  query.bind(1, max);
  std::vector<request_head> heads;
  while (query.executeStep())
    heads.push_back(head_of(query));
  return heads;
}

wire::History journal_reader::history(const request_head& of,
                                      std::uint64_t from, std::uint32_t max) {
  constexpr std::uint32_t most = 4096;
  wire::History history;
  SQLite::Statement head{
    db_, "SELECT opened, closed, state FROM requests WHERE key = ?"};
  head.bind(1, of.key);
  if (from == 0 && head.executeStep()) {
    read(head.getColumn(0), *history.mutable_opened());
    if (!head.getColumn(1).isNull())
      read(head.getColumn(1), *history.mutable_closed());
    if (!head.getColumn(2).isNull())
      history.set_state(bytes_of(head.getColumn(2)));
  }
  const auto limit = max == 0 ? most : std::min(max, most);
  SQLite::Statement works{db_, select(work_columns,
                                      "FROM works WHERE id BETWEEN ? AND ?"
                                      " ORDER BY id LIMIT ?")};
  works.bind(1, row_id::of(of.key, from).value);
  works.bind(2, row_id::last(of.key).value);
  works.bind(3, limit + 1);
  history.set_next(from);
  while (works.executeStep()) {
    if (static_cast<std::uint32_t>(history.works_size()) == limit) {
      history.set_more(true);
      break;
    }
    const row_id id{works.getColumn(0).getInt64()};
    if (works.getColumn(7).isNull())
      read_work(works, *history.add_works());
    else
      read_ended_work(works, *history.add_works());
    history.set_next(id.place() + 1);
  }
  return history;
}

std::vector<work_head> journal_reader::works_called(const request_head& of,
                                                    const std::string& text) {
  std::vector<work_head> found;
  auto collect = [&](const char* where) {
    SQLite::Statement query{
      db_,
      select("id, name, label, backend, word, submissions, executing", where)};
    query.bind(1, text);
    query.bind(2, row_id::of(of.key, 0).value);
    query.bind(3, row_id::last(of.key).value);
    while (query.executeStep())
      found.push_back(
        {{query.getColumn(0).getInt64()},
         query.getColumn(1).getString(),
         query.getColumn(2).getString(),
         query.getColumn(3).getString(),
         query.getColumn(4).isNull() ? "" : query.getColumn(4).getString(),
         query.getColumn(5).getUInt(),
         query.getColumn(6).getInt() != 0});
  };
  collect("FROM works WHERE label = ? AND id BETWEEN ? AND ? ORDER BY id");
  if (found.empty())
    collect("FROM works WHERE name = ? AND id BETWEEN ? AND ? ORDER BY id");
  return found;
}

std::optional<wire::WorkHistory> journal_reader::work(row_id id) {
  SQLite::Statement query{db_, select(work_columns, "FROM works WHERE id = ?")};
  query.bind(1, id.value);
  if (!query.executeStep())
    return std::nullopt;
  wire::WorkHistory work;
  read_work(query, work);
  return work;
}

// What `journal_file` leaves out of an event, since the work's row has it.
void journal_reader::fill(wire::Event& event, row_id about) {
  auto& done = *event.mutable_agent_done();
  const auto known = work(about);
  if (!known || is_lost(known->ended()))
    return done.set_trimmed(true);
  wire::TaskRecord record;
  if (record.ParseFromString(known->ended().outcome())) {
    done.set_output_json(record.result().output_json());
    *done.mutable_findings() = record.result().findings();
  }
  wire::AgentTask task;
  if (done.prompt().empty()
      && task.ParseFromString(known->accepted().payload()))
    done.set_prompt(task.prompt());
}

wire::EventBatch journal_reader::events(const std::string& run,
                                        std::uint64_t from, std::uint32_t max) {
  constexpr std::uint32_t usual = 256;
  constexpr std::uint32_t most = 4096;
  wire::EventBatch batch;
  const auto first = std::max<std::uint64_t>(from, 1);
  batch.set_next(first);
  SQLite::Statement head{db_,
                         "SELECT key, next, ended FROM streams WHERE run = ?"};
  head.bind(1, run);
  if (!head.executeStep())
    return batch;
  const auto key = head.getColumn(0).getInt64();
  SQLite::Statement rows{db_, "SELECT id, about, event FROM events WHERE id"
                              " BETWEEN ? AND ? ORDER BY id LIMIT ?"};
  rows.bind(1, row_id::of(key, first).value);
  rows.bind(2, row_id::last(key).value);
  rows.bind(3, max == 0 ? usual : std::min(max, most));
  while (rows.executeStep()) {
    auto& event = *batch.add_events();
    read(rows.getColumn(2), event);
    if (!rows.getColumn(1).isNull())
      fill(event, {rows.getColumn(1).getInt64()});
    batch.set_next(event.number() + 1);
  }
  const auto next = static_cast<std::uint64_t>(head.getColumn(1).getInt64());
  batch.set_ended(head.getColumn(2).getInt() != 0 && batch.next() >= next);
  return batch;
}

wire::MemoAnswer journal_reader::memo(const wire::MemoQuery& query) {
  wire::MemoAnswer answer;
  SQLite::Statement found{db_, "SELECT work FROM memos WHERE key = ?"};
  found.bindNoCopy(1, query.key().data(), static_cast<int>(query.key().size()));
  if (!found.executeStep())
    return answer;
  const row_id id{found.getColumn(0).getInt64()};
  SQLite::Statement whose{db_, "SELECT name FROM requests WHERE key = ?"};
  whose.bind(1, id.key());
  if (!whose.executeStep())
    return answer;
  answer.set_run(whose.getColumn(0).getString());
  if (answer.run() == query.not_of_run())
    return {};
  if (auto known = work(id))
    answer.set_outcome(std::move(*known->mutable_ended()->mutable_outcome()));
  return answer;
}

} // namespace turnstile
