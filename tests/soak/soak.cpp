// A long day of an agent scheduler: tasks that succeed, fail, hang, are too
// late, are cancelled at any time, answer nonsense, or start runs of their own;
// and a checker that reads every event and every answer.
//
//   turnstile_soak TASKS SEED
//
// Ends with 0 if nothing was wrong, and says what it has seen.

#include "actors/agent/agent_run.hpp"
#include "actors/agent/agent_scheduler.hpp"
#include "actors/backend/answers.hpp"
#include "actors/backend/backend_with.hpp"
#include "actors/backend/submission_key.hpp"
#include "actors/events/event_log.hpp"
#include "actors/testing/still_world.hpp"
#include "core/attempt/random_source.hpp"
#include "messages/orders.hpp"
#include "messages/translate.hpp"
#include "tests/actors/asking.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace turnstile;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t slots = 16;
constexpr std::uint64_t backend_room = 12; // of one of the two backends
constexpr std::uint64_t tasks_per_run = 500;
constexpr std::uint64_t runs_at_once = 4;

/// What is seen, and what is wrong with it.
struct book {
  std::uint64_t executing = 0;
  std::uint64_t peak = 0;
  std::uint64_t calls = 0;
  std::uint64_t problems = 0;
  std::map<std::string, std::uint64_t> ends; ///< Of tasks, by how.

  void wrong(const std::string& what) {
    if (++problems <= 20)
      std::fprintf(stderr, "wrong: %s\n", what.c_str());
  }

  void begin() {
    ++calls;
    peak = std::max(peak, ++executing);
    if (executing > slots)
      wrong(std::to_string(executing) + " attempts run in "
            + std::to_string(slots) + " slots");
  }

  void end() { --executing; }
};

struct stage {
  scheduler_actor scheduler;
  event_log_actor events;
  std::uint64_t nested = 0; ///< Runs that tasks have started.
  book seen;
};

wire::AgentTask task(const std::string& id, random_source& chance) {
  wire::AgentTask made;
  made.set_agent_id(id);
  made.set_prompt("do " + id);
  made.set_backend(chance.draw() % 3 == 0 ? "narrow" : "wide");
  made.set_attempt_timeout_ns(duration{200ms}.count());
  if (chance.draw() % 10 == 0)
    made.set_output_schema_json(R"({"type":"integer"})");
  if (chance.draw() % 20 == 0)
    made.set_deadline_ns(
      duration{std::chrono::milliseconds{1 + chance.draw() % 2000}}.count());
  return made;
}

wire::RunTerms terms_of(const std::string& id, std::uint64_t seed) {
  wire::RunTerms terms;
  terms.set_run_id(id);
  terms.set_seed(seed);
  terms.set_quota(static_cast<std::uint32_t>(tasks_per_run * 9 / 10));
  auto& retry = *terms.mutable_retry();
  retry.set_max_retries(2);
  retry.set_initial_backoff_ns(duration{10ms}.count());
  retry.set_multiplier(2);
  retry.set_max_backoff_ns(duration{100ms}.count());
  retry.set_full_jitter(true);
  retry.set_schema_retry_max(1);
  return terms;
}

// --- a backend in all moods

using moody_actor = backend_with<caf::result<void>(wake_atom, std::uint64_t)>;

class moody {
public:
  moody(moody_actor::pointer self, std::shared_ptr<stage> where,
        std::uint64_t seed)
    : self_(self), stage_(std::move(where)), chance_(seed) {}

  moody_actor::behavior_type make_behavior() {
    return {
      [this](const wire::Execute& what) { return execute(what); },
      [this](const wire::CancelWork& which) {
        if (const auto key = key_of(which, "CancelWork"))
          if (const auto found = numbers_.find(*key); found != numbers_.end())
            end(found->second,
                failed_with(which, {errc::cancelled, "stopped"}));
        return quiet_about(which);
      },
      [](const wire::BackendCapabilitiesQuery&) {
        return wire::BackendCapabilities{};
      },
      [this](wake_atom, std::uint64_t number) { succeed(number); },
    };
  }

private:
  struct running {
    wire::Execute what;
    wire::AgentTask task;
    owed_answer<wire::Completed> owed;
    bool executing = true;
    agent_run_actor run; ///< Of its own.
  };

