#pragma once

namespace turnstile {

/// "Tstl": in the header of every journal, so that no other database is taken
/// for one.
inline constexpr int journal_application_id = 0x5473746c;

/// Grows when an older program could not read the file any more.
inline constexpr int journal_format = 1;

/// The tables of a journal. Blobs are messages of messages/journal.proto and
/// event.proto; `epoch` says under whose ownership a row was last written.
///
/// | table | a row is |
/// |---|---|
/// | owner | who may write; how many facts there ever were |
/// | requests | a life of a request; `tally`: how many works ended how |
/// | works | a work, by request and sequence (`row_id`) |
/// | streams | the events of a run: the number of the next one |
/// | events | an event, by stream and number (`row_id`) |
/// | memos | which work's outcome is remembered under a key, the newest |
/// | commands | what another process wants of the owner |
inline constexpr const char* journal_tables = R"(
CREATE TABLE owner(
  one INTEGER PRIMARY KEY CHECK(one = 1),
  epoch INTEGER NOT NULL,
  facts INTEGER NOT NULL,
  lives INTEGER NOT NULL,
  holder TEXT NOT NULL,
  machine TEXT NOT NULL,
  lease_until INTEGER NOT NULL);
INSERT INTO owner VALUES(1, 0, 0, 0, '', '', 0);
CREATE TABLE requests(
  key INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  scheduler TEXT NOT NULL,
  request INTEGER NOT NULL,
  life INTEGER NOT NULL,
  name TEXT NOT NULL,
  label TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  word TEXT,
  opened BLOB NOT NULL,
  closed BLOB,
  state BLOB,
  tally BLOB NOT NULL,
  UNIQUE(scheduler, request, life));
CREATE INDEX requests_by_name ON requests(name);
CREATE TABLE works(
  id INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  place INTEGER,
  submissions INTEGER NOT NULL,
  executing INTEGER NOT NULL,
  word TEXT,
  backend TEXT NOT NULL,
  name TEXT NOT NULL,
  label TEXT NOT NULL,
  accepted BLOB NOT NULL,
  attempts BLOB,
  ended BLOB);
CREATE INDEX works_by_label ON works(label);
CREATE TABLE streams(
  key INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE,
  next INTEGER NOT NULL,
  ended INTEGER NOT NULL);
CREATE TABLE events(
  id INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  about INTEGER,
  event BLOB NOT NULL);
CREATE TABLE commands(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  verb TEXT NOT NULL,
  run TEXT NOT NULL,
  task TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  done_at INTEGER,
  answer BLOB);
)";

/// Journals that were made before it lack this one.
inline constexpr const char* memo_tables = R"(
CREATE TABLE IF NOT EXISTS memos(
  key BLOB PRIMARY KEY,
  work INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS memos_by_work ON memos(work);
)";

} // namespace turnstile
