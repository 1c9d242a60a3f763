#include "actors/agent/agent_run.hpp"

#include "actors/agent/agent_scheduler.hpp"
#include "actors/events/event_log.hpp"
#include "actors/events/follow_events.hpp"
#include "actors/testing/agent_steps.hpp"
#include "actors/testing/scripted_backend.hpp"
#include "actors/testing/still_world.hpp"
#include "messages/event_json.hpp"
#include "messages/json.hpp"
#include "messages/translate.hpp"
#include "tests/actors/asking.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Runs as actors, and the events that they leave behind.

using namespace turnstile;
using namespace turnstile::testing;
using namespace std::chrono_literals;

namespace {

template <class T>
struct answer_of {
  std::optional<T> value;
  std::string error;
};

wire::AgentTask task(const std::string& id) {
  wire::AgentTask made;
  made.set_agent_id(id);
  made.set_prompt("do " + id);
  return made;
}

wire::AgentTasks tasks(const std::vector<std::string>& ids) {
  wire::AgentTasks all;
  for (const auto& id : ids)
    *all.add_tasks() = task(id);
  return all;
}

std::string text(const wire::TaskRecord& record) {
  return record.has_failure() ? to_string(from_wire(record.failure()).value())
                              : record.result().output_json();
}

std::string text(const wire::TaskAnswer& answer) {
  if (answer.has_refusal())
    return "refused: " + to_string(from_wire(answer.refusal()).value());
  return answer.has_record() ? text(answer.record()) : "remembered";
}

/// Does nothing.
struct bystander {
  caf::behavior make_behavior() {
    return {[](int) {}};
  }
};

/// A scheduler with its log and one run.
struct run_world {
  explicit run_world(std::vector<backend_step> steps,
                     std::uint64_t concurrency = 1, wire::RunTerms terms = {}) {
    events = spawn_event_log(still.system(), log_options());
    agent_scheduler_options options;
    options.concurrency = concurrency;
    options.events = events;
    mock = backend_actor{spawn<scripted_backend_state>(
      still.system(), "mock", std::move(steps), calls)};
    options.backends.add("mock", mock);
    scheduler = spawn_agent_scheduler(still.system(), options).value();
    terms.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
    terms.mutable_retry()->set_max_retries(1);
    terms.mutable_retry()->set_schema_retry_max(1);
    agent_run_options made;
    made.terms = terms;
    made.events = events;
    run = spawn_agent_run(still.system(), scheduler, made);
    still.settle();
  }

  run_world(const run_world&) = delete;

  ~run_world() {
    run = nullptr;
    still.settle();
    still.kill(scheduler);
    still.kill(mock);
    still.kill(events);
  }

  static event_log_options log_options() {
    event_log_options options;
    options.unix_origin = duration::zero();
    return options;
  }

  template <class Answer, class Handle, class Message>
  std::shared_ptr<answer_of<Answer>> ask(const Handle& whom,
                                         const Message& message) {
    auto seen = std::make_shared<answer_of<Answer>>();
    spawn_asker<Answer>(still.system(), asks(whom, message),
                        [seen](result<Answer> heard) {
                          if (heard)
                            seen->value = std::move(*heard);
                          else
                            seen->error = to_string(heard.error());
                        });
    still.settle();
    return seen;
  }

  auto submit(const std::string& id) {
    return ask<wire::TaskRecord>(run, task(id));
  }

  auto cancel(const std::string& id) {
    wire::CancelAgent which;
    which.set_agent_id(id);
    return ask<wire::TaskAnswer>(run, which);
  }

  void wait() {
    while (auto next = still.next_timer())
      still.advance(*next - still.now());
  }

  /// The run's events as words: "run_started agent_started(a)
  /// agent_done(a,ok)".
  std::string told() {
    auto batch = ask<wire::EventBatch>(run, wire::EventsQuery{});
    REQUIRE(batch->value);
    return words(*batch->value);
  }

  /// The run's newest event.
  wire::Event last() {
    auto batch = ask<wire::EventBatch>(run, wire::EventsQuery{});
    REQUIRE(batch->value);
    REQUIRE(batch->value->events_size() > 0);
    return batch->value->events(batch->value->events_size() - 1);
  }

