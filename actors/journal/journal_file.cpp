#include "actors/journal/journal_file.hpp"

#include "actors/journal/file_schema.hpp"
#include "actors/journal/journal_reader.hpp"
#include "actors/journal/page_check.hpp"
#include "actors/journal/sqlite_failure.hpp"
#include "actors/journal/way_out.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sqlite3.h>
#include <system_error>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace turnstile {

/// A request that goes on: its key, and what is counted of it.
struct journal_file::head {
  std::int64_t key = 0;
  std::uint64_t ends = 0; ///< Works that have ended: the place of the last.
  wire::Tally tally;
  bool closed = false;
};

/// A run's events.
struct journal_file::stream {
  std::int64_t key = 0;
  std::uint64_t next = 1;
  bool ended = false;
  bool is_new = false; ///< Its row is not written yet.
};

namespace {

struct life_key {
  std::string scheduler;
  std::uint64_t request = 0;
  std::uint64_t life = 0;

  friend bool operator==(const life_key&, const life_key&) = default;
};

struct life_hash {
  std::size_t operator()(const life_key& key) const noexcept {
    return std::hash<std::string>{}(key.scheduler) * 31 + key.request * 131
           + key.life;
  }
};

void bind_blob(SQLite::Statement& row, int at, const std::string& bytes) {
  row.bindNoCopy(at, bytes.data(), static_cast<int>(bytes.size()));
}

void bind_maybe_blob(SQLite::Statement& row, int at,
                     const std::optional<std::string>& bytes) {
  if (bytes)
    bind_blob(row, at, *bytes);
  else
    row.bind(at);
}

void run_once(SQLite::Statement& row) {
  row.exec();
  row.reset();
}

std::string holder_text() {
  std::string host(256, '\0');
  if (::gethostname(host.data(), host.size()) != 0)
    host = "?";
  return "process " + std::to_string(::getpid()) + " on " + host.c_str();
}

} // namespace

/// The open database, the statements that every commit needs, and the rows that
/// facts are about.
struct journal_file::connection {
  explicit connection(const journal_file_options& how)
    : db(how.path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 5000,
         page_check_vfs(how.vfs)) {
    // What is refused is left as it was.
    checkpoint_on_close(false);
    auto reserved = reserved_bytes; // of the pages of a new file
    sqlite3_file_control(db.getHandle(), "main", SQLITE_FCNTL_RESERVE_BYTES,
                         &reserved);
  }

  void checkpoint_on_close(bool wanted) {
    sqlite3_db_config(db.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE,
                      wanted ? 0 : 1, nullptr);
  }

  void prepare() {
    auto make = [&](auto& into, const char* text) { into.emplace(db, text); };
    make(own, "UPDATE owner SET facts = ?, lives = ?, lease_until = ?"
              " WHERE epoch = ?");
    make(new_request, "INSERT INTO requests VALUES"
                      "(?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, NULL, NULL, ?)");
    make(old_request,
         "UPDATE requests SET epoch = ?, closed_at = coalesce(?, closed_at),"
         " word = coalesce(?, word), closed = coalesce(?, closed),"
         " state = coalesce(?, state), tally = ? WHERE key = ?");
    make(new_work,
         "INSERT INTO works VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    make(old_work,
         "UPDATE works SET epoch = ?, place = coalesce(?, place),"
         " submissions = coalesce(?, submissions),"
         " executing = coalesce(?, executing), word = coalesce(?, word),"
         " backend = coalesce(?, backend), attempts = coalesce(?, attempts),"
         " ended = coalesce(?, ended) WHERE id = ?");
    make(new_memo, "INSERT OR REPLACE INTO memos VALUES(?, ?)");
    make(new_stream, "INSERT INTO streams VALUES(?, ?, ?, ?)");
    make(old_stream, "UPDATE streams SET next = ?, ended = ? WHERE key = ?");
    make(new_event, "INSERT INTO events VALUES(?, ?, ?, ?)");
  }

  SQLite::Database db;
  std::optional<SQLite::Statement> own;
  std::optional<SQLite::Statement> new_request;
  std::optional<SQLite::Statement> old_request;
  std::optional<SQLite::Statement> new_work;
  std::optional<SQLite::Statement> old_work;
  std::optional<SQLite::Statement> new_memo;
  std::optional<SQLite::Statement> new_stream;
  std::optional<SQLite::Statement> old_stream;
  std::optional<SQLite::Statement> new_event;

