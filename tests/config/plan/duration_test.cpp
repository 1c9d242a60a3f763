#include "config/plan/duration.hpp"

#include "tests/catch.hpp"

using namespace turnstile;
using namespace turnstile::config;
using namespace std::chrono_literals;

TEST_CASE("a duration is a whole number and its unit", "[config][plan]") {
  const auto [text, expected] = GENERATE(table<std::string, duration>({
    {"7ns", 7ns},
    {"3us", 3us},
    {"250ms", 250ms},
    {"30s", 30s},
    {"5m", 5min},
    {"2h", 2h},
    {"1d", 24h},
    {"0s", 0s},
    {"007s", 7s},
    {"36500d", max_duration},
  }));
  CAPTURE(text);
  CHECK(parse_duration(text) == result<duration>{expected});
}

TEST_CASE("what is no duration is refused with advice", "[config][plan]") {
  const auto [text, sentence] = GENERATE(table<std::string, std::string>({
    {"30", "expected a duration such as \"30s\", found \"30\"; write \"30s\""},
    {"", "expected a duration such as \"30s\", found \"\""},
    {"s", "expected a duration such as \"30s\", found \"s\""},
    {"-5s", "expected a duration such as \"30s\", found \"-5s\""},
    {"+5s", "expected a duration such as \"30s\", found \"+5s\""},
    {"1.5s", "expected a duration such as \"30s\", found \"1.5s\""},
    {"1 s", "expected a duration such as \"30s\", found \"1 s\""},
    {"1S", "expected a duration such as \"30s\", found \"1S\""},
    {"1m30s", "expected a duration such as \"30s\", found \"1m30s\""},
    {"36501d", "expected a duration of at most 36500d, found \"36501d\""},
    {"18446744073709551616ns", "expected a duration of at most 36500d, found "
                               "\"18446744073709551616ns\""},
  }));
  const auto parsed = parse_duration(text);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error() == failure{errc::invalid_plan, sentence});
}

TEST_CASE("a duration is written in its largest exact unit", "[config][plan]") {
  const auto [length, text] = GENERATE(table<duration, std::string>({
    {0s, "0s"},
    {1ns, "1ns"},
    {1500us, "1500us"},
    {1000ms, "1s"},
    {90s, "90s"},
    {120s, "2m"},
    {48h, "2d"},
    {-30s, "-30s"},
    {max_duration, "36500d"},
  }));
  CHECK(render_duration(length) == text);
}
