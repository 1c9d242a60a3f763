#include "messages/agent.pb.h"
#include "messages/door.pb.h"
#include "messages/json.hpp"
#include "messages/translate.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace turnstile;

TEST_CASE("a work's JSON form has the seed's names", "[messages][json]") {
  CHECK(to_json(to_wire(request_id{7})) == "7");
  CHECK(to_json(to_wire(work_id{{7}, 2, 1}))
        == R"({"request":7,"sequence":2,"life":1})");
}

TEST_CASE("a report's JSON form has the seed's 28 names, then ours",
          "[messages][json]") {
  scheduler_report report;
  report.queued_work = scheduler_limits::unlimited;
  report.max_cancellation_to_release_ns = 0;
  report.poisoned = true;
  std::string expected = R"({
"active_requests":0,
"queued_work":18446744073709551615,
"prepared_work":0,
"submitted_in_flight_work":0,
"completing_work":0,
"abandoned_in_flight_work":0,
"failed_in_flight_work":0,
"current_in_flight_work":0,
"peak_in_flight_work":0,
"peak_queued_work":0,
"submitted_work":0,
"completed_work":0,
"failed_work":0,
"discarded_work":0,
"cancellation_before_submission":0,
"cancellation_after_submission":0,
"abandoned_released_work":0,
"abandoned_retained_resources":0,
"peak_abandoned_retained_resources":0,
"last_cancellation_to_release_ns":null,
"max_cancellation_to_release_ns":0,
"finished_requests":0,
"cancelled_requests":0,
"deadline_expired_requests":0,
"drain_cycles":0,
"configured_submission_bound":0,
"configured_slice_bound":0,
"poisoned":true,
"failed_requests":0,
"delayed_work":0,
"parked_work":0,
"reclaimed_work":0,
"requeues":0,
"late_completions":0,
"stale_completions":0,
"ended_requests":0,
"dropped_requests":0
})";
  std::erase(expected, '\n');
  CHECK(to_json(to_wire(report)) == expected);
}

TEST_CASE("the JSON form of capabilities lists limits and backends by name",
          "[messages][json]") {
  scheduler_capabilities capabilities;
  capabilities.limits = scheduler_limits::of(4, 9);
  capabilities.observed_backends = {{"b", false}, {"a", true}, {"a\"", true}};
  capabilities.non_preemptible_interval = "until its exact completion";
  std::string expected = R"({
"limits":{
"max_active_requests":4,
"max_queued_work":9,
"max_new_submissions_per_turn":1,
"max_in_flight_global":4,
"max_in_flight_per_request":1,
"execution_slice":18446744073709551615,
"max_queued_per_request":18446744073709551615
},
"observed_backends":{"a":true,"a\"":true,"b":false},
"executing_work_physically_preemptible":false,
"non_preemptible_interval":"until its exact completion"
})";
  std::erase(expected, '\n');
  CHECK(to_json(to_wire(capabilities)) == expected);
}

TEST_CASE("an end's JSON form writes names, base64, and null for absence",
          "[messages][json]") {
  wire::WorkEnded ended;
  *ended.mutable_work_id() = to_wire(work_id{{1}, 0, 3});
  ended.set_lifecycle(wire::WORK_LIFECYCLE_COMMITTED);
  ended.set_outcome(std::string("\0\1\2", 3));
  CHECK(to_json(ended)
        == R"({"work_id":{"request":1,"sequence":0,"life":3},)"
           R"("lifecycle":"committed","failure":null,"drop_reason":null,)"
           R"("outcome":"AAEC","payload":null,"late":false})");
}

TEST_CASE("enums of newer peers are written as numbers", "[messages][json]") {
  wire::LifecycleAnswer answer;
  answer.set_lifecycle(static_cast<wire::WorkLifecycle>(99));
  CHECK(to_json(answer) == R"({"work_id":null,"lifecycle":99})");
}

TEST_CASE("strings are written with escapes, and never as bad UTF-8",
          "[messages][json]") {
  auto [text, written] = GENERATE(table<std::string, std::string>({
    {"", R"("")"},
    {"a\"b\\c/", R"("a\"b\\c/")"},
    {"\n\r\t\b\x01", R"("\n\r\t\u0008\u0001")"},
    {std::string("\0", 1), R"("\u0000")"},
    {"\x7f caf\u00e9 \U0001F600", "\"\x7f caf\u00e9 \U0001F600\""},
    {"\xff", "\"\uFFFD\""},                               // never a first byte
    {"a\xc3", "\"a\uFFFD\""},                             // cut off
    {"\xc0\x80", "\"\uFFFD\uFFFD\""},                     // overlong
    {"\xed\xa0\x80", "\"\uFFFD\uFFFD\uFFFD\""},           // half a character
    {"\xf4\x90\x80\x80", "\"\uFFFD\uFFFD\uFFFD\uFFFD\""}, // above U+10FFFF
  }));
  wire::LogRef log;
  log.set_path(text);
  CHECK(to_json(log) == R"({"path":)" + written + R"(,"tail":"","bytes":0})");
}

TEST_CASE("a field that holds JSON is a value of its own", "[messages][json]") {
  auto [text, written, back] =
    GENERATE(table<std::string, std::string, std::string>({
      {R"({"b": [1, 2.50], "a": "x y"})", R"({"b":[1,2.50],"a":"x y"})",
       R"({"b":[1,2.50],"a":"x y"})"},
      {"12345678901234567890123", "12345678901234567890123",
       "12345678901234567890123"},
      {"", "null", ""},
      {"null", "null", ""},
      {"no JSON", R"("no JSON")", R"("no JSON")"},
      {std::string(100'000, '['), '"' + std::string(100'000, '[') + '"',
       '"' + std::string(100'000, '[') + '"'},
    }));
  wire::Finding finding;
  finding.set_data_json(text);
  const auto json = to_json(finding);
  CHECK_THAT(json,
             Catch::Matchers::ContainsSubstring(R"("data":)" + written + '}'));
  wire::Finding read;
  REQUIRE(from_json(json, read));
  CHECK(read.data_json() == back);
}

TEST_CASE("a field has the JSON name that its schema gives it",
          "[messages][json]") {
  wire::Artifact artifact;
  artifact.set_key("report");
  artifact.set_inline_text("all is well");
  const auto json = to_json(artifact);
  CHECK(json == R"({"key":"report","path":null,"inline":"all is well"})");
  wire::Artifact read;
  REQUIRE(from_json(json, read));
  CHECK(read.inline_text() == "all is well");
}