  caf::result<wire::Completed> execute(const wire::Execute& what) {
    stage_->seen.begin();
    const auto number = ++number_;
    auto& one = running_[number];
    one.what = what;
    one.task = *work_in<wire::AgentTask>(what);
    one.owed = owed_answer<wire::Completed>{self_};
    numbers_[*key_of(what, "Execute")] = number;
    auto later = one.owed.later();
    const auto mood = chance_.draw() % 100;
    if (mood < 3 && one.task.run_id().find('/') == std::string::npos)
      nest(number);
    else if (mood >= 5) // else it hangs
      mail(self_, wake_atom_v, number)
        .delay(caf::timespan{std::chrono::milliseconds{mood % 20}})
        .send(moody_actor{self_});
    return later;
  }

  /// Ends as its mood is.
  void succeed(std::uint64_t number) {
    const auto found = running_.find(number);
    if (found == running_.end())
      return;
    wire::AgentOutcome outcome;
    const auto mood = chance_.draw() % 100;
    outcome.mutable_tokens_spent()->set_input(1);
    if (mood < 15)
      *outcome.mutable_error() =
        to_wire(backend_error{backend_error_kind::spawn, "moody", {}});
    else if (mood < 18)
      *outcome.mutable_error() =
        to_wire(backend_error{backend_error_kind::connection, "moody", 20ms});
    else if (mood < 20)
      *outcome.mutable_error() =
        to_wire(backend_error{backend_error_kind::parse, "moody", {}});
    else {
      auto& result = *outcome.mutable_result();
      result.set_status(wire::AGENT_STATUS_OK);
      result.set_output_json(mood < 40 ? "\"no\"" : "1");
      result.mutable_tokens_used()->set_input(1);
    }
    end(number, completed_with(found->second.what, outcome));
  }

  void end(std::uint64_t number, wire::Completed how) {
    auto one = running_.extract(number);
    if (!one)
      return;
    numbers_.erase(*key_of(one.mapped().what, "Execute"));
    if (one.mapped().executing)
      stage_->seen.end();
    one.mapped().owed.settle(std::move(how));
  }

  /// Starts a run of its own, and waits for its tasks without a slot.
  void nest(std::uint64_t number) {
    auto& one = running_[number];
    const auto id = one.task.run_id() + "/" + std::to_string(++stage_->nested);
    agent_run_options options;
    options.terms = terms_of(id, chance_.draw());
    one.run = spawn_agent_run(self_, stage_->scheduler, options);
    wire::AgentTasks all;
    for (const auto* name : {"x", "y", "z"})
      *all.add_tasks() = task(name, chance_);
    stage_->seen.end();
    one.executing = false;
    mail(self_, about<wire::ParkWork>(one.what)).send(stage_->scheduler);
    mail(self_, all)
      .request(one.run, caf::infinite)
      .then([this, number](const wire::TaskAnswers&) { finish(number); },
            [this](const caf::error&) { stage_->seen.wrong("a lost run"); });
  }

  void finish(std::uint64_t number) {
    const auto found = running_.find(number);
    if (found == running_.end())
      return; // cancelled; its run ends with it
    mail(self_, wire::FinishRun{})
      .request(found->second.run, caf::infinite)
      .then([this, number](const wire::RunEnded&) { go_on(number); },
            [this](const caf::error& why) {
              stage_->seen.wrong("a run did not finish: "
                                 + render(self_->system(), why));
            });
  }

  void go_on(std::uint64_t number) {
    const auto found = running_.find(number);
    if (found == running_.end())
      return;
    mail(self_, about<wire::UnparkWork>(found->second.what))
      .request(stage_->scheduler, caf::infinite)
      .then(
        [this, number] {
          const auto still = running_.find(number);
          if (still == running_.end())
            return;
          still->second.executing = true;
          stage_->seen.begin();
          succeed(number);
        },
        [](const caf::error&) {}); // it was cancelled meanwhile
  }

  moody_actor::pointer self_;
  std::shared_ptr<stage> stage_;
  random_source chance_;
  std::map<std::uint64_t, running> running_;
  std::map<submission_key, std::uint64_t> numbers_;
  std::uint64_t number_ = 0;
};

// --- a client

/// What one run is to be checked against.
struct ledger {
  std::string id;
  agent_run_actor run;
  std::uint64_t cursor = 1;
  bool stream_ended = false;
  std::uint64_t asked = 0, accepted = 0, refused = 0;
  std::uint64_t started = 0, done = 0, told_refused = 0;
  bool answered = false, ended = false;
  std::unordered_map<std::string, int> begins, ends;
};

class client {
public:
  client(caf::event_based_actor* self, std::shared_ptr<stage> where,
         std::shared_ptr<ledger> what, std::uint64_t seed)
    : self_(self), stage_(std::move(where)), ledger_(std::move(what)),
      chance_(seed) {}

