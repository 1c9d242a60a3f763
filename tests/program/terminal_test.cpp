#include "tests/program/terminal.hpp"

#include "config/plan/text/utf8.hpp"

#include <regex>
#include <sstream>

using namespace program_tests;
using Catch::Matchers::ContainsSubstring;

namespace {

const auto plan = shell_plan(R"(
  {"name": "r\u00e9sum\u00e9s of everything that was ever said or written",
   "prompt": "true"},
  {"name": "a second one whose name is also much too long", "prompt":
   "echo 'this is why it failed, at some length' >&2; exit 3"})");

constexpr auto colour = "\x1b[3";

/// What a person sees, as lines: each as wide as it ever was.
std::vector<std::string> lines_of(const std::string& out) {
  const auto text =
    std::regex_replace(out, std::regex{"\x1b\\[[0-9]*[Km]"}, "");
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n' || c == '\r')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

} // namespace

TEST_CASE("turnstile fits a terminal of 40 columns", "[program]") {
  plan_folder f{plan};
  const auto how =
    run_on_terminal(f.path(), plan_folder::words({}), 40, {"TERM=xterm"});
  CHECK(how.code == 1);
  CHECK_THAT(how.out, ContainsSubstring("\xE2\x80\xA6")); // an ellipsis
  CHECK_THAT(how.out, ContainsSubstring("\r\x1b[K2/2 done, 1 failed, "));
  for (const auto& line : lines_of(how.out)) {
    INFO(how.out << "\n" << line);
    CHECK_FALSE(turnstile::config::find_invalid_utf8(line).has_value());
    CHECK(turnstile::config::characters_of(line).size() < 40);
  }
}

TEST_CASE("turnstile has colours on a terminal, unless told otherwise",
          "[program]") {
  auto [environment, colours] = GENERATE(table<std::vector<std::string>, bool>({
    {std::vector<std::string>{"TERM=xterm"}, true},
    {{"TERM=xterm", "NO_COLOR="}, true},
    {{"TERM=xterm", "NO_COLOR=1"}, false},
    {std::vector<std::string>{"TERM=dumb"}, false},
  }));
  plan_folder f{plan};
  const auto how =
    run_on_terminal(f.path(), plan_folder::words({}), 80, environment);
  CHECK((how.out.find(colour) != how.out.npos) == colours);
}

TEST_CASE("turnstile moves no cursor where it cannot", "[program]") {
  plan_folder f{plan};
  const auto dumb =
    run_on_terminal(f.path(), plan_folder::words({}), 80, {"TERM=dumb"});
  CHECK(dumb.out.find('\x1b') == dumb.out.npos);
  const auto pipes = f.run();
  CHECK((pipes.out + pipes.err).find('\x1b') == std::string::npos);
}

TEST_CASE("turnstile's log does not run into its progress line", "[program]") {
  plan_folder f{plan};
  const auto how = run_on_terminal(
    f.path(), plan_folder::words({"--log-level", "info"}), 200, {"TERM=xterm"});
  for (const auto& line : lines_of(how.out)) {
    INFO(line);
    if (line.find(" info ") != line.npos)
      CHECK(std::regex_search(line, std::regex{"^[0-9]{4}-[0-9][0-9]-"}));
  }
}

TEST_CASE("turnstile's JSON on a terminal has no colours", "[program]") {
  plan_folder f{plan};
  const auto how = run_on_terminal(
    f.path(), plan_folder::words({"--json", "--quiet"}), 40, {"TERM=xterm"});
  CHECK(how.out.find('\x1b') == how.out.npos);
  CHECK(how.out.front() == '{');
}