  static std::string words(const wire::EventBatch& batch) {
    std::string all;
    for (const auto& event : batch.events())
      all += (all.empty() ? "" : " ") + word(event);
    return all;
  }

  static std::string word(const wire::Event& event) {
    const auto json = event_json(event);
    auto field = [&](const std::string& name) -> std::string {
      const auto at = json.find("\"" + name + "\":\"");
      if (at == std::string::npos)
        return "";
      const auto from = at + name.size() + 4;
      return json.substr(from, json.find('"', from) - from);
    };
    auto said = field("type");
    for (const auto* name : {"agent_id", "status", "code", "msg"})
      if (const auto value = field(name); !value.empty())
        said += ":" + value;
    return said;
  }

  still_world_of<caf::id_block::turnstile, caf::id_block::turnstile_handles>
    still;
  std::shared_ptr<scripted_calls> calls = std::make_shared<scripted_calls>();
  event_log_actor events;
  backend_actor mock;
  scheduler_actor scheduler;
  agent_run_actor run;
};

/// Follows the events of `whom`. The functions are an argument, since CAF
/// 0.17.6 makes a reference of a null pointer if an actor's function has none.
template <class OnEvent, class OnEnd>
void follow(run_world& w, const agent_run_actor& whom, OnEvent on_event,
            OnEnd on_end) {
  w.still.system().spawn(
    [](caf::event_based_actor* self, const agent_run_actor& run, OnEvent seen,
       OnEnd ended) { follow_events(self, run, {}, seen, ended); },
    whom, on_event, on_end);
}

} // namespace

TEST_CASE("a run takes tasks as soon as it has been spawned, and answers their "
          "records",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  auto first = w.submit("a");
  REQUIRE(first->value);
  CHECK(text(*first->value) == "1");
}

TEST_CASE("what a run's stream tells begins and ends with the run",
          "[actors][agent_run]") {
  run_world w{{ok("1"), fails(backend_error_kind::spawn), ok("2")}};
  w.submit("a");
  w.submit("b");
  w.wait();
  w.submit("a"); // a second one of that name is refused
  w.ask<wire::RunEnded>(w.run, wire::FinishRun{});
  CHECK(w.told()
        == "run_started agent_started:a agent_done:a:Ok agent_started:b "
           "agent_done:b:Ok task_refused:a:duplicate_agent "
           "run_done:completed");
}

TEST_CASE("tasks that run in parallel are answered in their order, and the "
          "quota counts them in it",
          "[actors][agent_run]") {
  wire::RunTerms terms;
  terms.set_quota(3);
  run_world w{{ok("1", 30ms), ok("2", 10ms), ok("3", 20ms)}, 3, terms};
  auto all = w.ask<wire::TaskAnswers>(w.run, tasks({"a", "b", "c", "d"}));
  w.wait();
  REQUIRE(all->value);
  std::string seen;
  for (const auto& answer : all->value->answers())
    seen += text(answer) + "; ";
  CHECK(seen
        == "1; 2; 3; refused: quota_exceeded: quota exceeded: limit=3, "
           "used=3; ");
}

TEST_CASE("parallel tasks beyond the slots wait for one",
          "[actors][agent_run]") {
  run_world w{{ok("1", 40ms)}, 2};
  auto all =
    w.ask<wire::TaskAnswers>(w.run, tasks({"a", "b", "c", "d", "e", "f"}));
  w.wait();
  REQUIRE(all->value);
  CHECK(all->value->answers_size() == 6);
  for (const auto& answer : all->value->answers())
    CHECK(text(answer) == "1");
  CHECK(w.calls->peak_running() == 2);
}

TEST_CASE("one failure among parallel tasks does not end the others",
          "[actors][agent_run]") {
  run_world w{
    {fails(backend_error_kind::protocol), ok("2", 10ms), ok("3", 10ms)}, 3};
  auto all = w.ask<wire::TaskAnswers>(w.run, tasks({"a", "b", "c"}));
  w.wait();
  REQUIRE(all->value);
  CHECK(text(all->value->answers(0)).starts_with("non_retryable"));
  CHECK(text(all->value->answers(1)) == "2");
  CHECK(text(all->value->answers(2)) == "3");
}