  caf::behavior make_behavior() {
    wire::AgentTasks all;
    for (std::uint64_t i = 0; i < tasks_per_run; ++i)
      *all.add_tasks() = task("t" + std::to_string(i), chance_);
    ledger_->asked = tasks_per_run;
    for (int i = 0; i < 3; ++i) // before they come
      cancel(chance_.draw() % tasks_per_run);
    mail(self_, std::move(all))
      .request(ledger_->run, caf::infinite)
      .then([this](const wire::TaskAnswers& answers) { note(answers); },
            [this](const caf::error& why) {
              stage_->seen.wrong("no answers: " + render(self_->system(), why));
            });
    read();
    return {[this](std::uint64_t which) {
      if (which < tasks_per_run)
        cancel(which);
      else
        end(wire::CancelRun{});
    }};
  }

private:
  void cancel(std::uint64_t which) {
    wire::CancelAgent one;
    one.set_agent_id("t" + std::to_string(which));
    mail(self_, one)
      .request(ledger_->run, caf::infinite)
      .then([](const wire::TaskAnswer&) {}, [](const caf::error&) {});
  }

  template <class Message>
  void end(const Message& how) {
    mail(self_, how)
      .request(ledger_->run, caf::infinite)
      .then([this](const wire::RunEnded&) { ledger_->ended = true; },
            [](const caf::error&) {}); // it has ended already
  }

  void note(const wire::TaskAnswers& answers) {
    ledger_->answered = true;
    for (const auto& answer : answers.answers()) {
      if (answer.has_record()) {
        ++ledger_->accepted;
        const auto& record = answer.record();
        ++stage_->seen.ends[wire::AgentStatus_Name(record.result().status())];
        if (record.tokens().input() > record.attempts())
          stage_->seen.wrong("more tokens than attempts");
        if (record.attempts() > 1 + 2 + 1)
          stage_->seen.wrong("more attempts than the policy permits");
      } else {
        ++ledger_->refused;
        ++stage_->seen.ends["refused"];
      }
    }
    end(wire::FinishRun{});
  }

  void read() {
    wire::EventsQuery query;
    query.set_run_id(ledger_->id);
    query.set_from(ledger_->cursor);
    query.set_wait(true);
    mail(self_, query)
      .request(ledger_->run, caf::infinite)
      .then([this](const wire::EventBatch& batch) { note(batch); },
            [this](const caf::error& why) {
              stage_->seen.wrong("no events: " + render(self_->system(), why));
            });
  }

  void note(const wire::EventBatch& batch) {
    for (const auto& event : batch.events()) {
      if (event.number() != ledger_->cursor)
        stage_->seen.wrong("an event is missing");
      ledger_->cursor = event.number() + 1;
      if (event.has_agent_started()) {
        ++ledger_->started;
        const auto& id = event.agent_started().agent_id();
        if (++ledger_->begins[id] > 1 || ledger_->ends[id] > 0)
          stage_->seen.wrong("started twice, or after its end: " + id);
      } else if (event.has_agent_done()) {
        ++ledger_->done;
        if (++ledger_->ends[event.agent_done().agent_id()] > 1)
          stage_->seen.wrong("done twice: " + event.agent_done().agent_id());
      } else if (event.has_task_refused()) {
        ++ledger_->told_refused;
      }
    }
    ledger_->stream_ended = batch.ended();
    if (!batch.ended())
      read();
  }

  caf::event_based_actor* self_;
  std::shared_ptr<stage> stage_;
  std::shared_ptr<ledger> ledger_;
  random_source chance_;
};

void check(const ledger& one, book& seen) {
  auto must = [&](bool right, const std::string& what) {
    if (!right)
      seen.wrong(one.id + ": " + what);
  };
  must(one.answered && one.ended && one.stream_ended, "it did not end");
  must(one.accepted + one.refused == one.asked, "not all were answered");
  must(one.done == one.accepted, "accepted " + std::to_string(one.accepted)
                                   + ", done " + std::to_string(one.done));
  must(one.started <= one.done, "more started than done");
  must(one.told_refused == one.refused, "refused otherwise than told");
}

std::uint64_t resident_kb() {
  std::ifstream file{"/proc/self/statm"};
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  file >> all >> resident;
  return resident * 4;
}

template <class Answer, class Handle, class Message>
Answer ask_still(testing::still_world& still, const Handle& whom,
                 const Message& message) {
  auto seen = testing::new_pending<Answer>();
  testing::spawn_asker<Answer>(still.system(), testing::asks(whom, message),
                               testing::noting<Answer>(seen));
  still.settle();
  return seen->value().value();
}

} // namespace

