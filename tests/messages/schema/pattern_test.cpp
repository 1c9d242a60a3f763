#include "tests/catch.hpp"
#include "tests/messages/schema/answers.hpp"

#include <nlohmann/json.hpp>

using namespace turnstile;

namespace {

std::string matched(const std::string& pattern, const std::string& text) {
  const nlohmann::json schema = {{"pattern", pattern}};
  const auto said = answer(schema.dump(), nlohmann::json(text).dump());
  return said.starts_with("no: ") ? "no" : said == "fine" ? "yes" : said;
}

} // namespace

TEST_CASE("pattern means in RE2 what ECMA-262 means by it",
          "[messages][output_schema]") {
  const auto [pattern, text, answer] =
    GENERATE(table<std::string, std::string, std::string>({
      {"es", "test", "yes"}, // Anywhere.
      {"^es", "test", "no"},
      {"^a$", "a\n", "no"}, // The end of the text, not of a line.
      {"^.$", "\u00e9", "yes"},
      {"^.$", "\U0001F600", "yes"},
      {"^.$", "\r", "no"},
      {"^.$", "\u2028", "no"},
      {"^\\d$", "\u0663", "no"},
      {"^\\w$", "\u00e9", "no"},
      {"^\\s$", "\u00a0", "yes"},
      {"^\\s$", "\v", "yes"},
      {"^\\s$", "\ufeff", "yes"},
      {"^\\S$", "\u3000", "no"},
      {"^[\\s]$", "\u3000", "yes"},
      {"^[^\\s]$", "\u3000", "no"},
      {"^[\\S]$", "\u3000", "no"},
      {"^[\\S]$", "\u3001", "yes"},
      {"^\\u00e9$", "\u00e9", "yes"},
      {"^\\u{1F600}$", "\U0001F600", "yes"},
      {"^\\uD83D\\uDE00$", "\U0001F600", "yes"},
      {"^[\\u0041-\\u0043]$", "B", "yes"},
      {"^\\x41\\cJ\\0$", std::string{"A\n\0", 3}, "yes"},
      {"^[\\b]$", "\b", "yes"},
      {"a\\b", "ab", "no"},
      {"^\\p{Letter}+$", "\u00e9\u0436", "yes"},
      {"^\\p{Lu}$", "a", "no"},
      {"^\\P{Lu}$", "a", "yes"},
      {"^\\p{Script=Greek}$", "\u03b1", "yes"},
      {"^\\p{L}{1,64}$", "\u00e9", "yes"},
      {"^[\\w-.]+@$", "a-b.c@", "yes"},
      {"^[-+]$", "-", "yes"},
      {"^[[:alpha:]]$", ":]", "yes"}, // A class of letters, then a bracket.
      {"^[[:alpha:]]$", "b", "no"},
      {"[]", "a", "no"},
      {"^[^]$", "\n", "yes"},
      {"^\\/\\-\\_\\@\\.$", "/-_@.", "yes"},
      {"^(?<year>\\d{4})-(?:x)$", "2024-x", "yes"},
      {"^a{,2}$", "a{,2}", "yes"},
      {"^x{2}?y*?$", "xxyy", "yes"},
      {"", "a", "yes"},
    }));
  CAPTURE(pattern, text);

  CHECK(matched(pattern, text) == answer);
}

TEST_CASE("pattern refuses what ECMA-262 does not have, or RE2 cannot do",
          "[messages][output_schema]") {
  const auto pattern = GENERATE(
    as<std::string>{}, "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>",
    "(?i)a", "(?P<n>a)", "\\Aa\\z", "\\Qa.\\E", "a**", "(", "[a", "[b-a]", "\\",
    "\\u12", "\\ud800", "\\p{Nonsense}", "\\pL", "a{2,1}", "a{1001}");
  CAPTURE(pattern);

  CHECK_THAT(matched(pattern, ""),
             Catch::Matchers::ContainsSubstring("no schema: at /pattern: "));
}

TEST_CASE("the format regex takes what is one, even if no pattern can be it",
          "[messages][output_schema]") {
  const auto [text, fine] = GENERATE(table<std::string, bool>({
    {R"("^(?!a)(b)\\1$")", true},
    {R"("a{5000}")", true},
    {R"("(?!a")", false},
    {R"("\\a")", false},
  }));
  CAPTURE(text);

  CHECK((answer(R"({"format": "regex"})", text) == "fine") == fine);
}