TEST_CASE("no tasks in parallel are answered at once", "[actors][agent_run]") {
  run_world w{{ok("1")}};
  auto none = w.ask<wire::TaskAnswers>(w.run, wire::AgentTasks{});
  REQUIRE(none->value);
  CHECK(none->value->answers_size() == 0);
}

TEST_CASE("a task is cancelled by its agent id, and everybody hears the same",
          "[actors][agent_run]") {
  run_world w{{hangs()}};
  auto asked = w.submit("a");
  auto cancelled = w.cancel("a");
  REQUIRE(asked->value);
  REQUIRE(cancelled->value);
  CHECK(text(*asked->value) == "agent_cancelled: agent cancelled");
  CHECK(text(*cancelled->value) == text(*asked->value));
  auto again = w.cancel("a");
  REQUIRE(again->value);
  CHECK(again->value->record().result().status()
        == wire::AGENT_STATUS_CANCELLED);
}

TEST_CASE("a cancellation that comes after the end says how the task has ended",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  w.submit("a");
  auto late = w.cancel("a");
  REQUIRE(late->value);
  CHECK(late->value->record().result().status() == wire::AGENT_STATUS_OK);
}

TEST_CASE("a cancellation that comes before its task is remembered",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  auto early = w.cancel("a");
  REQUIRE(early->value);
  CHECK(text(*early->value) == "remembered");
  CHECK(w.submit("a")->error == "agent_cancelled: agent cancelled");
  CHECK(w.submit("b")->value);
  CHECK(w.told()
        == "run_started task_refused:a:agent_cancelled agent_started:b "
           "agent_done:b:Ok");
}

TEST_CASE("early cancellations are bounded", "[actors][agent_run]") {
  run_world w{{ok("1")}};
  for (int i = 0; i < 1024; ++i)
    REQUIRE(w.cancel("t" + std::to_string(i))->value);
  CHECK(w.cancel("t0")->value);
  CHECK(w.cancel("more")->error
        == "capacity: this run remembers 1024 cancellations of tasks that "
           "have not come; cancel more once it has");
}

TEST_CASE("a cancelled run answers once nothing of it runs, with all records",
          "[actors][agent_run]") {
  run_world w{{hangs()}};
  auto running = w.submit("a");
  auto queued = w.submit("b");
  auto end = w.ask<wire::RunEnded>(w.run, wire::CancelRun{});
  REQUIRE(end->value);
  CHECK(end->value->status() == wire::RUN_STATUS_CANCELLED);
  CHECK(end->value->state().records_size() == 2);
  CHECK(text(*running->value) == "run_cancelled: run cancelled");
  CHECK(text(*queued->value) == "run_cancelled: run cancelled");
  CHECK(w.told().ends_with("run_done:cancelled"));
}

TEST_CASE("outer layers publish on the run's stream and name its end",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  wire::Event line;
  line.mutable_log()->set_level(wire::LOG_LEVEL_INFO);
  line.mutable_log()->set_msg("half-way");
  w.ask<wire::TaskRecord>(w.run, task("a"));
  anon_mail(line).send(w.run);
  w.still.settle();
  wire::FinishRun how;
  how.set_status(wire::RUN_STATUS_FAILED);
  how.set_report_json(R"({"left":3})");
  w.ask<wire::RunEnded>(w.run, how);
  CHECK(w.told()
        == "run_started agent_started:a agent_done:a:Ok log:half-way "
           "run_done:failed");
}

TEST_CASE("who waits for a run's next event hears it when it comes",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  wire::EventsQuery query;
  query.set_from(2);
  query.set_wait(true);
  auto next = w.ask<wire::EventBatch>(w.run, query);
  CHECK_FALSE(next->value);
  w.submit("a");
  REQUIRE(next->value);
  CHECK(w.word(next->value->events(0)) == "agent_started:a");
}