int main(int argc, char** argv) {
  const auto wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000;
  const auto seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  spdlog::set_level(spdlog::level::err);
  random_source chance{seed};
  testing::still_world_of<caf::id_block::turnstile,
                          caf::id_block::turnstile_handles>
    still;
  auto where = std::make_shared<stage>();
  event_log_options log;
  log.max_ended_runs = 8;
  log.unix_origin = duration::zero();
  where->events = spawn_event_log(still.system(), log);
  agent_scheduler_options options;
  options.concurrency = slots;
  options.events = where->events;
  auto backend = backend_actor{spawn<moody>(still.system(), where, seed)};
  options.backends.add("wide", backend);
  gate_policy narrow;
  narrow.concurrency = backend_room;
  narrow.rest_after = 5;
  narrow.first_rest = 50ms;
  narrow.max_rest = 200ms;
  options.backends.add("narrow", backend, narrow);
  where->scheduler = spawn_agent_scheduler(still.system(), options).value();

  std::uint64_t asked = 0;
  std::uint64_t warm_kb = 0;
  for (std::uint64_t wave = 0; asked < wanted; ++wave) {
    std::vector<std::shared_ptr<ledger>> ledgers;
    std::vector<caf::actor> clients;
    for (std::uint64_t i = 0; i < runs_at_once; ++i) {
      auto one = std::make_shared<ledger>();
      one->id = "run-" + std::to_string(wave) + "-" + std::to_string(i);
      agent_run_options terms;
      terms.terms = terms_of(one->id, chance.draw());
      terms.events = where->events;
      one->run = spawn_agent_run(still.system(), where->scheduler, terms);
      clients.push_back(
        spawn<client>(still.system(), where, one, chance.draw()));
      ledgers.push_back(std::move(one));
      asked += tasks_per_run;
    }
    still.settle();
    while (auto next = still.next_timer()) {
      const auto whose = clients[chance.draw() % clients.size()];
      if (const auto luck = chance.draw() % 2'000; luck < 40)
        anon_mail(chance.draw() % tasks_per_run).send(whose);
      else if (luck == 40)
        anon_mail(tasks_per_run).send(whose); // the whole run
      still.advance(*next - still.now());
    }
    for (auto& one : ledgers) {
      check(*one, where->seen);
      one->run = nullptr;
    }
    for (const auto& one : clients)
      still.kill(one);
    if (asked >= wanted / 5 && warm_kb == 0)
      warm_kb = resident_kb();
  }

  auto& seen = where->seen;
  const auto report =
    ask_still<wire::Report>(still, where->scheduler, wire::ReportQuery{});
  for (const auto& [name, left] :
       {std::pair{"active runs", report.active_requests()},
        std::pair{"queued tasks", report.queued_work()},
        std::pair{"tasks in flight", report.current_in_flight_work()},
        std::pair{"executing attempts", seen.executing}})
    if (left != 0)
      seen.wrong(std::to_string(left) + " " + name + " are left");
  const auto backends =
    ask_still<wire::Backends>(still, where->scheduler, wire::BackendsQuery{});
  for (const auto& entry : backends.entries())
    if (entry.executing() + entry.waiting() != 0)
      seen.wrong("the gate of " + entry.terms().name() + " is not empty");
  const auto end_kb = resident_kb();
#if !defined(__SANITIZE_ADDRESS__)
  if (end_kb > warm_kb + warm_kb / 2)
    seen.wrong("memory grew from " + std::to_string(warm_kb) + " to "
               + std::to_string(end_kb) + " kB");
#endif
  std::printf("%llu tasks, %llu calls, %llu nested runs, at most %llu at once; "
              "%llu kB after a fifth, %llu kB at the end\n",
              static_cast<unsigned long long>(asked),
              static_cast<unsigned long long>(seen.calls),
              static_cast<unsigned long long>(where->nested),
              static_cast<unsigned long long>(seen.peak),
              static_cast<unsigned long long>(warm_kb),
              static_cast<unsigned long long>(end_kb));
  for (const auto& [how, count] : seen.ends)
    std::printf("  %s: %llu\n", how.c_str(),
                static_cast<unsigned long long>(count));
  const auto failed = seen.problems;
  still.kill(where->scheduler);
  still.kill(backend);
  still.kill(where->events);
  where->scheduler = nullptr;
  where->events = nullptr;
  return failed == 0 ? 0 : 1;
}
