#include "actors/agent/agent_program.hpp"
#include "tests/actors/agent/agent_world.hpp"

using namespace agent_tests;

namespace {

constexpr auto wants_number = R"({"type":"object","required":["n"],)"
                              R"("properties":{"n":{"type":"integer"}}})";

wire::AgentTask checked(const std::string& id,
                        const std::string& schema = wants_number) {
  auto made = task(id);
  made.set_prompt("Count.");
  made.set_output_schema_json(schema);
  return made;
}

wire::RunTerms corrected(std::uint32_t schema_retry_max) {
  auto terms = patient();
  terms.mutable_retry()->set_schema_retry_max(schema_retry_max);
  return terms;
}

} // namespace

TEST_CASE("an output that does not match is asked for again, at once",
          "[actors][agent]") {
  agent_world w{{ok(R"({"n":"three"})"), ok(R"({"n":3})")}, 1, corrected(3)};
  w.submit(checked("a"));
  CHECK(w.how("a") == R"(OK {"n":3} at 0s)");
  CHECK(w.record("a").attempts() == 2);
  CHECK(w.record("a").schema_retries() == 1);
  CHECK(w.record("a").retries() == 0);
}

TEST_CASE("outputs that never match fail their task, and the last is kept",
          "[actors][agent]") {
  wire::TokenUsage spent;
  spent.set_output(4);
  agent_world w{{ok("7", duration::zero(), spent)}, 1, corrected(2)};
  w.submit(checked("a"));
  CHECK_THAT(w.how("a"), Catch::Matchers::StartsWith(
                           "ERROR schema_validation: output schema validation "
                           "failed: output does not match schema: "));
  CHECK(w.record("a").attempts() == 3);
  CHECK(w.record("a").schema_retries() == 2);
  CHECK(w.record("a").result().output_json() == "7");
  CHECK(w.record("a").tokens().output() == 12);
}

TEST_CASE("text instead of a structured answer is a mismatch, too",
          "[actors][agent]") {
  agent_world w{
    {ok(R"({"_agent_fallback_text":true,"text":"three"})"), ok(R"({"n":3})")},
    1,
    corrected(1)};
  w.submit(checked("a", "{}")); // which anything would match
  CHECK(w.how("a") == R"(OK {"n":3} at 0s)");
  CHECK(w.record("a").schema_retries() == 1);
}

TEST_CASE("text that never becomes a structured answer fails its task",
          "[actors][agent]") {
  agent_world w{
    {ok(R"({"_agent_fallback_text":true,"text":"three"})")}, 1, corrected(1)};
  w.submit(checked("a"));
  CHECK(w.how("a")
        == "ERROR schema_validation: output schema validation failed: the "
           "agent returned text instead of calling the structured_output tool "
           "at 0s");
  CHECK(w.record("a").attempts() == 2);
  CHECK(w.calls->order().size() == 2);
}

TEST_CASE("failures and mismatches are counted apart", "[actors][agent]") {
  agent_world w{{ok("1"), fails(backend_error_kind::spawn), ok("2"),
                 fails(backend_error_kind::spawn), ok(R"({"n":3})")},
                1,
                corrected(2)};
  w.submit(checked("a"));
  w.still.advance(10s);
  CHECK(w.how("a") == R"(OK {"n":3} at 300ms)");
  CHECK(w.record("a").attempts() == 5);
  CHECK(w.record("a").retries() == 2);
  CHECK(w.record("a").schema_retries() == 2);
}

TEST_CASE("a schema that is none is refused with its place, and costs nothing",
          "[actors][agent]") {
  auto terms = corrected(1);
  terms.set_quota(1);
  agent_world w{{ok(R"({"n":3})")}, 1, terms};
  w.submit(checked("a", R"({"properties":{"a":{"type":"strin"}}})"));
  CHECK_THAT(w.how("a"),
             Catch::Matchers::StartsWith(
               "refused: invalid_schema: AgentTask.output_schema_json: ")
               && Catch::Matchers::ContainsSubstring("/properties/a/type"));
  w.submit(checked("a"));
  CHECK(w.how("a") == R"(OK {"n":3} at 0s)");
}

TEST_CASE("a task that is cancelled is not corrected", "[actors][agent]") {
  agent_world w{{ok("1", 20ms)}, 1, corrected(3)};
  w.submit(checked("a"));
  w.still.advance(10ms);
  w.withdraw(0);
  w.still.advance(1s);
  CHECK(w.how("a") == "CANCELLED agent_cancelled: agent cancelled at 10ms");
  CHECK(w.calls->order().size() == 1);
}

TEST_CASE("each correction is made from the first prompt", "[actors][agent]") {
  std::vector<std::string> prompts;
  auto terms = agent_program::make_terms(corrected(2).SerializeAsString(), {});
  REQUIRE(terms);
  auto asked = checked("a");
  agent_program::attempts_type attempts;
  REQUIRE(agent_program::admit(*terms, asked, attempts, {}));
  for (const auto* output : {R"({"n":"x"})", R"({"m":1})"}) {
    attempt_end<agent_program> end;
    wire::AgentOutcome outcome;
    outcome.mutable_result()->set_status(wire::AGENT_STATUS_OK);
    outcome.mutable_result()->set_output_json(output);
    end.how = std::move(outcome);
    auto next =
      agent_program{}.after_attempt(*terms, asked, attempts, std::move(end));
    CHECK(std::holds_alternative<try_again>(next));
    CHECK_THAT(asked.prompt(), Catch::Matchers::StartsWith("Count.\n\n---\n"));
    CHECK_THAT(asked.prompt(), Catch::Matchers::ContainsSubstring(output));
    prompts.push_back(asked.prompt());
  }
  CHECK_THAT(prompts[1], !Catch::Matchers::ContainsSubstring(R"({"n":"x"})"));
}
