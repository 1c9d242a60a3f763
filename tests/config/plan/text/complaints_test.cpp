#include "config/plan/text/complaints.hpp"

#include "tests/catch.hpp"

#include <algorithm>

using namespace turnstile;
using namespace turnstile::config;

namespace {

const source_text source{"plan.json", "{\n  \"\xc3\xa9\": 1,\n  \"b\": 2\n}"};

std::ptrdiff_t lines_of(const failure& why) {
  return 1 + std::count(why.detail.begin(), why.detail.end(), '\n');
}

} // namespace

TEST_CASE("complaints are told in the order of the text, each once",
          "[config][plan]") {
  complaints wrong{source};
  wrong.add(source.text.find("2"), "late");
  wrong.add(0, "early");
  wrong.add(source.text.find("1"), "in the middle");
  wrong.add(0, "early");
  CHECK(wrong.to_failure()
        == failure{errc::invalid_plan, "plan.json:1:1: early\n"
                                       "plan.json:2:8: in the middle\n"
                                       "plan.json:3:8: late"});
}

TEST_CASE("a plan is not built yet only if nothing is wrong besides",
          "[config][plan]") {
  complaints wrong{source};
  wrong.add(0, "later", errc::not_built_yet);
  CHECK(wrong.to_failure().code == errc::not_built_yet);
  wrong.add(1, "wrong");
  CHECK(wrong.to_failure().code == errc::invalid_plan);
}

TEST_CASE("complaints know which bytes are blamed already", "[config][plan]") {
  complaints wrong{source};
  wrong.add(5, "here");
  CHECK(wrong.touch(5, 6));
  CHECK(wrong.touch(0, 9));
  CHECK_FALSE(wrong.touch(0, 5));
  CHECK_FALSE(wrong.touch(6, 9));
}

TEST_CASE("twenty complaints are told and the others counted",
          "[config][plan]") {
  const auto [count, lines, last] =
    GENERATE(table<int, std::ptrdiff_t, std::string>({
      {20, 20, "plan.json:1:1: no 0019"},
      {21, 21, "and 1 more"},
      {200, 21, "and 180 more"},
      {201, 21, "and more than 180 more"},
      {999, 21, "and more than 180 more"},
    }));
  CAPTURE(count);
  complaints wrong{source};
  for (int i = 0; i < count; ++i)
    wrong.add(0, "no " + std::to_string(10'000 + i).replace(0, 1, ""));
  const auto why = wrong.to_failure();
  CHECK(lines_of(why) == lines);
  CHECK(why.detail.substr(why.detail.rfind('\n') + 1) == last);
}

TEST_CASE("a full book of complaints hears only of earlier places",
          "[config][plan]") {
  complaints wrong{source};
  CHECK(wrong.hear(7));
  for (std::size_t i = 0; i < complaints::max_kept; ++i)
    wrong.add(7, std::to_string(i));
  CHECK_FALSE(wrong.hear(7));
  CHECK(wrong.hear(6));
}
