#include "messages/event_json.hpp"

#include "messages/json/names.hpp"
#include "tests/catch.hpp"
#include "tests/messages/filled.hpp"

#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace turnstile;
using google::protobuf::util::MessageDifferencer;

namespace {

wire::Event event(const std::string& text) {
  wire::Event message;
  REQUIRE(google::protobuf::TextFormat::ParseFromString(text, &message));
  return message;
}

struct example {
  std::string said;    ///< As Protobuf's own text, without run, number, time.
  std::string type;    ///< Its tag.
  std::string members; ///< All that follow the time.
};

const std::vector<example>& examples() {
  static const std::vector<example> all{
    {R"(run_started {task: "survey"})", "run_started", R"("task":"survey")"},
    {R"(phase_started {phase_id: 1 label: "read" planned: 3 role: "reader"})",
     "phase_started",
     R"("phase_id":1,"label":"read","planned":3,"description":null,)"
     R"("role":"reader")"},
    {R"(agent_started {phase_id: 1 agent_id: "a" prompt_preview: "Read"
        model: "m" name: "one" agent_seq: 2})",
     "agent_started",
     R"("phase_id":1,"agent_id":"a","prompt_preview":"Read","model":"m",)"
     R"("description":null,"role":null,"name":"one","agent_seq":2)"},
    {R"(agent_progress {agent_id: "a" delta {message {text: "so\nfar"}}})",
     "agent_progress",
     R"("agent_id":"a","delta":{"kind":"message","text":"so\nfar"})"},
    {R"(acp_raw {agent_id: "a" kind: "plan" raw_json: "{\"b\":[1.0]}"})",
     "acp_raw", R"("agent_id":"a","kind":"plan","raw":{"b":[1.0]})"},
    {R"(acp_request {agent_id: "a" method: "fs/read" raw_json: "[]"})",
     "acp_request", R"("agent_id":"a","method":"fs/read","raw":[])"},
    {R"(agent_done {agent_id: "a" status: AGENT_STATUS_TIMED_OUT
        tokens {input: 5 output: 2} elapsed_ms: 1500 agent_seq: 2
        output_json: "{\"n\":1}" findings {title: "late" severity:
        SEVERITY_LOW} prompt: "Read" retry_count: 1 phase_id: 3
        backend: "mock" attempts: 2 failure {code: 17 detail: "late"}})",
     "agent_done",
     R"("agent_id":"a","status":"TimedOut","tokens":{"input":5,"output":2,)"
     R"("cache_read":0,"cache_write":0},"elapsed_ms":1500,"name":null,)"
     R"("agent_seq":2,"output":{"n":1},"findings":[{"kind":"","severity":"low",)"
     R"("title":"late","detail":"","location":null,"evidence":[],"data":null}],)"
     R"("prompt":"Read","retry_count":1,"phase_id":3,"backend":"mock",)"
     R"("attempts":2,"schema_retries":0,)"
     R"("failure":{"code":17,"detail":"late"},"trimmed":false)"},
    {R"(phase_done {phase_id: 1 ok: 2 failed: 1})", "phase_done",
     R"("phase_id":1,"ok":2,"failed":1)"},
    {R"(run_done {status: RUN_STATUS_PARTIAL total_tokens {input: 9}
        report_json: "\"well\""})",
     "run_done",
     R"("status":"partial","total_tokens":{"input":9,"output":0,)"
     R"("cache_read":0,"cache_write":0},"report":"well")"},
    {R"(log {level: LOG_LEVEL_WARN msg: "slow"})", "log",
     R"("agent_id":null,"level":"warn","msg":"slow")"},
    {R"(budget_set {max_rounds: 4})", "budget_set",
     R"("time_limit_ms":null,"max_rounds":4)"},
    {R"(report_emitted {phase_id: 1 report_json: "{}"})", "report_emitted",
     R"("phase_id":1,"report":{})"},
    {R"(parallel_started {phase_id: 1 span_id: "s" count: 2})",
     "parallel_started", R"("phase_id":1,"span_id":"s","count":2)"},
    {R"(parallel_done {phase_id: 1 span_id: "s" ok: 1 failed: 1
        results_json: "[1,null]" elapsed_ms: 5})",
     "parallel_done",
     R"("phase_id":1,"span_id":"s","ok":1,"failed":1,"results":[1,null],)"
     R"("elapsed_ms":5)"},
    {R"(workflow_started {span_id: "s" path: "w.js" args_json: "{\"a\":1}"})",
     "workflow_started", R"("span_id":"s","path":"w.js","args":{"a":1})"},
    {R"(workflow_done {span_id: "s" path: "w.js" elapsed_ms: 5 error: "no"})",
     "workflow_done",
     R"("span_id":"s","path":"w.js","report":null,"elapsed_ms":5,)"
     R"("error":"no")"},
    {R"(converge_started {phase_id: 1 span_id: "s" items: 3 max_rounds: 4})",
     "converge_started",
     R"("phase_id":1,"span_id":"s","items":3,"max_rounds":4)"},
    {R"(converge_done {phase_id: 1 span_id: "s" rounds: 2 converged: true
        surviving: 3 result_json: "[]" elapsed_ms: 5})",
     "converge_done",
     R"("phase_id":1,"span_id":"s","rounds":2,"converged":true,)"
     R"("surviving":3,"result":[],"elapsed_ms":5,"error":null)"},
    {R"(pipeline_started {total_stages: 2 items: 3})", "pipeline_started",
     R"("total_stages":2,"items":3)"},
    {R"(pipeline_stage_started {label: "read" agents_in_stage: 3})",
     "pipeline_stage_started",
     R"("stage_index":0,"label":"read","agents_in_stage":3)"},
    {R"(pipeline_item_done {stage_index: 1 item_index: 2
        status: AGENT_STATUS_OK elapsed_ms: 5})",
     "pipeline_item_done",
     R"("stage_index":1,"item_index":2,"status":"Ok","tokens":null,)"
     R"("elapsed_ms":5)"},
    {R"(pipeline_done {stages_completed: 2 total_ok: 5 total_failed: 1})",
     "pipeline_done", R"("stages_completed":2,"total_ok":5,"total_failed":1)"},
    {R"(schema_retry {agent_id: "a" attempt: 1 max: 3})", "schema_retry",
     R"("agent_id":"a","attempt":1,"max":3)"},
    {R"(plan_preview {reasoning: "so" phases {label: "read" dynamic: true}})",
     "plan_preview",
     R"("reasoning":"so","phases":[{"label":"read","dynamic":true,)"
     R"("description":null}])"},
    {R"(signal_received {signal: "SIGINT"})", "signal_received",
     R"("signal":"SIGINT")"},
    {R"(task_refused {agent_id: "a" code: "quota_exceeded" reason: "no"})",
     "task_refused", R"("agent_id":"a","code":"quota_exceeded","reason":"no")"},
    {R"(gap {first: 3 last: 7})", "gap", R"("first":3,"last":7)"},
  };
  return all;
}