TEST_CASE("who follows a run hears all of its events and then its end",
          "[actors][agent_run]") {
  run_world w{{ok("1", 10ms)}};
  std::string seen;
  follow(
    w, w.run, [&](const wire::Event& event) { seen += w.word(event) + " "; },
    [&](const std::optional<failure>& problem) {
      seen += problem ? to_string(*problem) : "end";
    });
  w.submit("a");
  w.wait();
  w.ask<wire::RunEnded>(w.run, wire::FinishRun{});
  CHECK(seen
        == "run_started agent_started:a agent_done:a:Ok run_done:completed "
           "end");
}

TEST_CASE("who follows a run that has no log hears why it cannot",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  auto mute = spawn_agent_run(w.still.system(), w.scheduler);
  std::string seen;
  follow(
    w, mute, [](const wire::Event&) {},
    [&](const std::optional<failure>& problem) {
      seen = problem ? to_string(*problem) : "end";
    });
  w.still.settle();
  CHECK(seen
        == "invalid_argument: this run was spawned without an event log; set "
           "agent_run_options::events");
}

TEST_CASE("what goes wrong with a schema is told as it happens",
          "[actors][agent_run]") {
  run_world w{{ok("\"no\""), ok("1")}};
  auto checked = task("a");
  checked.set_output_schema_json(R"({"type":"integer"})");
  w.ask<wire::TaskRecord>(w.run, checked);
  CHECK(w.told()
        == "run_started agent_started:a schema_retry:a agent_done:a:Ok");
}

TEST_CASE("what a backend says of a task is told until the task has ended",
          "[actors][agent_run]") {
  run_world w{{hangs()}};
  w.submit("a");
  wire::Event said;
  said.mutable_agent_progress()->mutable_delta()->mutable_message()->set_text(
    "so far");
  const auto call = w.calls->order().front();
  wire::Progress sign;
  *sign.mutable_work_id() = to_wire(call.work);
  sign.set_submission(call.submission);
  sign.set_detail(said.SerializeAsString());
  for (int i = 0; i < 2; ++i) {
    anon_mail(sign).send(w.scheduler);
    w.still.settle();
    w.cancel("a");
  }
  CHECK(w.told()
        == "run_started agent_started:a agent_progress:a "
           "agent_done:a:Cancelled");
}

TEST_CASE("the end of a task tells the prompt of its last correction",
          "[actors][agent_run]") {
  run_world w{{ok(R"({"_agent_fallback_text":true,"text":"one"})"), ok("1")}};
  auto checked = task("a");
  checked.set_output_schema_json(R"({"type":"integer"})");
  w.ask<wire::TaskRecord>(w.run, checked);
  const auto done = w.last().agent_done();
  CHECK(done.status() == wire::AGENT_STATUS_OK);
  CHECK(done.attempts() == 2);
  CHECK(done.schema_retries() == 1);
  for (const auto* part : {"do a", "structured_output", "Required JSON Schema"})
    CHECK_THAT(done.prompt(), Catch::Matchers::ContainsSubstring(part));
}

TEST_CASE("the end of a task, and of its run, tells what all attempts have "
          "spent",
          "[actors][agent_run]") {
  wire::AgentOutcome spent;
  *spent.mutable_error() =
    to_wire(backend_error{backend_error_kind::spawn, ""});
  spent.mutable_tokens_spent()->set_input(100);
  wire::TokenUsage tokens;
  tokens.set_input(10);
  tokens.set_output(5);
  run_world w{{succeed{spent.SerializeAsString()}, ok("1", 0ms, tokens)}};
  w.submit("a");
  w.wait();
  const auto done = w.last().agent_done();
  CHECK(done.status() == wire::AGENT_STATUS_OK);
  CHECK(done.output_json() == "1");
  CHECK(done.retry_count() == 1);
  CHECK(done.tokens().input() == 110);
  CHECK(done.tokens().output() == 5);
  w.ask<wire::RunEnded>(w.run, wire::FinishRun{});
  CHECK(w.last().run_done().total_tokens().input() == 110);
}

