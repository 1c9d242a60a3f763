#include "messages/token_usage.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <limits>
#include <string>

using namespace turnstile;

namespace {

constexpr auto most = std::numeric_limits<std::uint64_t>::max();

wire::TokenUsage usage(std::uint64_t input, std::uint64_t output,
                       std::uint64_t cache_read, std::uint64_t cache_write) {
  wire::TokenUsage out;
  out.set_input(input);
  out.set_output(output);
  out.set_cache_read(cache_read);
  out.set_cache_write(cache_write);
  return out;
}

} // namespace

TEST_CASE("a total of tokens counts what was cached only once",
          "[messages][tokens]") {
  CHECK(total(usage(10, 5, 7, 2)) == 15);
  CHECK(total(usage(most, 1, 0, 0)) == most);
}

TEST_CASE("tokens add up counter by counter, and never wrap",
          "[messages][tokens]") {
  auto sum = usage(1, 2, most, most - 1);
  add(sum, usage(10, 20, 1, 1));
  CHECK(sum.ShortDebugString() == usage(11, 22, most, most).ShortDebugString());
}

TEST_CASE("a count of tokens is shown in the largest unit that fits",
          "[messages][tokens]") {
  auto [count, text] = GENERATE(table<std::uint64_t, std::string>({
    {0, "0"},
    {999, "999"},
    {1'000, "1k"},
    {1'049, "1k"},
    {1'050, "1.1k"},
    {1'234, "1.2k"},
    {999'949, "999.9k"},
    {999'950, "1M"},
    {999'999, "1M"},
    {1'500'000, "1.5M"},
    {999'950'000, "1B"},
    {2'000'000'000, "2B"},
    {999'999'999'999, "1T"},
    {999'950'000'000'000, "1000T"},
    {most, "18446744.1T"},
  }));
  CHECK(display_tokens(count) == text);
}

TEST_CASE("a usage shows what went in and out, and what was cached, if any",
          "[messages][tokens]") {
  CHECK(display(usage(1234, 340, 0, 9)) == "↑1.2k ↓340");
  CHECK(display(usage(1234, 340, 1000, 0)) == "↑1.2k ↓340, 1k cached");
}
