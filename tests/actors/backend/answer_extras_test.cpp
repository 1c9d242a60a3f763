#include "actors/backend/answer_extras.hpp"

#include "messages/json.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace turnstile;

TEST_CASE("the extras of an answer fill the result and leave the answer",
          "[actors][backend]") {
  wire::AgentResult result;
  const auto rest = take_extras(
    R"({"_usage":{"input":10,"output":2,"cache_read":3},"answer":4.20,)"
    R"("_findings":[{"kind":"bug","severity":"high","title":"t","detail":"d",)"
    R"("location":{"file":"a.c","line":3},"evidence":["e"],"data":{"x":[1]}},)"
    R"({"kind":"style"}],)"
    R"("_artifacts":[{"key":"k","path":"out.md"},{"key":"l","inline":"i"}],)"
    R"("_thread":"t-1","z":null})",
    result);
  CHECK(rest == R"({"answer":4.20,"z":null})");
  CHECK(result.tokens_used().input() == 10);
  CHECK(result.tokens_used().cache_read() == 3);
  REQUIRE(result.findings_size() == 2);
  CHECK(result.findings(0).severity() == wire::SEVERITY_HIGH);
  CHECK(result.findings(0).location().line() == 3);
  CHECK(result.findings(0).data_json() == R"({"x":[1]})");
  REQUIRE(result.artifacts_size() == 2);
  CHECK(result.artifacts(1).inline_text() == "i");
  CHECK(result.thread_id() == "t-1");
}

TEST_CASE("an extra that is not as it should be stays in the answer",
          "[actors][backend]") {
  auto json = GENERATE(
    as<std::string>{}, R"({"_usage":{"input":-1}})", R"({"_usage":"many"})",
    R"({"_usage":{"input":1,"dollars":2}})", R"({"_findings":{}})",
    R"({"_findings":[{"severity":"dire"}]})", R"({"_findings":[1]})",
    R"({"_artifacts":[{"path":"a","inline":"b","other":1}]})",
    R"({"_thread":7})", R"(["_usage"])", R"("_usage")", "7",
    R"({"usage":{"input":1}})");
  CAPTURE(json);
  wire::AgentResult result;
  CHECK(take_extras(json, result) == json);
  CHECK(to_json(result) == to_json(wire::AgentResult{}));
}

TEST_CASE("one bad extra does not spoil another", "[actors][backend]") {
  wire::AgentResult result;
  CHECK(take_extras(R"({"_thread":7,"_usage":{"output":5}})", result)
        == R"({"_thread":7})");
  CHECK(result.tokens_used().output() == 5);
}