TEST_CASE("a task that never began has an end like any other",
          "[actors][agent_run]") {
  run_world w{{hangs()}};
  w.submit("a");
  w.submit("b");
  w.ask<wire::RunEnded>(w.run, wire::CancelRun{});
  const auto told = w.told();
  CAPTURE(told);
  CHECK(told.find("agent_started:b") == std::string::npos);
  for (const auto* end : {"agent_done:a:Cancelled", "agent_done:b:Cancelled"}) {
    CHECK(told.find(end) != std::string::npos);
    CHECK(told.find(end) == told.rfind(end)); // once
  }
  CHECK(told.ends_with("run_done:cancelled"));
}

TEST_CASE("the end of a task is told once, also when its backend dies",
          "[actors][agent_run]") {
  run_world w{{hangs()}};
  w.submit("a");
  w.still.kill(w.mock);
  w.wait();
  CHECK(w.told() == "run_started agent_started:a agent_done:a:Error");
}

TEST_CASE("the end of a task is told once, also when its run's actor dies",
          "[actors][agent_run]") {
  run_world w{{hangs()}};
  w.submit("a");
  w.still.kill(w.run);
  wire::EventsQuery query;
  query.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
  auto batch = w.ask<wire::EventBatch>(w.events, query);
  REQUIRE(batch->value);
  CHECK(w.words(*batch->value)
        == "run_started agent_started:a agent_done:a:Cancelled "
           "run_done:cancelled");
}

TEST_CASE("a second run of the same identity is refused while the first lives",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  agent_run_options options;
  options.terms.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
  auto second = spawn_agent_run(w.still.system(), w.scheduler, options);
  CHECK(w.ask<wire::TaskRecord>(second, task("a"))
          ->error.starts_with("duplicate_request: "));
  CHECK(w.submit("a")->value);
}

TEST_CASE("a cancellation is refused after the end of its run",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  w.ask<wire::RunEnded>(w.run, wire::FinishRun{});
  CHECK(w.cancel("a")->error.starts_with("unknown_request: "));
}

TEST_CASE("what one scheduler has seen of backends means nothing to another",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  auto other = backend_actor{spawn<scripted_backend_state>(
    w.still.system(), "other", std::vector<backend_step>{ok("2")}, w.calls)};
  anon_mail(join_atom_v, std::string{"other"}, other).send(w.scheduler);
  agent_scheduler_options options;
  options.backends.add("mock", w.mock);
  options.backends.add("other", other);
  auto next = spawn_agent_scheduler(w.still.system(), options).value();
  wire::ObservedBackend seen;
  seen.set_backend("other");
  anon_mail(seen).send(next);
  w.still.settle();
  {
    auto run = spawn_agent_run(w.still.system(), next);
    auto there = w.ask<wire::TaskRecord>(run, task("a"));
    auto here = w.submit("a");
    REQUIRE(there->value);
    REQUIRE(here->value);
    CHECK(text(*there->value) == "2");
    CHECK(text(*here->value) == "1");
  }
  w.still.settle();
  w.still.kill(next);
  w.still.kill(other);
}

TEST_CASE("a run that cannot be opened says why to everybody",
          "[actors][agent_run]") {
  run_world w{{ok("1")}};
  agent_run_options options;
  options.terms.mutable_retry()->set_multiplier(-1);
  auto broken = spawn_agent_run(w.still.system(), w.scheduler, options);
  auto refused = w.ask<wire::TaskRecord>(broken, task("a"));
  CHECK(refused->error.find("multiplier") != std::string::npos);
  CHECK(w.ask<wire::RunEnded>(broken, wire::FinishRun{})->error
        == refused->error);
}

TEST_CASE("the end of a run's owner cancels it", "[actors][agent_run]") {
  run_world w{{hangs()}};
  auto owner = spawn<bystander>(w.still.system());
  agent_run_options options;
  options.owner = owner;
  auto owned = spawn_agent_run(w.still.system(), w.scheduler, options);
  auto asked = w.ask<wire::TaskRecord>(owned, task("a"));
  w.still.kill(owner);
  w.still.settle();
  REQUIRE(asked->value);
  CHECK(text(*asked->value) == "run_cancelled: run cancelled");
}
