#include "actors/node/run_json.hpp"

#include "actors/node/json_text.hpp"
#include "messages/json.hpp"
#include "tests/actors/node/plan_world.hpp"

using namespace node_tests;

namespace {

/// A run with one task that said `output_json`.
run_result run_that_said(std::string output_json) {
  run_result run;
  run.run_id = "0197f0a2-7f00-7000-8000-000000000001";
  run.name = "test";
  task_result task;
  task.name = "a";
  task.status = task_status::ok;
  task.record.mutable_result()->set_output_json(std::move(output_json));
  run.tasks.push_back(task);
  return run;
}

/// The run's JSON, read again; fails if it is none.
json read_again(const run_result& run) {
  auto whole = json::parse(to_json(run), nullptr, false);
  REQUIRE_FALSE(whole.is_discarded());
  return whole;
}

} // namespace

TEST_CASE("a run's JSON has the keys of the plan format, in its order",
          "[actors][node]") {
  auto run = run_that_said(R"({"b": 1, "a": [2.50, "x"]})");
  auto& task = run.tasks[0];
  task.record.set_attempts(3);
  task.record.set_retries(2);
  task.record.set_elapsed_ns(duration{1500us}.count());
  task.record.set_backend("mock");
  task.record.mutable_tokens()->set_input(5);
  task.record.mutable_result()->mutable_logs()->set_path("a.log");
  task.record.mutable_result()->mutable_logs()->set_tail("odd");
  task.record.mutable_result()->mutable_logs()->set_bytes(3);
  task.record.mutable_result()->set_output_cut_bytes(9);
  task.record.mutable_result()->set_thread_id("t-1");
  task.record.mutable_result()->add_findings()->set_title("odd");
  task.record.mutable_result()->add_artifacts()->set_key("patch");
  run.tokens.set_output(7);
  run.quota_used = 1;
  run.elapsed = 2s;
  run.report.set_completed_work(1);
  const auto report = turnstile::to_json(run.report);
  const auto finding = turnstile::to_json(task.record.result().findings(0));
  const auto artifact = turnstile::to_json(task.record.result().artifacts(0));
  CHECK(read_again(run).dump()
        == R"({"run":"0197f0a2-7f00-7000-8000-000000000001",)"
           R"("status":"completed","tasks":[{"name":"a","status":"ok",)"
           R"("output":{"b":1,"a":[2.5,"x"]},"error":null,"attempts":3,)"
           R"("retries":2,"schema_retries":0,"tokens":{"input":5,"output":0,)"
           R"("cache_read":0,"cache_write":0},"elapsed_ms":1,)"
           R"("backend":"mock","findings":[)"
             + finding + R"(],"artifacts":[)" + artifact
             + R"(],"output_cut_bytes":9,"output_replaced_bytes":0,)"
               R"("log":{"path":"a.log","tail":"odd","bytes":3},)"
               R"("thread":"t-1","remembered_of":null}],)"
               R"("tokens":{"input":0,"output":7,"cache_read":0,)"
               R"("cache_write":0},"quota_used":1,"elapsed_ms":2000,)"
               R"("report":)"
             + report + "}");
}

TEST_CASE("a run's JSON says how the run and its tasks ended",
          "[actors][node]") {
  auto run = run_that_said("");
  CHECK(read_again(run)["status"] == "completed");
  CHECK(read_again(run)["tasks"][0]["output"].is_null());
  CHECK(read_again(run)["tasks"][0]["thread"].is_null());
  run.tasks[0].status = task_status::timed_out;
  run.tasks[0].why = failure{errc::exhausted, "too slow"};
  CHECK(read_again(run)["status"] == "failed");
  CHECK(read_again(run)["tasks"][0]["status"] == "timed_out");
  CHECK(read_again(run)["tasks"][0]["error"].dump()
        == R"({"code":"exhausted","text":"too slow"})");
  run.cancelled = true;
  CHECK(read_again(run)["status"] == "cancelled");
}

TEST_CASE("a run's JSON survives whatever backends say", "[actors][node]") {
  const auto deep = std::string(200'000, '[') + std::string(200'000, ']');
  auto [said, shown] = GENERATE_COPY(table<std::string, json>({
    {"\"a\\u0000\\u001b[31m\\n\"", std::string{"a\0\x1b[31m\n", 8}},
    {"\"caf\xC3\xA9\"", "caf\xC3\xA9"},
    {"\xFF\xFEno UTF-8", "\xEF\xBF\xBD\xEF\xBF\xBDno UTF-8"},
    {"\"cut \xC3\"", "\"cut \xEF\xBF\xBD\""},
    {"{\"half\": ", "{\"half\": "},
    {std::string{"1\0 2", 4}, std::string{"1\0 2", 4}},
    {"18446744073709551615", 18446744073709551615U},
    {"1e999", "1e999"},
    {deep, deep},
  }));
  auto run = run_that_said(said);
  run.tasks[0].name = "a\xFF";
  run.tasks[0].why = failure{errc::non_retryable, "\x01\xFF\"\\"};
  const auto whole = read_again(run);
  CHECK(whole["tasks"][0]["output"] == shown);
  CHECK(whole["tasks"][0]["error"]["text"] == "\x01\xEF\xBF\xBD\"\\");
  CHECK(to_json(run).find('\x1b') == std::string::npos);
}
