#include "config/plan/text/quote.hpp"

#include "tests/catch.hpp"

using namespace turnstile::config;

TEST_CASE("a quotation is safe for a terminal", "[config][plan]") {
  const auto [text, quotation] = GENERATE(table<std::string, std::string>({
    {"", R"("")"},
    {"a b", R"("a b")"},
    {"\xc3\xa9", "\"\xc3\xa9\""},
    {R"(a"b\c)", R"("a\"b\\c")"},
    {"\n\t\r", R"("\n\t\u000D")"},
    {"\x1b[31m", R"("\u001B[31m")"},
    {"\xff", R"("\xFF")"},
  }));
  CHECK(in_quotes(text) == quotation);
}

TEST_CASE("a long quotation is cut between characters", "[config][plan]") {
  CHECK(in_quotes("\xc3\xa9\xc3\xa9\xc3\xa9", 2) == "\"\xc3\xa9\xc3\xa9...\"");
  CHECK(in_quotes("abc", 3) == "\"abc\"");
}
