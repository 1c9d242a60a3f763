#include "actors/agent/agent_scheduler.hpp"
#include "actors/backend/answers.hpp"
#include "actors/caf/caf.hpp"
#include "actors/journal/file_schema.hpp"
#include "actors/journal/journal_file.hpp"
#include "actors/journal/journal_state.hpp"
#include "actors/journal/journal_view.hpp"
#include "actors/testing/store_around.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/scratch.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <future>
#include <string>
#include <tuple>
#include <unistd.h>
#include <vector>

// What it costs that agent tasks are durable: beside one fsync of the same
// disk, and beside SQLite alone with the same rows in batches as large.

namespace {

using namespace turnstile;
using bench::nanoseconds;
using bench::scratch;

/// Counts how often something was made durable.
class counting_store : public testing::store_around {
public:
  counting_store(std::unique_ptr<journal_store> below,
                 std::shared_ptr<std::atomic<std::uint64_t>> syncs)
    : store_around(std::move(below)), syncs_(std::move(syncs)) {}

  status commit() override {
    if (has_draft())
      ++*syncs_;
    return store_around::commit();
  }

private:
  std::shared_ptr<std::atomic<std::uint64_t>> syncs_;
};

/// Answers every task at once.
struct instant_backend {
  backend_actor::behavior_type make_behavior() {
    return {
      [](const wire::Execute& what) {
        wire::AgentOutcome outcome;
        outcome.mutable_result()->set_status(wire::AGENT_STATUS_OK);
        outcome.mutable_result()->set_output_json(R"({"answer":42})");
        auto done = about<wire::Completed>(what);
        outcome.SerializeToString(done.mutable_outcome());
        return done;
      },
      [](const wire::CancelWork& which) { return quiet_about(which); },
      [](const wire::BackendCapabilitiesQuery&) {
        return wire::BackendCapabilities{};
      },
    };
  }
};

/// Keeps so many tasks in flight until all have ended.
struct client {
  client(caf::event_based_actor* me, door_actor to, int all, int in_flight,
         std::promise<std::vector<double>>* told)
    : self(me), door(std::move(to)), left(all), ended(told) {
    for (int i = 0; i < in_flight; ++i)
      submit();
  }

  caf::behavior make_behavior() {
    return {[](int) {}};
  }

  void submit() {
    if (left == 0)
      return;
    --left;
    ++waiting;
    wire::AgentTask task;
    task.set_agent_id("0197f0a2-7f00-7000-8000-" + std::to_string(left));
    task.set_prompt("a prompt as long as a short question to an agent");
    wire::SubmitWork work;
    task.SerializeToString(work.mutable_work()->mutable_payload());
    const auto begun = std::chrono::steady_clock::now();
    mail(self, run_atom_v, std::move(work))
      .request(door, caf::infinite)
      .then(
        [this, begun](const wire::WorkEnded&) {
          latencies.push_back(std::chrono::duration<double, std::micro>(
                                std::chrono::steady_clock::now() - begun)
                                .count());
          --waiting;
          submit();
          if (left == 0 && waiting == 0)
            ended->set_value(std::move(latencies));
        },
        [](const caf::error&) { std::abort(); });
  }

