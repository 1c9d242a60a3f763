#include "actors/node/text_width.hpp"

#include "tests/catch.hpp"

using namespace turnstile::node;

TEST_CASE("a text's columns are those of its characters", "[actors][node]") {
  auto [text, columns] = GENERATE(table<std::string, std::size_t>({
    {"", 0},
    {"abc", 3},
    {"caf\xC3\xA9", 4},
    {"cafe\xCC\x81", 4},
    {"\xE6\xBC\xA2\xE5\xAD\x97", 4},
    {"\xF0\x9F\x98\x80", 2},
    {"\xFFx", 2},
  }));
  CHECK(columns_of(text) == columns);
}

TEST_CASE("a text that is shortened keeps whole characters and says so",
          "[actors][node]") {
  auto [text, columns, seen] =
    GENERATE(table<std::string, std::size_t, std::string>({
      {"abc", 3, "abc"},
      {"abcd", 3, "ab\xE2\x80\xA6"},
      {"caf\xC3\xA9s", 4, "caf\xE2\x80\xA6"},
      {"\xC3\xA9t\xC3\xA9s", 3, "\xC3\xA9t\xE2\x80\xA6"},
      {"\xE6\xBC\xA2\xE5\xAD\x97", 3, "\xE6\xBC\xA2\xE2\x80\xA6"},
      {"\xE6\xBC\xA2\xE5\xAD\x97", 2, "\xE2\x80\xA6"},
      {"abc", 1, "\xE2\x80\xA6"},
      {"abc", 0, ""},
    }));
  CHECK(shortened(text, columns) == seen);
}

TEST_CASE("a text that is wrapped breaks at blanks, or inside what is too long",
          "[actors][node]") {
  auto [text, columns, seen] =
    GENERATE(table<std::string, std::size_t, std::string>({
      {"one two", 7, "one two"},
      {"one two", 6, "one\n  two"},
      {"one two", 3, "one\n tw\n o"},
      {"  a: long word", 9, "  a: long\n  word"},
      {"abcdefgh", 5, "abcde\n  fgh"},
      {"", 5, ""},
      {"abc", 0, "abc"},
    }));
  CHECK(wrapped(text, columns, 2) == seen);
}