  std::unordered_map<life_key, head, life_hash> heads;
  std::unordered_map<std::string, stream> streams;
};

journal_file::journal_file(journal_file_options how, ownership_file owner)
  : how_(std::move(how)), owner_(std::move(owner)) {}

journal_file::~journal_file() = default;

result<std::unique_ptr<journal_file>>
journal_file::open(journal_file_options how) {
  if (!how.machine_now)
    how.machine_now = machine_time;
  if (!how.unix_now)
    how.unix_now = [] {
      return std::chrono::duration_cast<duration>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
    };
  const auto folder = std::filesystem::path{how.path}.parent_path();
  std::error_code problem;
  if (!folder.empty())
    std::filesystem::create_directories(folder, problem);
  if (problem)
    return fail(errc::storage_failed,
                folder.string() + ": " + problem.message());
  auto owner = ownership_file::beside(how.path);
  if (!owner)
    return fail(owner.error());
  std::unique_ptr<journal_file> file{
    new journal_file{std::move(how), std::move(*owner)}};
  const auto& path = file->how_.path;
  auto tail = check_wal(path, file->owner_, file->how_.vfs);
  if (!tail)
    return fail(tail.error());
  file->dropped_ = *tail;
  auto ready = guard_sqlite(path, [&]() -> status {
    file->sql_ = std::make_unique<connection>(file->how_);
    if (auto made = file->open_tables(); !made)
      return made;
    if (auto taken = file->take_ownership(); !taken)
      return taken;
    file->sql_->prepare();
    file->sql_->checkpoint_on_close(true);
    return {};
  });
  if (!ready)
    return fail(ready.error());
  file->owner_.acknowledge(file->facts_); // its place is kept on a full disk
  return file;
}

status journal_file::open_tables() {
  auto& db = sql_->db;
  if (db.tableExists("owner")) {
    const auto id = db.execAndGet("PRAGMA application_id").getInt();
    const auto format = db.execAndGet("PRAGMA user_version").getInt();
    if (id != journal_application_id)
      return fail(errc::invalid_argument,
                  how_.path + " is a database, but no journal");
    if (format > journal_format)
      return fail(errc::invalid_argument,
                  how_.path + " was written by a newer turnstile (format "
                    + std::to_string(format) + ", this one knows "
                    + std::to_string(journal_format) + ")");
  } else if (db.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() > 0) {
    return fail(errc::invalid_argument,
                how_.path + " is a database, but no journal");
  }
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  db.exec("PRAGMA cache_size = -65536");
  SQLite::Transaction making{db, SQLite::TransactionBehavior::IMMEDIATE};
  if (!db.tableExists("owner")) {
    db.exec("PRAGMA application_id = "
            + std::to_string(journal_application_id));
    db.exec("PRAGMA user_version = " + std::to_string(journal_format));
    db.exec(journal_tables);
  }
  db.exec(memo_tables); // which the first journals had not
  making.commit();
  return {};
}