std::string complaint(const std::string& text) {
  const auto read = event_from_json(text);
  return read ? "" : to_string(read.error());
}

} // namespace

TEST_CASE("every kind of event has a flat JSON form that can be read again",
          "[messages][json]") {
  for (const auto& [said, type, members] : examples()) {
    const auto whole =
      event(R"(run_id: "r" number: 7 ts_ns: 1767323045123456789 )" + said);
    const auto json = event_json(whole);
    CHECK(json
          == R"({"type":")" + type
               + R"(","run_id":"r","number":7,)"
                 R"("ts":"2026-01-02T03:04:05.123456789Z",)"
               + members + '}');
    CHECK(event_type(whole) == type);
    const auto back = event_from_json(json);
    CHECK(complaint(json) == "");
    CHECK((back && MessageDifferencer::Equals(*back, whole)));
  }
}

TEST_CASE("there is an example of every kind of event", "[messages][json]") {
  std::set<std::string> shown;
  for (const auto& one : examples())
    shown.insert(one.type);
  const auto& kinds = *wire::Event::descriptor()->oneof_decl(0);
  for (int i = 0; i < kinds.field_count(); ++i)
    CHECK(shown.contains(kinds.field(i)->name()));
}

TEST_CASE("no name in a flat JSON form has two meanings", "[messages][json]") {
  for (const auto* type :
       {wire::Event::descriptor(), wire::AgentDelta::descriptor()}) {
    const auto& kinds = *type->oneof_decl(0);
    for (int i = 0; i < kinds.field_count(); ++i) {
      CAPTURE(kinds.field(i)->name());
      std::set<std::string> names{std::string{detail::tag_of(*type)->name}};
      for (int j = 0; j < type->field_count(); ++j)
        if (type->field(j)->containing_oneof() != &kinds)
          CHECK(names.insert(detail::json_name(*type->field(j))).second);
      const auto& part = *kinds.field(i)->message_type();
      for (int j = 0; j < part.field_count(); ++j)
        CHECK(names.insert(detail::json_name(*part.field(j))).second);
    }
  }
}

TEST_CASE("every kind of event survives its JSON form, whatever is in it",
          "[messages][json]") {
  auto what = GENERATE(testing::filling::nothing, testing::filling::least,
                       testing::filling::most);
  const auto& kinds = *wire::Event::descriptor()->oneof_decl(0);
  for (int i = 0; i < kinds.field_count(); ++i) {
    wire::Event whole;
    testing::fill(
      *whole.GetReflection()->MutableMessage(&whole, kinds.field(i)), what);
    const auto json = event_json(whole);
    CAPTURE(json);
    const auto back = event_from_json(json);
    CHECK(complaint(json) == "");
    CHECK((back && MessageDifferencer::Equals(*back, whole)));
  }
}

