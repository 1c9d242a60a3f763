#include "actors/log/log_line.hpp"

#include "tests/catch.hpp"

using namespace turnstile;

TEST_CASE("a log line is its event and its pairs", "[actors][log]") {
  CHECK(log_line{"task_ended"}("task", "count:src/a.cpp")("attempt", 2U).text()
        == "task_ended task=count:src/a.cpp attempt=2");
  CHECK(log_line{"run_started"}.text() == "run_started");
}

TEST_CASE("a log line stays one line, whatever a value is", "[actors][log]") {
  auto [value, written] = GENERATE(table<std::string, std::string>({
    {"", R"("")"},
    {"two words", R"("two words")"},
    {"a=b", R"("a=b")"},
    {R"(say "hi"\)", R"("say \"hi\"\\")"},
    {"a\nb\r\tc", R"("a\nb\u000d\u0009c")"},
    {"\x1b[31m\x7f", R"("\u001b[31m\u007f")"},
    {std::string{"a\0b", 3}, R"("a\u0000b")"},
    {"caf\xC3\xA9", "\"caf\xC3\xA9\""},
    {"\xC2\x85\xE2\x80\xA8\xE2\x80\xA9", R"("\u0085\u2028\u2029")"},
    {"\xFFx", "\"\xEF\xBF\xBDx\""},
    {"-1,5%", "-1,5%"},
  }));
  CHECK(log_line{"e"}("k", value).text() == "e k=" + written);
}

TEST_CASE("a log line that nobody reads is not written", "[actors][log]") {
  int filled = 0;
  log_event(spdlog::level::trace, "e", [&](log_line&) { ++filled; });
  CHECK(filled == 0); // spdlog's own default is info
}
