#include "config/plan/each/segment_pattern.hpp"

#include "tests/catch.hpp"

using namespace turnstile;
using namespace turnstile::config;

TEST_CASE("a segment matches as in the shell", "[config][plan]") {
  const auto [pattern, name, matches] =
    GENERATE(table<std::string, std::string, bool>({
      {"a.cpp", "a.cpp", true},
      {"a.cpp", "a.hpp", false},
      {"*", "", true},
      {"*", "anything", true},
      {"*.cpp", ".cpp", false}, // Hidden.
      {"*.cpp", "x.cpp", true},
      {"*.cpp", "x.cpp.o", false},
      {"*a*b", "xaybab", true},
      {"*a*b", "xbya", false},
      {"a**b", "ab", true},
      {"?", "\xc3\xa9", true}, // One character, two bytes.
      {"?", "ab", false},
      {"?", "", false},
      {"[abc]x", "bx", true},
      {"[abc]x", "dx", false},
      {"[a-cx-z]", "y", true},
      {"[a-cx-z]", "m", false},
      {"[!a-c]", "d", true},
      {"[!a-c]", "b", false},
      {"[^a]", "b", true},
      {"[]]", "]", true},
      {"[!]]", "a", true},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {"[*]", "*", true},
      {"[*]", "a", false},
      {"{a,b}", "{a,b}", true}, // Braces are nothing special.
      {".*", ".hidden", true},
      {"?hidden", ".hidden", false},
      {"[.]hidden", ".hidden", false},
      {"**", "x", true},
      {"**", ".x", false},
      {"*a*a*a*a*a*a*a*a*a*b", std::string(5'000, 'a'), false},
    }));
  CAPTURE(pattern, name);
  const auto parsed = segment_pattern::parse(pattern);
  REQUIRE(parsed);
  CHECK(parsed->matches(name) == matches);
}

TEST_CASE("a set that is never closed is refused", "[config][plan]") {
  const auto pattern = GENERATE("[", "a[b", "[]", "[!]", "[!", "[a-");
  const auto parsed = segment_pattern::parse(pattern);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().detail
        == '"' + std::string{pattern} + "\" has a \"[\" without \"]\"");
}

TEST_CASE("a segment without wildcards is a name", "[config][plan]") {
  CHECK(segment_pattern::parse("..")->is_name());
  CHECK(segment_pattern::parse("a b")->is_name());
  CHECK_FALSE(segment_pattern::parse("a?")->is_name());
  CHECK_FALSE(segment_pattern::parse("[a]")->is_name());
  CHECK(segment_pattern::parse("**")->is_any_depth());
  CHECK_FALSE(segment_pattern::parse("***")->is_any_depth());
}