TEST_CASE("every step of an agent has a flat JSON form", "[messages][json]") {
  auto [said, json] = GENERATE(table<std::string, std::string>({
    {R"(message {text: "hi"})", R"({"kind":"message","text":"hi"})"},
    {R"(tool_call {name: "grep" summary: "for x"})",
     R"({"kind":"tool_call","name":"grep","summary":"for x"})"},
    {R"(file_edit {path: "a.cpp"})", R"({"kind":"file_edit","path":"a.cpp"})"},
    {R"(tokens {usage {input: 1}})",
     R"({"kind":"tokens","usage":{"input":1,"output":0,"cache_read":0,)"
     R"("cache_write":0}})"},
  }));
  const auto whole =
    event("agent_progress {agent_id: \"a\" delta {" + said + "}}");
  const auto text = event_json(whole);
  CHECK_THAT(text, Catch::Matchers::EndsWith(R"("delta":)" + json + '}'));
  const auto back = event_from_json(text);
  CHECK((back && MessageDifferencer::Equals(*back, whole)));
}

TEST_CASE("the statuses of agents in events are written as the seed does",
          "[messages][json]") {
  auto [status, word] = GENERATE(table<wire::AgentStatus, std::string>({
    {wire::AGENT_STATUS_OK, "Ok"},
    {wire::AGENT_STATUS_ERROR, "Error"},
    {wire::AGENT_STATUS_CANCELLED, "Cancelled"},
    {wire::AGENT_STATUS_TIMED_OUT, "TimedOut"},
  }));
  wire::Event done;
  done.mutable_agent_done()->set_status(status);
  const auto json = event_json(done);
  CHECK_THAT(
    json, Catch::Matchers::ContainsSubstring(R"("status":")" + word + R"(",)"));
  CHECK(event_from_json(json)->agent_done().status() == status);
}

TEST_CASE("an event is read whose members are few, and in any order",
          "[messages][json]") {
  const auto read = event_from_json(
    R"({"agent_id":"a","run_id":"r","status":"Ok","type":"agent_done"})");
  CHECK(complaint(R"({"agent_id":"a","run_id":"r","type":"agent_done"})")
        == "");
  REQUIRE(read);
  CHECK(read->ts_ns() == 0);
  CHECK(read->number() == 0);
  CHECK_FALSE(read->agent_done().has_name());
  CHECK(event_json(*read).starts_with(
    R"({"type":"agent_done","run_id":"r","number":0,)"
    R"("ts":"1970-01-01T00:00:00.000000000Z","agent_id":"a","status":"Ok")"));
}

TEST_CASE("what is no event is refused, naming the place", "[messages][json]") {
  auto [text, why] = GENERATE(table<std::string, std::string>({
    {R"({"type":"agent_exploded","agent_id":"a"})",
     R"(Event.type: "agent_exploded" is no kind of Event (byte 8))"},
    {R"({"agent_id":"a","type":"agent_exploded"})",
     R"(Event.type: "agent_exploded" is no kind of Event (byte 23))"},
    {R"({"type":"run_id"})",
     R"(Event.type: "run_id" is no kind of Event (byte 8))"},
    {R"({"type":7})", "Event.type: a string is wanted (byte 8)"},
    {R"({"run_id":"r"})", "Event.type: it is missing"},
    {R"({"type":null})", "Event.type: it is missing"},
    {R"({"agent_id":"a"})",
     R"(Event.agent_id: it means nothing without "type" (byte 12))"},
    {R"({"type":"log","agent_done":{}})",
     "Event.agent_done: there is no such field (byte 27)"},
    {R"({"type":"log","type":"log"})", "Event.type: it comes twice (byte 20)"},
    {R"({"type":"agent_done","status":"ok"})",
     R"(Event.status: "ok" is no AgentStatus (byte 30))"},
    {R"({"type":"run_done","status":"Completed"})",
     R"(Event.status: "Completed" is no RunStatus (byte 28))"},
    {R"({"type":"log","ts":5})", "Event.ts: a string is wanted (byte 19)"},
    {R"({"type":"log","ts":"now"})",
     "Event.ts: a time like \"2026-01-02T03:04:05.123456789Z\" is wanted "
     "(byte 19)"},
    {R"({"type":"agent_progress","delta":{"kind":"wave"}})",
     R"(Event.delta.kind: "wave" is no kind of AgentDelta (byte 41))"},
    {R"({"type":"log",)", "Event: a string is wanted (byte 14)"},
    {R"({"type")", "Event.type: ':' is wanted (byte 7)"},
    {"[]", "Event: an object is wanted (byte 0)"},
  }));
  CAPTURE(text);
  CHECK(complaint(text) == "invalid_argument: " + why);
}