status journal_file::take_ownership() {
  auto& db = sql_->db;
  SQLite::Transaction taking{db, SQLite::TransactionBehavior::IMMEDIATE};
  SQLite::Statement row{db, "SELECT epoch, facts, lives, holder, machine,"
                            " lease_until FROM owner"};
  if (!row.executeStep())
    return fail(errc::journal_damaged, how_.path + ": it names no owner");
  const auto last = static_cast<std::uint64_t>(row.getColumn(0).getInt64());
  facts_ = static_cast<std::uint64_t>(row.getColumn(1).getInt64());
  lives_ = static_cast<std::uint64_t>(row.getColumn(2).getInt64());
  const auto machine = machine_id();
  const auto now = how_.machine_now();
  if (owner_.is_held(last) && row.getColumn(4).getString() == machine
      && row.getColumn(5).getInt64() > now)
    return fail(errc::journal_owned,
                how_.path + ": " + row.getColumn(3).getString()
                  + " runs what is in it; it can be read meanwhile, or wait "
                    "for its end");
  if (const auto told = owner_.acknowledged(); told && *told > facts_)
    return fail(errc::journal_damaged,
                how_.path + ": "
                  + missing_text(*told - facts_, dropped_, how_.path)
                  + way_out(how_.path));
  epoch_ = last + 1;
  if (auto held = owner_.hold(epoch_); !held)
    return held;
  lease_until_ = now + how_.lease.count();
  SQLite::Statement take{db, "UPDATE owner SET epoch = ?, holder = ?,"
                             " machine = ?, lease_until = ?"};
  take.bind(1, static_cast<std::int64_t>(epoch_));
  take.bind(2, holder_text());
  take.bind(3, machine);
  take.bind(4, lease_until_);
  take.exec();
  auto highest = [&](const char* table) {
    return db.execAndGet(std::string{"SELECT coalesce(max(key), 0) FROM "}
                         + table)
             .getInt64()
           + 1;
  };
  next_key_ = highest("requests");
  next_stream_ = highest("streams");
  row.reset();
  taking.commit();
  return {};
}

// --- what facts are about

result<journal_file::head*>
journal_file::head_of(const std::string& scheduler,
                      const wire::RequestId& request, std::uint64_t life) {
  const life_key key{scheduler, request.value(), life};
  if (auto known = sql_->heads.find(key); known != sql_->heads.end())
    return &known->second;
  auto found =
    guard_sqlite(how_.path, [&]() -> result<std::optional<request_head>> {
      return journal_reader{sql_->db}.life(scheduler, request.value(), life);
    });
  if (!found)
    return fail(found.error());
  if (!*found)
    return fail(errc::unknown_request,
                "life " + std::to_string(life) + " of request "
                  + std::to_string(request.value()) + " is not in the journal");
  head made;
  made.key = (*found)->key;
  made.tally = std::move((*found)->tally);
  for (const auto& [word, works] : made.tally.ended())
    made.ends += works;
  made.closed = (*found)->closed_at.has_value();
  return &sql_->heads.emplace(key, std::move(made)).first->second;
}

result<journal_file::stream*>
journal_file::stream_of(const std::string& run_id) {
  if (auto known = sql_->streams.find(run_id); known != sql_->streams.end())
    return &known->second;
  return guard_sqlite(how_.path, [&]() -> result<stream*> {
    SQLite::Statement row{sql_->db,
                          "SELECT key, next, ended FROM streams WHERE run = ?"};
    row.bind(1, run_id);
    stream made;
    if (row.executeStep()) {
      made.key = row.getColumn(0).getInt64();
      made.next = static_cast<std::uint64_t>(row.getColumn(1).getInt64());
      made.ended = row.getColumn(2).getInt() != 0;
    } else {
      made.key = next_stream_++;
      made.is_new = true;
    }
    return &sql_->streams.emplace(run_id, made).first->second;
  });
}

// --- facts

namespace {

const wire::WorkId* work_of(const wire::Fact& fact) {
  switch (fact.kind_case()) {
  case wire::Fact::kAccepted:
    return &fact.accepted().work_id();
  case wire::Fact::kStarted:
    return &fact.started().work_id();
  case wire::Fact::kWaits:
    return &fact.waits().work_id();
  case wire::Fact::kEnded:
    return &fact.ended().work_id();
  default:
    return nullptr;
  }
}

} // namespace

