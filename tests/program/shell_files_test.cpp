#include "tests/program/program.hpp"

#include <regex>
#include <set>
#include <sstream>

using namespace program_tests;
using Catch::Matchers::ContainsSubstring;

// What shells and people are told about the flags, against what the program
// itself says.

namespace {

using words = std::set<std::string>;

/// The first group of each match in `text`, with `--` in front.
words all_of(const std::string& text, const std::string& pattern) {
  const std::regex flag{pattern};
  words all;
  for (std::sregex_iterator at{text.begin(), text.end(), flag}, end; at != end;
       ++at)
    all.insert("--" + (*at)[1].str());
  return all;
}

/// The flags that the program has, by its own help.
words flags(std::vector<std::string> command = {"run"}) {
  plan_folder f{"{}"};
  command.emplace_back("--help");
  const auto help = program{f.path(), command}.wait().out;
  return all_of(help, "\n  (?:-[a-z],)?--([a-z-]+)");
}

const words commands{"run",     "resume", "list",   "status",
                     "report",  "events", "cancel", "explain",
                     "journal", "serve",  "worker", "nodes"};

words all_flags() {
  auto all = flags({});
  for (const auto& command : commands)
    all.merge(flags({command}));
  for (const auto* verb : {"compact", "repair"})
    all.merge(flags({"journal", verb}));
  return all;
}

std::string shell_file(const std::string& name) {
  return content_of(TURNSTILE_SHELL_FILES + name);
}

/// What bash offers when TAB is pressed behind `line`, a word each.
words completed(const plan_folder& f, const std::string& line) {
  const auto how = program::shell(f.path(), R"(
      source ')" TURNSTILE_SHELL_FILES R"(turnstile.bash'
      [[ $(complete -p turnstile) == *_turnstile* ]] || exit 9
      COMP_WORDS=()" + line + R"()
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _turnstile
      printf '%s\n' "${COMPREPLY[@]}")")
                     .wait();
  CHECK(how.code == 0);
  CHECK(how.err.empty());
  std::istringstream lines{how.out};
  words all;
  for (std::string one; std::getline(lines, one);)
    if (!one.empty())
      all.insert(one);
  return all;
}

} // namespace

TEST_CASE("bash completes turnstile's commands, flags, levels and files",
          "[program]") {
  plan_folder f{"{}"};
  f.write("a plan.json", "{}");
  f.write("notes.txt", "");
  CHECK(flags().contains("--log-level"));
  CHECK(completed(f, "turnstile run --") == flags());
  CHECK(completed(f, "turnstile run plan.json --jo") == words{"--journal"});
  auto first = commands;
  first.merge(words{"help", "--help", "--version"});
  CHECK(completed(f, "turnstile ''") == first);
  CHECK(completed(f, "turnstile r") == words{"run", "resume", "report"});
  CHECK(completed(f, "turnstile help ''") == commands);
  for (const auto& command : commands)
    CHECK(completed(f, "turnstile " + command + " --") == flags({command}));
  CHECK(completed(f, "turnstile journal ''")
        == words{"verify", "compact", "repair"});
  for (const auto* verb : {"verify", "compact", "repair"})
    CHECK(completed(f, std::string{"turnstile journal "} + verb + " --")
          == flags({"journal", verb}));
  CHECK(completed(f, "turnstile journal verify n") == words{"notes.txt"});
  CHECK(completed(f, "turnstile run ''") == words{"plan.json", "a plan.json"});
  CHECK(completed(f, "turnstile run --log-level e") == words{"error"});
  CHECK(completed(f, "turnstile run --log-level = w") == words{"warn"});
  CHECK(completed(f, "turnstile run --log-level =").contains("off"));
  CHECK(completed(f, "turnstile run --log-file n") == words{"notes.txt"});
  CHECK(completed(f, "turnstile run --grace ''").empty());
}

TEST_CASE("every shell and the man page know all of turnstile's flags",
          "[program]") {
  CHECK(
    all_of(shell_file("turnstile.zsh"), R"re((?:'|,|\))--([a-z-]+)(?:\[|\}))re")
    == all_flags());
  CHECK(all_of(shell_file("turnstile.fish"), "\ncomplete .* -l ([a-z-]+)")
        == all_flags());
  const auto page =
    std::regex_replace(shell_file("turnstile.1"), std::regex{R"(\\-)"}, "-");
  CHECK(all_of(page, "\n\\.TP\n\\.B[IR]? (?:-h \", \" )?--([a-z-]+)")
        == all_flags());
}

TEST_CASE("shells and the man page can read their files", "[program]") {
  auto [file, check] = GENERATE(table<std::string, std::string>({
    {"turnstile.bash", "bash -n"},
    {"turnstile.zsh", "zsh -n"},
    {"turnstile.fish", "fish -n"},
    {"turnstile.1", "groff -man -ww -Tutf8 -z"},
  }));
  plan_folder f{"{}"};
  const auto how =
    program::shell(f.path(), "command -v " + check.substr(0, check.find(' '))
                               + " >/dev/null || exit 77; exec " + check + " '"
                               + TURNSTILE_SHELL_FILES + file + "'")
      .wait();
  if (how.code == 77) {
    WARN(file << " is not checked: there is no " << check);
    return;
  }
  INFO(file);
  CHECK(how.code == 0);
  CHECK(how.err.empty());
}
