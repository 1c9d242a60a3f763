#include "actors/node/command_line.hpp"

#include "config/plan/duration.hpp"
#include "config/plan/text/nearest.hpp"
#include "config/plan/text/quote.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace turnstile::node {

namespace {

constexpr auto exit_codes = R"(Exit codes:
  0  all tasks are ok
  1  some task is not ok, or the results could not be written
  2  the plan or the command line is wrong; nothing ran
  3  the run was cancelled
  5  interrupted
)";

constexpr auto run_example = R"(Example:
  turnstile run plan.json --concurrency 4 --json >results.json

First INT (Ctrl-C) or TERM: nothing new starts, running children get TERM and
the grace. Second: they are killed at once.
)";

/// The commands, as CLI11 knows them.
struct commands {
  CLI::App app{"Runs plans of agent tasks, fairly and under limits."};
  CLI::App* run = nullptr;
  run_flags flags;
  std::string grace = "5s";

  commands() {
    app.name("turnstile");
    app.set_help_flag("--help,-h", "Explain and end.");
    app.set_version_flag("--version", "turnstile " TURNSTILE_VERSION,
                         "Print the version and end.");
    app.footer("turnstile COMMAND --help explains a command.\n\n"
               + std::string{exit_codes}
               + "\nExample:\n  turnstile run plan.json");
    run = app.add_subcommand("run", "Runs a plan to its end.");
    run->footer(exit_codes + ("\n" + std::string{run_example}));
    run->add_option("PLAN", flags.plan, "The plan, a JSON file.")
      ->required()
      ->option_text(" ");
    option("--concurrency", flags.concurrency, "N",
           "Attempts at the same time; wins over the plan's.")
      ->check(CLI::Range(1U, 1'000'000U));
    option("--journal", flags.journal, "FILE",
           "Where the run is kept. Accepted, but nothing\nis kept yet.");
    option("--grace", grace, "DURATION",
           "Time for a child to obey TERM before it is\nkilled. 5s unless "
           "given.");
    run->add_flag("--json", flags.json,
                  "Print the results as one JSON object.");
    run->add_flag("--quiet", flags.quiet, "Tell no progress.");
    option("--log-level", flags.log.level, "LEVEL",
           "What is logged: trace, debug, info, warn, error,\ncritical or off. "
           "warn unless given.")
      ->check(CLI::IsMember(
        {"trace", "debug", "info", "warn", "error", "critical", "off"}));
    option("--log-file", flags.log.file, "FILE",
           "Append the log there, not to standard error.");
    for (auto* one : {&app, run}) {
      one->get_formatter()->column_width(25);
      for (auto [theirs, ours] : {std::pair{"OPTIONS", "FLAGS"},
                                  {"Options", "Flags"},
                                  {"SUBCOMMAND", "COMMAND"},
                                  {"Subcommands", "Commands"},
                                  {"Positionals", "Arguments"}})
        one->get_formatter()->label(theirs, ours);
    }
  }

  template <class T>
  CLI::Option* option(const char* name, T& into, const char* value,
                      const char* what) {
    return run->add_option(name, into, what)
      ->type_name(value)    // as errors say it
      ->option_text(value); // instead of CLI11's TEXT, REQUIRED and the like
  }
};

std::vector<std::string_view> flags_of(const CLI::App& app,
                                       std::vector<std::string>& keep) {
  for (const auto* one : app.get_options())
    for (const auto& name : one->get_lnames())
      keep.push_back("--" + name);
  return {keep.begin(), keep.end()};
}

/// A word that no command expects.
failure not_expected(const CLI::App& app, const std::string& word) {
  std::vector<std::string> keep;
  auto advice = config::did_you_mean(word, flags_of(app, keep));
  const auto* kind = word.starts_with('-') ? "unknown flag " : "unexpected ";
  return {errc::invalid_argument, kind + config::in_quotes(word) + advice};
}

failure no_such_command(const std::string& word) {
  constexpr std::array<std::string_view, 2> known{"run", "help"};
  return {errc::invalid_argument, "unknown command " + config::in_quotes(word)
                                    + config::did_you_mean(word, known)
                                    + "\nturnstile --help lists the commands"};
}

/// `help run` is `run --help`.
std::vector<std::string> without_help_command(std::vector<std::string> words) {
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.resize(std::min<std::size_t>(words.size(), 1));
    words.emplace_back("--help");
  }
  return words;
}

} // namespace

result<command> read_command_line(std::vector<std::string> words) {
  commands all;
  words = without_help_command(std::move(words));
  if (words.empty())
    return fail(errc::invalid_argument,
                "a command is missing\nturnstile --help lists the commands");
  if (!words.front().starts_with('-') && words.front() != "run")
    return fail(no_such_command(words.front()));
  const auto& asked = words.front() == "run" ? *all.run : all.app;
  const std::string more = &asked == all.run
                             ? "\nturnstile run --help tells what is expected"
                             : "\nturnstile --help tells what is expected";
  std::reverse(words.begin(), words.end()); // as CLI11 takes them
  try {
    all.app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return all.app.help();
  } catch (const CLI::CallForVersion& version) {
    return std::string{version.what()} + "\n";
  } catch (const CLI::ExtrasError&) {
    auto why = not_expected(asked, all.app.remaining(true).front());
    return fail(why.code, why.detail + more);
  } catch (const CLI::ParseError& why) {
    return fail(errc::invalid_argument, why.what() + more);
  }
  if (!all.run->parsed())
    return fail(errc::invalid_argument, "a command is missing" + more);
  auto grace = config::parse_duration(all.grace);
  if (!grace)
    return fail(grace.error().code, "--grace: " + grace.error().detail);
  all.flags.grace = *grace;
  return all.flags;
}

} // namespace turnstile::node