// Whatever could be refused is refused here, before anything changes.
status journal_file::check(const wire::AppendFacts& facts) {
  std::vector<life_key> opened;
  auto is_known = [&](const wire::RequestId& request,
                      std::uint64_t life) -> status {
    const life_key key{facts.scheduler(), request.value(), life};
    if (std::find(opened.begin(), opened.end(), key) != opened.end())
      return {};
    if (auto whose = head_of(facts.scheduler(), request, life); !whose)
      return fail(whose.error());
    return {};
  };
  for (const auto& fact : facts.facts()) {
    if (const auto* work = work_of(fact)) {
      if (auto known = is_known(work->request(), work->life()); !known)
        return known;
      if (work->sequence() > static_cast<std::uint64_t>(row_id::max_place))
        return fail(errc::capacity, "a request in a journal has at most 2^40 "
                                    "works");
    } else if (fact.has_opened()) {
      opened.push_back({facts.scheduler(), fact.opened().request().value(),
                        fact.opened().life()});
    } else if (fact.has_closed()) {
      if (auto known = is_known(fact.closed().request(), fact.closed().life());
          !known)
        return known;
    } else if (fact.has_event()) {
      const auto& event = fact.event().event();
      auto whose = stream_of(event.run_id());
      if (!whose)
        return fail(whose.error());
      // What a scheduler says too late is dropped, not what comes with it.
      if ((*whose)->ended && facts.scheduler().empty())
        return fail(errc::state, "run " + event.run_id()
                                   + " has ended with its event "
                                   + std::to_string((*whose)->next - 1)
                                   + "; none can follow");
    } else {
      return fail(errc::invalid_argument, "Fact.kind: it is missing");
    }
  }
  return {};
}

status journal_file::append(const wire::AppendFacts& facts) {
  if (auto may = check(facts); !may)
    return may;
  for (const auto& fact : facts.facts())
    take(facts.scheduler(), fact);
  draft_.facts += static_cast<std::uint64_t>(facts.facts_size());
  return {};
}

void journal_file::take(const std::string& scheduler, const wire::Fact& fact) {
  if (fact.has_event())
    return take_event(scheduler, fact.event());
  if (fact.has_opened()) {
    const auto& opened = fact.opened();
    head made;
    made.key = next_key_++;
    auto& row = draft_.request(made.key);
    row.is_new = true;
    row.scheduler = scheduler;
    row.opened = opened;
    lives_ = std::max(lives_, opened.life() + 1);
    sql_->heads.insert_or_assign(
      life_key{scheduler, opened.request().value(), opened.life()},
      std::move(made));
    return;
  }
  if (fact.has_closed()) {
    auto& whose =
      **head_of(scheduler, fact.closed().request(), fact.closed().life());
    whose.closed = true;
    auto& row = draft_.request(whose.key);
    row.closed = fact.closed();
    row.tally = whose.tally;
    return;
  }
  const auto& id = *work_of(fact);
  auto& whose = **head_of(scheduler, id.request(), id.life());
  auto& row = draft_.work(row_id::of(whose.key, id.sequence()));
  switch (fact.kind_case()) {
  case wire::Fact::kAccepted:
    row.accepted = fact.accepted();
    whose.tally.set_accepted(whose.tally.accepted() + 1);
    draft_.request(whose.key).tally = whose.tally;
    break;
  case wire::Fact::kStarted:
    row.submissions = fact.started().submission();
    row.executing = true;
    row.backend = fact.started().backend();
    break;
  case wire::Fact::kWaits:
    row.submissions = fact.waits().submission();
    row.executing = false;
    if (fact.waits().has_attempts())
      row.attempts = fact.waits().attempts();
    break;
  default: {
    const auto& ended = fact.ended();
    row.executing = false;
    row.place = ++whose.ends;
    row.ended = ended;
    ++(*whose.tally.mutable_ended())[ended.word()];
    auto& request = draft_.request(whose.key);
    request.tally = whose.tally;
    if (ended.has_state()) {
      request.state = ended.state();
      row.ended->clear_state();
    }
  }
  }
}

void journal_file::take_event(const std::string& scheduler,
                              const wire::EventFact& fact) {
  auto& whose = **stream_of(fact.event().run_id());
  if (whose.ended) {
    spdlog::warn("event_refused run={} text=\"the run has ended\"",
                 fact.event().run_id());
    return;
  }
  auto& row = draft_.events.emplace_back();
  row.event = fact.event();
  row.event.set_number(whose.next);
  row.id = row_id::of(whose.key, whose.next++);
  if (row.event.ts_ns() == 0)
    row.event.set_ts_ns(how_.unix_now());
  whose.ended = row.event.has_run_done();
  if (fact.has_about() && row.event.has_agent_done())
    if (auto owner =
          head_of(scheduler, fact.about().request(), fact.about().life()))
      row.about = row_id::of((*owner)->key, fact.about().sequence());
}

// --- commits

