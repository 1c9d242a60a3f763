#include "actors/node/cancel_in_journal.hpp"

#include "actors/agent/agent_scheduler.hpp"
#include "actors/journal/open_journal.hpp"
#include "actors/journal/ownership.hpp"
#include "actors/journal/page_check.hpp"
#include "actors/journal/sqlite_failure.hpp"
#include "core/base/stable_hash.hpp"
#include "messages/translate.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <optional>
#include <thread>

namespace turnstile::node {

namespace {

/// Whether a process owns the journal and lives.
bool has_owner(SQLite::Database& db, const std::string& path) {
  auto locks = ownership_file::open(path + "-owner");
  const auto epoch = db.execAndGet("SELECT epoch FROM owner").getInt64();
  return locks && locks->is_held(static_cast<std::uint64_t>(epoch));
}

std::optional<wire::CommandAnswer> answer_to(SQLite::Database& db,
                                             std::int64_t command) {
  SQLite::Statement row{
    db, "SELECT answer FROM commands WHERE id = ? AND done_at IS NOT NULL"};
  row.bind(1, command);
  if (!row.executeStep())
    return std::nullopt;
  wire::CommandAnswer answer;
  answer.ParseFromArray(row.getColumn(0).getBlob(),
                        row.getColumn(0).getBytes());
  return answer;
}

/// Asks the owner. Nothing if there is none, or it ends before it answers.
result<bool> ask_owner(const std::string& path, const std::string& run,
                       const std::string& agent) {
  return guard_sqlite(path, [&]() -> result<bool> {
    SQLite::Database db{path, SQLite::OPEN_READWRITE, 5000, page_check_vfs()};
    if (!has_owner(db, path))
      return false;
    SQLite::Statement ask{db, "INSERT INTO commands(verb, run, task, asked_at)"
                              " VALUES('cancel', ?, ?, ?)"};
    ask.bind(1, run);
    ask.bind(2, agent);
    ask.bind(3, std::chrono::duration_cast<duration>(
                  std::chrono::system_clock::now().time_since_epoch())
                  .count());
    ask.exec();
    const auto command = db.getLastInsertRowid();
    for (;;) {
      if (auto answer = answer_to(db, command)) {
        if (!answer->has_failure())
          return true;
        auto why = from_wire(answer->failure());
        return fail(why ? std::move(*why) : std::move(why.error()));
      }
      if (!has_owner(db, path))
        return false;
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
  });
}

/// Takes the run up and cancels it before anything of it runs.
status cancel_here(const std::string& path, const request_head& run) {
  node_config<> settings;
  caf::actor_system system{settings};
  auto journal = open_journal(system, path);
  if (!journal)
    return fail(journal.error());
  agent_scheduler_options options;
  options.journal = *journal;
  auto scheduler = spawn_agent_scheduler(system, std::move(options));
  status done;
  if (!scheduler) {
    done = fail(scheduler.error());
  } else {
    caf::scoped_actor self{system};
    auto failed = [&](const caf::error& why) {
      done = fail(to_failure(system, why));
    };
    wire::ResumeRequest order;
    order.mutable_request()->set_value(stable_hash(run.name));
    order.set_cancel_at_once(true);
    door_actor door;
    mail(self, open_atom_v, order)
      .request(*scheduler, caf::infinite)
      .receive([&](const door_actor& opened) { door = opened; }, failed);
    if (done)
      mail(self, wire::AwaitRequest{})
        .request(door, caf::infinite)
        .receive([](const wire::RequestEnded&) {}, failed);
    caf::anon_send_exit(*scheduler, caf::exit_reason::user_shutdown);
  }
  caf::anon_send_exit(journal->journal, caf::exit_reason::user_shutdown);
  *journal = {}; // before the actor system goes, which waits for that
  return done;
}

} // namespace

status cancel_in_journal(const std::string& path, const request_head& run,
                         const std::string& agent) {
  auto asked = ask_owner(path, run.name, agent);
  if (!asked)
    return fail(asked.error());
  if (*asked)
    return {};
  if (!agent.empty())
    return fail(errc::state, "no process runs " + run.name
                               + "; cancel the whole run, or a task of it "
                                 "while turnstile resume goes on with it");
  return cancel_here(path, run);
}

} // namespace turnstile::node
