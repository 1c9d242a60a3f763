#include "actors/agent/agent_program.hpp"
#include "tests/actors/log_reader.hpp"
#include "tests/actors/node/plan_world.hpp"

using namespace node_tests;
using testing::log_reader;

namespace {

config::plan with_a_retry() {
  auto plan = plan_of(R"(
    {"name": "a b", "prompt": "", "phase": 3, "model": "m"},
    {"name": "c", "prompt": "", "backend": "bad"},
    {"name": "d", "prompt": "", "needs": ["c"]})");
  plan.retry.jitter = config::jitter_mode::none;
  config::script_step spawn_fails;
  spawn_fails.is = config::script_step::type::fail;
  plan.backends[0].script.insert(plan.backends[0].script.begin(), spawn_fails);
  return plan;
}

} // namespace

TEST_CASE("a task's path can be read in the log, each line with the same keys",
          "[actors][node][log]") {
  log_reader log{spdlog::level::debug};
  plan_world w{with_a_retry()};
  w.run_for(1s);
  REQUIRE(w.result.has_value());
  const std::string a = R"( run=RUN task="a b" phase=3 model=m attempt=)";
  const std::string c = R"( run=RUN task=c phase=0 model="" attempt=)";
  const std::string d = R"( run=RUN task=d phase=0 model="" attempt=)";
  CHECK(log.text(w.result->run_id)
        == "run_started run=RUN name=test tasks=3\n"
           "task_accepted"
             + a
             + "0\n"
               "task_accepted"
             + c
             + "0\n"
               "attempt_started"
             + a
             + "1\n"
               "attempt_started"
             + c
             + "1\n"
               "attempt_ended"
             + a
             + "1 how=error backend=fine elapsed_ms=0 error=spawn "
               "text=\"mock spawn\"\n"
               "attempt_retried"
             + a
             + "1 delay_ms=500\n"
               "attempt_ended"
             + c
             + "1 how=error backend=bad elapsed_ms=0 error=config "
               "text=\"mock config\"\n"
               "task_ended"
             + c
             + "1 status=error error=non_retryable text=\"backend error "
               "(non-retryable): configuration error: mock config\"\n"
               "task_ended"
             + d
             + "0 status=skipped error=need_failed text=\"not run: it needs c, "
               "which ended error\"\n"
               "attempt_started"
             + a
             + "2\n"
               "attempt_ended"
             + a
             + "2 how=ok backend=fine elapsed_ms=10\n"
               "task_ended"
             + a
             + "2 status=ok\n"
               "run_ended run=RUN name=test cancelled=no not_ok=2 "
               "elapsed_ms=510\n");
}

TEST_CASE("a task's path is not in the log of somebody who reads warnings",
          "[actors][node][log]") {
  log_reader log{spdlog::level::warn};
  plan_world w{with_a_retry()};
  w.run_for(1s);
  CHECK(log.text("?").empty());
}

TEST_CASE("however an attempt ends, the log says so once, and how",
          "[actors][node][log]") {
  const auto [status, output, how] =
    GENERATE(table<wire::AgentStatus, std::string, std::string>({
      {wire::AGENT_STATUS_OK, "{}", "how=ok"},
      {wire::AGENT_STATUS_OK, "7", "how=mismatch"},
      {wire::AGENT_STATUS_ERROR, "{}", "how=error"},
      {wire::AGENT_STATUS_CANCELLED, "{}", "how=error"},
      {wire::AGENT_STATUS_TIMED_OUT, "{}", "how=error"},
    }));
  log_reader log{spdlog::level::debug};
  auto terms = agent_program::make_terms("", {});
  REQUIRE(terms);
  wire::AgentTask task;
  task.set_agent_id("a");
  task.set_output_schema_json(R"({"type":"object"})");
  agent_program::attempts_type attempts;
  REQUIRE(agent_program::admit(*terms, task, attempts, {}));
  wire::AgentOutcome outcome;
  outcome.mutable_result()->set_status(status);
  outcome.mutable_result()->set_output_json(output);
  attempt_end<agent_program> end;
  end.how = std::move(outcome);
  agent_program{}.after_attempt(*terms, task, attempts, std::move(end));
  const auto text = log.text("?");
  CAPTURE(text);
  CHECK(text.find("attempt_ended ") == text.rfind("attempt_ended "));
  CHECK(text.find(how + " backend=") != text.npos);
}