status journal_file::commit() {
  if (draft_.empty())
    return {};
  auto done = guard_sqlite(how_.path, [&]() -> status {
    SQLite::Transaction keeping{sql_->db,
                                SQLite::TransactionBehavior::IMMEDIATE};
    const auto lease = how_.machine_now() + how_.lease.count();
    auto& own = *sql_->own;
    own.bind(1, static_cast<std::int64_t>(facts_ + draft_.facts));
    own.bind(2, static_cast<std::int64_t>(lives_));
    own.bind(3, lease);
    own.bind(4, static_cast<std::int64_t>(epoch_));
    const auto is_mine = own.exec() == 1;
    own.reset();
    if (!is_mine)
      return fail(errc::fenced,
                  how_.path
                    + ": another process has taken it over since this one did "
                      "nothing for too long; what runs here is its now");
    write_draft();
    keeping.commit();
    lease_until_ = lease;
    return {};
  });
  if (!done) {
    // A statement that failed half way must not keep the next try from it.
    for (auto* one : {&sql_->own, &sql_->new_request, &sql_->old_request,
                      &sql_->new_work, &sql_->old_work, &sql_->new_stream,
                      &sql_->old_stream, &sql_->new_event, &sql_->new_memo})
      (*one)->tryReset();
    return done;
  }
  settle_draft();
  owner_.acknowledge(facts_);
  return {};
}

void journal_file::write_draft() {
  const auto epoch = static_cast<std::int64_t>(epoch_);
  std::string bytes;
  for (const auto& row : draft_.requests) {
    const auto tally = row.tally.SerializeAsString();
    if (row.is_new) {
      auto& into = *sql_->new_request;
      const auto opened = row.opened.SerializeAsString();
      into.bind(1, row.key);
      into.bind(2, epoch);
      into.bindNoCopy(3, row.scheduler);
      into.bind(4, static_cast<std::int64_t>(row.opened.request().value()));
      into.bind(5, static_cast<std::int64_t>(row.opened.life()));
      into.bindNoCopy(6, row.opened.name());
      into.bindNoCopy(7, row.opened.label());
      into.bind(8, row.opened.at_unix_ns());
      bind_blob(into, 9, opened);
      bind_blob(into, 10, tally);
      run_once(into);
      if (!row.closed && !row.state)
        continue;
    }
    auto& into = *sql_->old_request;
    const auto closed = row.closed
                          ? std::optional{row.closed->SerializeAsString()}
                          : std::nullopt;
    into.bind(1, epoch);
    if (row.closed) {
      into.bind(2, row.closed->at_unix_ns());
      into.bindNoCopy(3, row.closed->word());
    } else {
      into.bind(2);
      into.bind(3);
    }
    bind_maybe_blob(into, 4, closed);
    bind_maybe_blob(into, 5, row.state);
    bind_blob(into, 6, tally);
    into.bind(7, row.key);
    run_once(into);
  }
  for (const auto& row : draft_.works) {
    const auto ended =
      row.ended ? std::optional{row.ended->SerializeAsString()} : std::nullopt;
    auto bind_place = [&](SQLite::Statement& into, int at) {
      if (row.ended)
        into.bind(at, static_cast<std::int64_t>(row.place));
      else
        into.bind(at);
    };
    auto bind_word = [&](SQLite::Statement& into, int at) {
      if (row.ended)
        into.bindNoCopy(at, row.ended->word());
      else
        into.bind(at);
    };
    if (row.accepted) {
      auto& into = *sql_->new_work;
      const auto accepted = row.accepted->SerializeAsString();
      const auto backend = row.backend.value_or("");
      into.bind(1, row.id.value);
      into.bind(2, epoch);
      bind_place(into, 3);
      into.bind(4, row.submissions.value_or(0));
      into.bind(5, row.executing.value_or(false) ? 1 : 0);
      bind_word(into, 6);
      into.bindNoCopy(7, backend);
      into.bindNoCopy(8, row.accepted->name());
      into.bindNoCopy(9, row.accepted->label());
      bind_blob(into, 10, accepted);
      bind_maybe_blob(into, 11, row.attempts);
      bind_maybe_blob(into, 12, ended);
      run_once(into);
      remember(row);
      continue;
    }
    auto& into = *sql_->old_work;
    into.bind(1, epoch);
    bind_place(into, 2);
    if (row.submissions)
      into.bind(3, *row.submissions);
    else
      into.bind(3);
    if (row.executing)
      into.bind(4, *row.executing ? 1 : 0);
    else
      into.bind(4);
    bind_word(into, 5);
    if (row.backend)
      into.bindNoCopy(6, *row.backend);
    else
      into.bind(6);
    bind_maybe_blob(into, 7, row.attempts);
    bind_maybe_blob(into, 8, ended);
    into.bind(9, row.id.value);
    run_once(into);
    remember(row);
  }
  for (const auto& row : draft_.events) {
    auto& into = *sql_->new_event;
    into.bind(1, row.id.value);
    into.bind(2, epoch);
    if (row.about) {
      auto lean = row.event; // the work's row has the rest
      auto& done = *lean.mutable_agent_done();
      done.clear_output_json();
      done.clear_findings();
      if (done.schema_retries() == 0)
        done.clear_prompt();
      lean.SerializeToString(&bytes);
      into.bind(3, row.about->value);
    } else {
      row.event.SerializeToString(&bytes);
      into.bind(3);
    }
    bind_blob(into, 4, bytes);
    run_once(into);
  }
  for (const auto& row : draft_.events) {
    const auto& run = row.event.run_id();
    const auto& whose = sql_->streams.at(run);
    if (row.event.number() + 1 != whose.next)
      continue; // it is not the run's last one here
    auto& into = whose.is_new ? *sql_->new_stream : *sql_->old_stream;
    auto at = 1;
    if (whose.is_new) {
      into.bind(at++, whose.key);
      into.bindNoCopy(at++, run);
    }
    into.bind(at++, static_cast<std::int64_t>(whose.next));
    into.bind(at++, whose.ended ? 1 : 0);
    if (!whose.is_new)
      into.bind(at, whose.key);
    run_once(into);
  }
}

