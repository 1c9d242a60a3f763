#include "messages/json/unix_time.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

using namespace turnstile::detail;

namespace {

using bounds = std::numeric_limits<std::int64_t>;

} // namespace

TEST_CASE("a time is written in UTC with nine decimals, and read again",
          "[messages][json]") {
  auto [ns, text] = GENERATE(table<std::int64_t, std::string>({
    {0, "1970-01-01T00:00:00.000000000Z"},
    {1, "1970-01-01T00:00:00.000000001Z"},
    {-1, "1969-12-31T23:59:59.999999999Z"},
    {-1'000'000'000, "1969-12-31T23:59:59.000000000Z"},
    {1'709'164'800'000'000'000, "2024-02-29T00:00:00.000000000Z"},
    {1'767'323'045'123'456'789, "2026-01-02T03:04:05.123456789Z"},
    {bounds::min(), "1677-09-21T00:12:43.145224192Z"},
    {bounds::max(), "2262-04-11T23:47:16.854775807Z"},
  }));
  CHECK(to_rfc3339(ns) == text);
  CHECK(from_rfc3339(text) == ns);
}

TEST_CASE("a time is read with any offset and fewer decimals",
          "[messages][json]") {
  auto [text, ns] = GENERATE(table<std::string, std::int64_t>({
    {"1970-01-01T00:00:01Z", 1'000'000'000},
    {"1970-01-01t00:00:01.5z", 1'500'000'000},
    {"1970-01-01T02:00:00+02:00", 0},
    {"1969-12-31T23:30:00.25-00:30", 250'000'000},
    {"1969-12-31T23:59:60Z", 0},
  }));
  CAPTURE(text);
  CHECK(from_rfc3339(text) == ns);
}

TEST_CASE("what is no time is not read", "[messages][json]") {
  auto text = GENERATE(
    "", "now", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01 00:00:00Z",
    "1970-01-01T00:00Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00,5Z",
    "1970-01-01T00:00:00.1234567890Z", "1970-01-01T24:00:00Z",
    "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z", "1970-13-01T00:00:00Z",
    "1970-00-01T00:00:00Z", "2023-02-29T00:00:00Z", "70-01-01T00:00:00Z",
    "+1970-01-01T00:00:00Z", "1970-1-01T00:00:00Z", "1970-01-01T00:00:00+2:00",
    "1970-01-01T00:00:00+0200", "1970-01-01T00:00:00Z ",
    "1677-09-21T00:12:43.145224191Z", "2262-04-11T23:47:16.854775808Z",
    "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z");
  CAPTURE(text);
  CHECK(from_rfc3339(text) == std::nullopt);
}
