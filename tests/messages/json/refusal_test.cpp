#include "messages/agent.pb.h"
#include "messages/backend.pb.h"
#include "messages/door.pb.h"
#include "messages/json.hpp"
#include "tests/catch.hpp"

#include <google/protobuf/wrappers.pb.h>

#include <string>

using namespace turnstile;

namespace {

// Returns what is wrong with `text`, or nothing.
template <class M>
std::string complaint(const std::string& text) {
  M message;
  auto read = from_json(text, message);
  return read ? "" : to_string(read.error());
}

} // namespace

TEST_CASE("from_json names the field and the byte of what it refuses",
          "[messages][json]") {
  auto [text, why] = GENERATE(table<std::string, std::string>({
    {R"({"lifecycle":"lost"})",
     R"(WorkEnded.lifecycle: "lost" is no WorkLifecycle (byte 13))"},
    {R"({"lifecycle":"Queued"})",
     R"(WorkEnded.lifecycle: "Queued" is no WorkLifecycle (byte 13))"},
    {R"({"lifecycle":5})", "WorkEnded.lifecycle: a string is wanted (byte 13)"},
    {R"({"work_id":{"request":-1}})",
     "WorkEnded.work_id.request: a whole number from 0 to "
     "18446744073709551615 is wanted (byte 22)"},
    {R"({"work_id":{"life": 18446744073709551616}})",
     "WorkEnded.work_id.life: a whole number from 0 to "
     "18446744073709551615 is wanted (byte 20)"},
    {R"({"work_id":{"life":1.5}})",
     "WorkEnded.work_id.life: a whole number from 0 to "
     "18446744073709551615 is wanted (byte 19)"},
    {R"({"work_id":{"life":"1"}})",
     "WorkEnded.work_id.life: a whole number from 0 to "
     "18446744073709551615 is wanted (byte 19)"},
    {R"({"work_id":{"life":01}})",
     "WorkEnded.work_id.life: a whole number from 0 to "
     "18446744073709551615 is wanted (byte 19)"},
    {R"({"work_id":[]})", "WorkEnded.work_id: an object is wanted (byte 11)"},
    {R"({"late":null})", "WorkEnded.late: true or false is wanted (byte 8)"},
    {R"({"late":true,"late":true})",
     "WorkEnded.late: it comes twice (byte 19)"},
    {R"({"workId":null})",
     "WorkEnded.workId: there is no such field (byte 10)"},
    {R"({"outcome":"AAE"})", "WorkEnded.outcome: base64 is wanted (byte 11)"},
    {R"({"outcome":"AAF="})", "WorkEnded.outcome: base64 is wanted (byte 11)"},
    {R"({"late":true,})", "WorkEnded: a string is wanted (byte 13)"},
    {R"({"late":true)", "WorkEnded: ',' or '}' is wanted (byte 12)"},
    {R"({"late" true})", "WorkEnded.late: ':' is wanted (byte 8)"},
    {R"({"late":true} x)", "WorkEnded: the text should end here (byte 14)"},
    {R"([])", "WorkEnded: an object is wanted (byte 0)"},
    {"", "WorkEnded: an object is wanted (byte 0)"},
  }));
  CAPTURE(text);
  CHECK(complaint<wire::WorkEnded>(text) == "invalid_argument: " + why);
}

TEST_CASE("from_json refuses strings that are no JSON", "[messages][json]") {
  auto [text, why] = GENERATE(table<std::string, std::string>({
    {"{\"path\":\"\n\"}", "a control character must be escaped (byte 9)"},
    {"{\"path\":\"\xff\"}", "this is not UTF-8 (byte 9)"},
    {R"({"path":"\x"})", "this is no escape (byte 9)"},
    {R"({"path":"\u12"})", "this is no escape (byte 9)"},
    {R"({"path":"\ud83d"})", "this is no escape (byte 15)"},
    {R"({"path":"\ud83d\u0041"})",
     "half a character stands before this (byte 21)"},
    {R"({"path":"\ude00"})", "half a character stands before this (byte 15)"},
    {R"({"path":"abc)", "the string does not end (byte 12)"},
    {R"({"path":"abc\)", "this is no escape (byte 12)"},
    {R"({"path":'a'})", "a string is wanted (byte 8)"},
  }));
  CAPTURE(text);
  CHECK(complaint<wire::LogRef>(text)
        == "invalid_argument: LogRef.path: " + why);
}

TEST_CASE("from_json reads every escape and any white space",
          "[messages][json]") {
  wire::LogRef log;
  REQUIRE(from_json(" {\n\t\"path\" :\r\n\"\\\"\\\\\\/\\b\\f\\n\\r\\t"
                    "\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"\n} ",
                    log));
  CHECK(log.path() == "\"\\/\b\f\n\r\tA\u00e9\u20ac\U0001F600");
}

TEST_CASE("from_json changes nothing when it refuses", "[messages][json]") {
  wire::LogRef log;
  log.set_path("kept");
  CHECK_FALSE(from_json(R"({"path":"new"} x)", log));
  CHECK(log.path() == "kept");
}

TEST_CASE("from_json takes what is not there for absent", "[messages][json]") {
  wire::WorkId id;
  id.set_life(3);
  REQUIRE(from_json(R"({"sequence":0,"request":null})", id));
  CHECK(id.has_sequence());
  CHECK_FALSE(id.has_request());
  CHECK_FALSE(id.has_life());
}

TEST_CASE("from_json takes one alternative of a choice", "[messages][json]") {
  CHECK(complaint<wire::Completed>(R"({"outcome":"","failure":null})") == "");
  CHECK(complaint<wire::Completed>(R"({"outcome":"","failure":{}})")
        == "invalid_argument: Completed.failure: one of its alternatives is "
           "there already (byte 24)");
}

TEST_CASE("from_json refuses what does not fit lists, maps and fractions",
          "[messages][json]") {
  CHECK(complaint<wire::ToolPolicy>(R"({"deny":"rm"})")
        == "invalid_argument: ToolPolicy.deny: a list is wanted (byte 8)");
  CHECK(complaint<wire::ToolPolicy>(R"({"deny":["rm" "cp"]})")
        == "invalid_argument: ToolPolicy.deny: ',' or ']' is wanted (byte 14)");
  CHECK(complaint<wire::Capabilities>(R"({"observed_backends":{"a":1}})")
        == "invalid_argument: Capabilities.observed_backends.a: true or false "
           "is wanted (byte 26)");
  CHECK(complaint<google::protobuf::DoubleValue>(R"({"value":1e999})")
        == "invalid_argument: DoubleValue.value: a number is wanted that fits "
           "(byte 9)");
}