void journal_file::remember(const work_row& row) {
  if (!row.ended || row.ended->memo_key().empty())
    return;
  bind_blob(*sql_->new_memo, 1, row.ended->memo_key());
  sql_->new_memo->bind(2, row.id.value);
  run_once(*sql_->new_memo);
}

void journal_file::settle_draft() {
  facts_ += draft_.facts;
  // Who has ended is looked up again, should anything still be said of it.
  if (std::any_of(draft_.requests.begin(), draft_.requests.end(),
                  [](const auto& row) { return row.closed.has_value(); }))
    std::erase_if(sql_->heads,
                  [](const auto& one) { return one.second.closed; });
  for (auto& row : draft_.events) {
    auto whose = sql_->streams.find(row.event.run_id());
    if (whose != sql_->streams.end()) {
      whose->second.is_new = false;
      if (whose->second.ended)
        sql_->streams.erase(whose);
    }
    told_.push_back(std::move(row.event));
  }
  draft_ = {};
}

status journal_file::retain(const journal_retention& what) {
  return guard_sqlite(how_.path, [&]() -> status {
    auto& db = sql_->db;
    SQLite::Transaction dropping{db, SQLite::TransactionBehavior::IMMEDIATE};
    SQLite::Statement surplus{
      db, "SELECT key, name FROM requests WHERE closed_at < ?"
          " UNION SELECT * FROM (SELECT key, name FROM requests"
          "  WHERE closed_at IS NOT NULL ORDER BY key DESC LIMIT -1 OFFSET ?)"};
    surplus.bind(1, what.max_age ? how_.unix_now() - what.max_age->count()
                                 : std::numeric_limits<std::int64_t>::min());
    surplus.bind(2,
                 static_cast<std::int64_t>(std::min<std::uint64_t>(
                   what.max_ended, std::numeric_limits<std::int64_t>::max())));
    auto drop = [&](const char* sql, std::int64_t first, std::int64_t last) {
      SQLite::Statement rows{db, sql};
      rows.bind(1, first);
      rows.bind(2, last);
      rows.exec();
    };
    while (surplus.executeStep()) {
      const auto key = surplus.getColumn(0).getInt64();
      drop("DELETE FROM memos WHERE work BETWEEN ? AND ?",
           row_id::of(key, 0).value, row_id::last(key).value);
      drop("DELETE FROM works WHERE id BETWEEN ? AND ?",
           row_id::of(key, 0).value, row_id::last(key).value);
      drop("DELETE FROM requests WHERE key BETWEEN ? AND ?", key, key);
      SQLite::Statement run{db, "SELECT key FROM streams WHERE run = ?"};
      run.bind(1, surplus.getColumn(1).getString());
      if (!run.executeStep())
        continue;
      const auto stream = run.getColumn(0).getInt64();
      run.reset();
      drop("DELETE FROM events WHERE id BETWEEN ? AND ?",
           row_id::of(stream, 0).value, row_id::last(stream).value);
      drop("DELETE FROM streams WHERE key BETWEEN ? AND ?", stream, stream);
    }
    db.exec("DELETE FROM commands WHERE done_at IS NOT NULL");
    surplus.reset();
    dropping.commit();
    return {};
  });
}

