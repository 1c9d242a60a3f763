#include "actors/agent/agent_scheduler.hpp"
#include "actors/agent/uuid.hpp"
#include "actors/journal/journal_file.hpp"
#include "actors/journal/open_journal.hpp"
#include "actors/node/explain.hpp"
#include "actors/node/past_run.hpp"
#include "actors/node/plan_task.hpp"
#include "actors/node/stored_plan.hpp"
#include "core/base/stable_hash.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/scratch.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <cstdio>
#include <functional>
#include <string>

// How long it takes to go on with a run of very many tasks, and to look into a
// journal of as many.

namespace {

using namespace turnstile;
using bench::nanoseconds;
using bench::scratch;

/// Appends facts, and commits them in large parts.
class writer {
public:
  explicit writer(const std::string& path) {
    journal_file_options how;
    how.path = path;
    file_ = journal_file::open(std::move(how)).value();
    facts_.set_scheduler("agents");
  }

  wire::Fact& add() { return *facts_.add_facts(); }

  void flush(bool now = false) {
    if (!now && facts_.facts_size() < 30'000)
      return;
    if (!file_->append(facts_) || !file_->commit())
      std::abort();
    facts_.clear_facts();
  }

private:
  std::unique_ptr<journal_file> file_;
  wire::AppendFacts facts_;
};

/// A run of `tasks` tasks, of which the last `open` have not ended.
void write_run(writer& to, std::uint64_t life, const wire::RunTerms& terms,
               std::uint64_t tasks, std::uint64_t open, bool closes) {
  const auto request = stable_hash(terms.run_id());
  auto& opened = *to.add().mutable_opened();
  opened.mutable_request()->set_value(request);
  opened.set_life(life);
  opened.set_name(terms.run_id());
  opened.set_label(terms.name());
  terms.SerializeToString(opened.mutable_terms());
  for (std::uint64_t i = 0; i < tasks; ++i) {
    wire::WorkId id;
    id.mutable_request()->set_value(request);
    id.set_sequence(i);
    id.set_life(life);
    wire::AgentTask task;
    task.set_name("task-" + std::to_string(i));
    task.set_agent_id(uuid_within(terms.run_id(), task.name()));
    task.set_prompt("a prompt as long as a short question to an agent");
    auto& accepted = *to.add().mutable_accepted();
    *accepted.mutable_work_id() = id;
    accepted.set_name(task.agent_id());
    accepted.set_label(task.name());
    task.SerializeToString(accepted.mutable_payload());
    if (i + open < tasks) {
      wire::TaskRecord record;
      record.mutable_result()->set_agent_id(task.agent_id());
      record.mutable_result()->set_status(wire::AGENT_STATUS_OK);
      record.mutable_result()->set_output_json(R"({"answer":42})");
      record.set_attempts(1);
      auto& ended = *to.add().mutable_ended();
      *ended.mutable_work_id() = id;
      ended.set_lifecycle(wire::WORK_LIFECYCLE_COMMITTED);
      ended.set_ran(true);
      ended.set_word("ok");
      record.SerializeToString(ended.mutable_outcome());
    }
    to.flush();
  }
  if (!closes)
    return;
  auto& closed = *to.add().mutable_closed();
  closed.mutable_request()->set_value(request);
  closed.set_life(life);
  closed.set_word("completed");
  closed.set_status(wire::REQUEST_STATUS_FINISHED);
}

void recovery() {
  std::printf("     tasks   seconds until the run goes on\n");
  for (const std::uint64_t tasks : {10'000U, 100'000U, 1'000'000U}) {
    scratch disk;
    wire::RunTerms terms;
    terms.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
    terms.set_quota(2'000'000);
    {
      writer to{disk.file()};
      write_run(to, 0, terms, tasks, 1000, false);
      to.flush(true);
    }
    node_config<> settings;
    caf::actor_system system{settings};
    journal_link link;
    scheduler_actor scheduler;
    const auto ns = nanoseconds([&] {
      link = open_journal(system, disk.file()).value();
      agent_scheduler_options options;
      options.journal = link;
      scheduler = spawn_agent_scheduler(system, options).value();
      wire::ResumeRequest again;
      again.mutable_request()->set_value(stable_hash(terms.run_id()));
      caf::scoped_actor self{system};
      mail(self, open_atom_v, again)
        .request(scheduler, caf::infinite)
        .receive([](const door_actor&) {},
                 [](const caf::error&) { std::abort(); });
    });
    std::printf("  %8llu %9.2f\n", static_cast<unsigned long long>(tasks),
                ns / 1e9);
    caf::anon_send_exit(scheduler, caf::exit_reason::kill);
    caf::anon_send_exit(link.journal, caf::exit_reason::user_shutdown);
    scheduler = nullptr;
    link = {};
  }
}

config::plan plan_of(std::uint64_t tasks) {
  config::plan plan;
  plan.run = "bench";
  config::backend_settings backend;
  backend.name = "s";
  backend.is_default = true;
  backend.is = config::backend_settings::type::scripted;
  backend.script.emplace_back();
  plan.backends.push_back(backend);
  for (std::uint64_t i = 0; i < tasks; ++i) {
    config::task_settings task;
    task.name = "task-" + std::to_string(i);
    plan.tasks.push_back(std::move(task));
  }
  return plan;
}

void looking() {
  constexpr std::uint64_t runs = 1000;
  constexpr std::uint64_t tasks = 1000;
  scratch disk;
  std::string last;
  {
    writer to{disk.file()};
    const auto plan = plan_of(tasks);
    for (std::uint64_t i = 0; i < runs; ++i) {
      last = make_uuid();
      auto terms = node::terms_of(plan, last);
      node::to_stored(plan).SerializeToString(terms.mutable_plan());
      write_run(to, i, terms, tasks, i + 1 == runs ? 1 : 0, i + 1 < runs);
    }
    to.flush(true);
  }
  std::printf("  %llu runs of %llu tasks, ms\n",
              static_cast<unsigned long long>(runs),
              static_cast<unsigned long long>(tasks));
  using node::past_run;
  auto measure = [&](const char* what, auto then) {
    const auto ns = nanoseconds([&] {
      auto journal = journal_view::open(disk.file()).value();
      then(journal);
    });
    std::printf("  %-8s %9.1f\n", what, ns / 1e6);
  };
  auto run_of = [&](journal_view& journal) {
    return node::read_past_run(journal,
                               node::find_run(journal, last, false).value())
      .value();
  };
  measure("list", [](journal_view& journal) {
    static_cast<void>(
      journal.see([](journal_reader& reader) -> result<std::size_t> {
        return reader.all(10'000).size();
      }));
  });
  measure("status", [&](journal_view& journal) {
    static_cast<void>(node::find_run(journal, last, false).value());
  });
  measure("report", [&](journal_view& journal) {
    static_cast<void>(node::read_result(journal, run_of(journal)).value());
  });
  measure("explain", [&](journal_view& journal) {
    static_cast<void>(
      node::explain(journal, run_of(journal), "task-999").value());
  });
  measure("events", [&](journal_view& journal) {
    static_cast<void>(
      journal.see([&](journal_reader& reader) -> result<wire::EventBatch> {
        return reader.events(last, 1, 0);
      }));
  });
}

const bench::registered recovers{"recovery: a run of many tasks goes on",
                                 recovery};
const bench::registered looks{"looking: into a journal of a million tasks",
                              looking};

} // namespace
