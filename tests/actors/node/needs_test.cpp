#include "actors/backend/answers.hpp"
#include "messages/agent.pb.h"
#include "tests/actors/node/plan_world.hpp"

using namespace node_tests;

namespace {

/// Answers with the prompt: as it is if it begins with `=`, else as a string.
class echo_state {
public:
  static constexpr const char* name = "echo";

  backend_actor::behavior_type make_behavior() {
    return {
      [](const wire::Execute& what) {
        wire::AgentTask task;
        CHECK(task.ParseFromString(what.payload()));
        wire::AgentOutcome outcome;
        outcome.mutable_result()->set_status(wire::AGENT_STATUS_OK);
        outcome.mutable_result()->set_output_json(
          task.prompt().starts_with('=') ? task.prompt().substr(1)
                                         : "\"" + task.prompt() + "\"");
        return completed_with(what, outcome.SerializeAsString());
      },
      [](const wire::CancelWork& which) { return quiet_about(which); },
      [](const wire::BackendCapabilitiesQuery&) {
        return wire::BackendCapabilities{};
      },
    };
  }
};

/// A run whose default backend is an echo.
class echo_world : public plan_world {
public:
  explicit echo_world(config::plan what) : plan_world(std::move(what)) {
    auto echo = spawn<echo_state>(still.system());
    anon_mail(join_atom_v, std::string{"fine"}, echo).send(scheduler);
    still.kill(std::exchange(backends.by_name.at("fine"), echo));
    run_for(1s);
  }
};

} // namespace

TEST_CASE("a task runs when all that it needs has succeeded",
          "[actors][node]") {
  plan_world w{plan_of(R"(
    {"name": "last", "prompt": "", "needs": ["middle", "first"]},
    {"name": "middle", "prompt": "", "needs": ["first"]},
    {"name": "first", "prompt": "", "backend": "slow"})")};
  w.run_for(1s);
  CHECK(w.told
        == std::vector<std::string>{"[1/3] first ok in 50 ms",
                                    "[2/3] middle ok in 10 ms",
                                    "[3/3] last ok in 10 ms"});
  CHECK(w.result->elapsed == 70ms);
}

TEST_CASE("a task whose need failed is skipped, and all that need it, too",
          "[actors][node]") {
  plan_world w{plan_of(R"(
    {"name": "bad", "prompt": "", "backend": "bad"},
    {"name": "child", "prompt": "", "needs": ["bad", "fine"]},
    {"name": "grandchild", "prompt": "", "needs": ["child"]},
    {"name": "fine", "prompt": ""},
    {"name": "other", "prompt": "", "needs": ["fine"]})")};
  w.run_for(1s);
  CHECK(w.ends()
        == "bad error non_retryable: backend error (non-retryable): "
           "configuration error: mock config\n"
           "child skipped need_failed: not run: it needs bad, which ended "
           "error\n"
           "grandchild skipped need_failed: not run: it needs child, which "
           "ended skipped\n"
           "fine ok 1\n"
           "other ok 1");
  CHECK(w.result->quota_used == 3); // a skipped task uses none
}

TEST_CASE("a task is told what another said: text as it is, JSON compact",
          "[actors][node]") {
  auto [prompt, answer] = GENERATE(table<std::string, std::string>({
    {"some text", "\"got some text.\""},
    {"", "\"got .\""},
    {"= [1, {\\\"b\\\": 2, \\\"a\\\": 1}]",
     "\"got [1,{\"b\":2,\"a\":1}].\""}, // an echo quotes nothing
    {"=7", "\"got 7.\""},
    {"=null", "\"got null.\""},
  }));
  echo_world w{plan_of(R"({"name": "a", "prompt": ")" + prompt + R"("},
    {"name": "b", "prompt": "got {{a.output}}.", "needs": ["a"]})")};
  REQUIRE(w.result.has_value());
  CHECK(w.result->tasks[1].record.result().output_json() == answer);
}

TEST_CASE("a task is told another's words as they are, also if they look like "
          "a template",
          "[actors][node]") {
  auto plan = plan_of(R"({"name": "a", "prompt": ""},
    {"name": "b", "prompt": "got {{a.output}}.", "needs": ["a"]})");
  plan.tasks[0].prompt = {
    {config::prompt_piece::type::literal, "{{a.output}}"}};
  echo_world w{std::move(plan)};
  REQUIRE(w.result.has_value());
  CHECK(w.result->tasks[1].record.result().output_json()
        == "\"got {{a.output}}.\"");
}

TEST_CASE("a task is told what a whole group said, in plan order",
          "[actors][node]") {
  auto plan = plan_of(R"(
    {"name": "a", "prompt": "", "backend": "slow"},
    {"name": "b", "prompt": ""},
    {"name": "all", "prompt": "", "needs": ["a"]})");
  // As if the entry `g` had become a and b.
  plan.groups.insert_or_assign("g", config::task_group{0, 2});
  plan.tasks[2].needs = {"a", "b"};
  plan.tasks[2].prompt = {{config::prompt_piece::type::outputs, "g"}};
  run_result so_far;
  so_far.tasks.resize(3);
  so_far.tasks[0].name = "a";
  so_far.tasks[0].status = task_status::ok;
  so_far.tasks[0].record.mutable_result()->set_output_json("\"s\"");
  so_far.tasks[1].name = "b";
  so_far.tasks[1].status = task_status::ok;
  so_far.tasks[1].record.mutable_result()->set_output_json("{\"x\": 1}");
  CHECK(task_message(plan, 2, so_far).prompt()
        == R"([{"name":"a","status":"ok","output":"s"},)"
           R"({"name":"b","status":"ok","output":{"x":1}}])");
}