status journal_file::compact() {
  return guard_sqlite(how_.path, [&]() -> status {
    sql_->db.exec("VACUUM");
    sql_->db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return {};
  });
}

status journal_file::renew() {
  const auto now = how_.machine_now();
  if (now < lease_until_ - how_.lease.count() / 2)
    return {};
  return guard_sqlite(how_.path, [&]() -> status {
    SQLite::Statement own{sql_->db,
                          "UPDATE owner SET lease_until = ? WHERE epoch = ?"};
    own.bind(1, now + how_.lease.count());
    own.bind(2, static_cast<std::int64_t>(epoch_));
    if (own.exec() != 1)
      return fail(errc::fenced,
                  how_.path + ": another process has taken it over");
    lease_until_ = now + how_.lease.count();
    return {};
  });
}

// --- commands of others

std::vector<wire::JournalCommand> journal_file::take_commands() {
  std::vector<wire::JournalCommand> all;
  auto read = guard_sqlite(how_.path, [&]() -> status {
    SQLite::Statement rows{sql_->db,
                           "SELECT id, verb, run, task FROM commands"
                           " WHERE id > ? AND done_at IS NULL ORDER BY id"};
    rows.bind(1, static_cast<std::int64_t>(last_command_));
    while (rows.executeStep()) {
      auto& one = all.emplace_back();
      one.set_id(static_cast<std::uint64_t>(rows.getColumn(0).getInt64()));
      one.set_verb(rows.getColumn(1).getString());
      one.set_run(rows.getColumn(2).getString());
      one.set_task(rows.getColumn(3).getString());
      last_command_ = one.id();
    }
    return {};
  });
  if (!read)
    spdlog::warn("commands_unread text=\"{}\"", read.error().detail);
  return all;
}

status journal_file::answer(std::uint64_t command,
                            const wire::CommandAnswer& answer) {
  return guard_sqlite(how_.path, [&]() -> status {
    SQLite::Statement row{sql_->db, "UPDATE commands SET done_at = ?,"
                                    " answer = ? WHERE id = ?"};
    const auto bytes = answer.SerializeAsString();
    row.bind(1, how_.unix_now());
    bind_blob(row, 2, bytes);
    row.bind(3, static_cast<std::int64_t>(command));
    row.exec();
    return {};
  });
}

// --- questions

result<wire::History> journal_file::history(const wire::HistoryQuery& query) {
  return guard_sqlite(how_.path, [&]() -> result<wire::History> {
    journal_reader reader{sql_->db};
    auto found = reader.newest(query.scheduler(), query.request().value());
    if (!found)
      return fail(errc::unknown_request,
                  "request " + std::to_string(query.request().value())
                    + " is not in the journal");
    return reader.history(*found, query.from(), query.max());
  });
}

result<wire::EventBatch> journal_file::events(const wire::EventsQuery& query) {
  return guard_sqlite(how_.path, [&]() -> result<wire::EventBatch> {
    return journal_reader{sql_->db}.events(query.run_id(), query.from(),
                                           query.max());
  });
}

result<wire::MemoAnswer> journal_file::memo(const wire::MemoQuery& query) {
  return guard_sqlite(how_.path, [&]() -> result<wire::MemoAnswer> {
    return journal_reader{sql_->db}.memo(query);
  });
}

} // namespace turnstile
