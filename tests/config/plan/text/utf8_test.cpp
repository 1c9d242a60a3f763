#include "config/plan/text/utf8.hpp"

#include "tests/catch.hpp"

using namespace turnstile::config;

TEST_CASE("the first byte that is not UTF-8 is found", "[config][plan]") {
  const auto [text, where] =
    GENERATE(table<std::string, std::optional<std::size_t>>({
      {"", std::nullopt},
      {"plain", std::nullopt},
      {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", std::nullopt},
      {"\xf4\x8f\xbf\xbf", std::nullopt}, // U+10FFFF
      {"ab\x80", 2},                      // A continuation alone.
      {"a\xc3", 1},                       // Cut off.
      {"a\xe2\x82", 1},
      {"\xc0\xaf", 0},         // Overlong, two bytes.
      {"\xe0\x80\xaf", 0},     // Overlong, three.
      {"\xf0\x80\x80\xaf", 0}, // Overlong, four.
      {"\xed\xa0\x80", 0},     // A surrogate.
      {"\xf4\x90\x80\x80", 0}, // Above U+10FFFF.
      {"x\xff", 1},
    }));
  CAPTURE(text);
  CHECK(find_invalid_utf8(text) == where);
}

TEST_CASE("a plain name has no control characters", "[config][plan]") {
  const auto [text, plain] = GENERATE(table<std::string, bool>({
    {"a b", true},
    {"\xc3\xa9", true},
    {"", false},
    {"a\n", false},
    {std::string{"a\0", 2}, false},
    {"\x7f", false},
    {"\xc2\x9b", false}, // U+009B, which steers terminals.
    {"\xff", false},
  }));
  CAPTURE(text);
  CHECK(is_plain_name(text) == plain);
}

TEST_CASE("bytes that are no characters stay apart from all that are",
          "[config][plan]") {
  CHECK(characters_of("a\xc3\xa9\xff") == std::u32string{U'a', 0xe9, 0xdcff});
}
