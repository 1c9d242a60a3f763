#include "core/attempt/feedback.hpp"

#include "tests/catch.hpp"

#include <string>

using namespace turnstile;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("a correction shows what was asked, answered and wanted",
          "[core][attempt]") {
  const auto prompt =
    corrected_prompt("Count.", {"at /n: wants a number", R"({"n":"x"})",
                                R"({"type":"object"})"});
  CHECK_THAT(prompt, StartsWith("Count.\n\n---\n"));
  for (const auto* part :
       {"does not match", "at /n: wants a number",
        "```json\n{\"n\":\"x\"}\n```", "Required JSON Schema",
        "{\"type\":\"object\"}", "structured_output"})
    CHECK_THAT(prompt, ContainsSubstring(part));
}

TEST_CASE("a correction of a plain text says that it was one",
          "[core][attempt]") {
  const auto prompt = corrected_prompt("Count.", {"", "three", "{}", true});
  for (const auto* part : {"plain text", "```\nthree\n```",
                           "Required JSON Schema", "structured_output"})
    CHECK_THAT(prompt, ContainsSubstring(part));
}

TEST_CASE("a correction shows little of a long answer, in whole characters",
          "[core][attempt]") {
  std::string answer = "a";
  while (answer.size() < 1'000'000)
    answer += "\xC3\xA9";
  const auto prompt = corrected_prompt("Count.", {"why", answer, "{}"});
  CHECK(prompt.size() < max_feedback_excerpt + 1000);
  CHECK_THAT(prompt, ContainsSubstring("\xC3\xA9\n[cut; there were 1000001 "
                                       "bytes]\n"));
}