  caf::event_based_actor* self;
  door_actor door;
  int left;
  int waiting = 0;
  std::vector<double> latencies;
  std::promise<std::vector<double>>* ended;
};

struct measured {
  double per_second = 0;
  double tasks_per_sync = 0;
  double p99_us = 0;
  double sync_us = 0; ///< Of one commit on average.
};

measured run(const std::string& path, int tasks, int in_flight) {
  node_config<> settings;
  caf::actor_system system{settings};
  auto syncs = std::make_shared<std::atomic<std::uint64_t>>(0);
  journal_file_options how;
  how.path = path;
  how.unix_now = [] { return std::int64_t{1}; };
  journal_link link;
  link.journal = spawn_journal_in_own_thread(
    system, std::make_unique<counting_store>(
              std::move(journal_file::open(how).value()), syncs));
  agent_scheduler_options options;
  options.concurrency = 1024;
  options.journal = link;
  backend_actor backend = spawn<instant_backend>(system);
  options.backends.add("instant", backend);
  auto scheduler = spawn_agent_scheduler(system, options).value();
  measured m;
  {
    caf::scoped_actor self{system};
    wire::RunTerms terms;
    terms.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
    terms.set_quota(1'000'000'000);
    wire::RegisterRequest request;
    request.mutable_request()->set_value(1);
    terms.SerializeToString(request.mutable_state());
    door_actor door;
    mail(self, open_atom_v, request)
      .request(scheduler, caf::infinite)
      .receive([&](const door_actor& d) { door = d; },
               [](const caf::error&) { std::abort(); });
    *syncs = 0;
    std::promise<std::vector<double>> promised;
    auto ended = promised.get_future();
    std::vector<double> latencies;
    caf::actor who;
    const auto ns = nanoseconds([&] {
      who = spawn<client>(system, door, tasks, in_flight, &promised);
      latencies = ended.get();
    });
    std::sort(latencies.begin(), latencies.end());
    m.per_second = tasks * 1e9 / ns;
    m.tasks_per_sync = tasks / static_cast<double>(*syncs);
    m.p99_us = latencies[latencies.size() * 99 / 100];
    m.sync_us = ns / 1e3 / static_cast<double>(*syncs);
    caf::anon_send_exit(who, caf::exit_reason::kill);
  }
  caf::anon_send_exit(scheduler, caf::exit_reason::kill);
  caf::anon_send_exit(backend, caf::exit_reason::kill);
  caf::anon_send_exit(link.journal, caf::exit_reason::user_shutdown);
  link = {};
  options = {};
  return m;
}

/// The rows of a journal, put into another by SQLite alone, so many tasks a
/// transaction. @returns tasks per second
double sqlite_alone(const std::string& from, const std::string& to,
                    int tasks_per_commit) {
  std::vector<std::tuple<std::int64_t, std::string, std::string, std::string,
                         std::string, std::string>>
    works;
  std::vector<std::pair<std::int64_t, std::string>> events;
  {
    auto view = journal_view::open(from).value();
    SQLite::Database db{from, SQLite::OPEN_READONLY};
    auto blob = [](const SQLite::Column& c) {
      return std::string(static_cast<const char*>(c.getBlob()),
                         static_cast<std::size_t>(c.getBytes()));
    };
    SQLite::Statement w{db, "SELECT id, backend, name, label, accepted, ended"
                            " FROM works ORDER BY id"};
    while (w.executeStep())
      works.emplace_back(w.getColumn(0).getInt64(), blob(w.getColumn(1)),
                         blob(w.getColumn(2)), blob(w.getColumn(3)),
                         blob(w.getColumn(4)), blob(w.getColumn(5)));
    SQLite::Statement e{db, "SELECT id, event FROM events ORDER BY id"};
    while (e.executeStep())
      events.emplace_back(e.getColumn(0).getInt64(), blob(e.getColumn(1)));
  }
  SQLite::Database db{to, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  db.exec("PRAGMA cache_size = -65536");
  db.exec(journal_tables);
  SQLite::Statement w{db, "INSERT INTO works VALUES"
                          "(?, 1, 1, 1, 0, 'ok', ?, ?, ?, ?, NULL, ?)"};
  SQLite::Statement e{db, "INSERT INTO events VALUES(?, 1, NULL, ?)"};
  std::size_t event = 0;
  const auto ns = nanoseconds([&] {
    for (std::size_t i = 0; i < works.size();) {
      SQLite::Transaction all{db, SQLite::TransactionBehavior::IMMEDIATE};
      for (int n = 0; n < tasks_per_commit && i < works.size(); ++n, ++i) {
        const auto& [id, backend, name, label, accepted, ended] = works[i];
        w.bind(1, id);
        w.bindNoCopy(2, backend);
        w.bindNoCopy(3, name);
        w.bindNoCopy(4, label);
        w.bindNoCopy(5, accepted.data(), static_cast<int>(accepted.size()));
        w.bindNoCopy(6, ended.data(), static_cast<int>(ended.size()));
        w.exec();
        w.reset();
        for (int k = 0; k < 2 && event < events.size(); ++k, ++event) {
          e.bind(1, events[event].first);
          e.bindNoCopy(2, events[event].second.data(),
                       static_cast<int>(events[event].second.size()));
          e.exec();
          e.reset();
        }
      }
      all.commit();
    }
  });
  return static_cast<double>(works.size()) * 1e9 / ns;
}

double fsync_us(const std::filesystem::path& folder) {
  const int file =
    ::open((folder / "raw").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  const std::string page(4096, 'x');
  constexpr int times = 200;
  const auto ns = nanoseconds([&] {
    for (int i = 0; i < times; ++i)
      if (::pwrite(file, page.data(), page.size(), 4096L * i) != 4096
          || ::fdatasync(file) != 0)
        std::abort();
  });
  ::close(file);
  return ns / 1e3 / times;
}

void durable_tasks() {
  scratch disk;
  std::printf("  one fdatasync of 4 KiB: %.0f us\n", fsync_us(disk.path));
  std::printf("  in flight   tasks/s   SQLite alone   share   tasks/sync"
              "   us/sync   p99 us   p99 in syncs\n");
  for (const auto& [in_flight, tasks] :
       {std::pair{1, 2'000}, {64, 30'000}, {1024, 100'000}}) {
    scratch one;
    const auto m = run(one.file(), tasks, in_flight);
    const auto alone =
      sqlite_alone(one.file(), one.path / "alone.db",
                   std::max(1, static_cast<int>(m.tasks_per_sync + 0.5)));
    std::printf("  %9d %9.0f %14.0f %6.0f%% %12.2f %9.0f %8.0f %14.1f\n",
                in_flight, m.per_second, alone, 100 * m.per_second / alone,
                m.tasks_per_sync, m.sync_us, m.p99_us, m.p99_us / m.sync_us);
  }
}

const bench::registered here{"journal: durable agent tasks", durable_tasks};

} // namespace
