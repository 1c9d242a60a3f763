#include "config/plan/byte_size.hpp"

#include "tests/catch.hpp"

using namespace turnstile;
using namespace turnstile::config;

TEST_CASE("a size is read and written in the same units", "[config][plan]") {
  const auto [text, bytes] = GENERATE(table<std::string, std::uint64_t>({
    {"0B", 0},
    {"512B", 512},
    {"64KiB", 65'536},
    {"1MiB", 1'048'576},
    {"2GiB", 2'147'483'648},
    {"1025B", 1'025},
  }));
  CHECK(parse_byte_size(text) == result<std::uint64_t>{bytes});
  CHECK(render_byte_size(bytes) == text);
}

TEST_CASE("what is no size is refused", "[config][plan]") {
  const auto [text, sentence] = GENERATE(table<std::string, std::string>({
    {"1MB", "expected a size such as \"1MiB\", found \"1MB\""},
    {"1", "expected a size such as \"1MiB\", found \"1\""},
    {"", "expected a size such as \"1MiB\", found \"\""},
    {"MiB", "expected a size such as \"1MiB\", found \"MiB\""},
    {"9223372036854775808B",
     "expected a size of less than 8EiB, found \"9223372036854775808B\""},
    {"99999999999999999999B",
     "expected a size of less than 8EiB, found \"99999999999999999999B\""},
  }));
  const auto parsed = parse_byte_size(text);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error() == failure{errc::invalid_plan, sentence});
}
