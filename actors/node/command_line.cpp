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
  4  the journal refused: owned by another process, damaged, full
  5  interrupted; turnstile resume goes on
  6  a journal was repaired, but not all could be saved
)";

constexpr auto run_example = R"(Example:
  turnstile run plan.json --concurrency 4 --json >results.json

First INT (Ctrl-C) or TERM: nothing new starts, running children get TERM and
the grace, and what is left stays in the journal for turnstile resume. Second:
they are killed at once.
)";

constexpr auto resume_example = R"(Example:
  turnstile resume

Tasks that have succeeded are not run again. Attempts that a crash has cut off
count as failed ones.
)";

constexpr auto serve_example = R"(Example:
  turnstile serve --listen 127.0.0.1:4747

First INT or TERM: nothing new starts, what runs is stopped and stays in the
journal; whoever serves from it next goes on. Second: at once.
)";

constexpr auto worker_example = R"(Example:
  turnstile worker worker.json --connect 10.0.0.1:4747

First INT or TERM: takes nothing more, and ends when what runs has. Second:
what runs is stopped and handed back, to be run elsewhere. Third: at once.
)";

/// The commands, as CLI11 knows them.
struct commands {
  CLI::App app{"Runs plans of agent tasks, fairly and under limits."};
  run_flags flags;
  look_flags looking;
  serve_flags serving;
  worker_flags working;
  std::string grace = "5s";
  std::string max_age;

  commands() {
    app.name("turnstile");
    app.set_help_flag("--help,-h", "Explain and end.");
    app.set_version_flag("--version", "turnstile " TURNSTILE_VERSION,
                         "Print the version and end.");
    app.footer("turnstile COMMAND --help explains a command.\n\n"
               + std::string{exit_codes}
               + "\nExample:\n  turnstile run plan.json");
    auto* run = app.add_subcommand("run", "Runs a plan to its end.");
    run->footer(exit_codes + ("\n" + std::string{run_example}));
    run->add_option("PLAN", flags.plan, "The plan, a JSON file.")
      ->required()
      ->option_text(" ");
    option(*run, "--concurrency", flags.concurrency, "N",
           "Attempts at the same time; wins over the plan's.")
      ->check(CLI::Range(1U, 1'000'000U));
    journal(*run, flags.journal,
            "Where the run is kept, so that it can be\n"
            "resumed.");
    run->add_flag("--no-journal", flags.no_journal,
                  "Keep the run nowhere; it cannot be resumed.");
    option(*run, "--connect", flags.connect, "HOST:PORT",
           "Have it run by this server, with its backends.");
    option(*run, "--run", flags.run, "ID",
           "With --connect: the run's identity, to come back\nto it. A new one "
           "unless given.");
    proof(*run, flags.proof);
    running(*run);
    auto* resume =
      app.add_subcommand("resume", "Goes on with a run that has not ended.");
    resume->footer(exit_codes + ("\n" + std::string{resume_example}));
    resume
      ->add_option("RUN", flags.run,
                   "Its id, or how that begins. The newest that\nhas not ended "
                   "unless given.")
      ->option_text(" ");
    option(*resume, "--concurrency", flags.concurrency, "N",
           "Attempts at the same time; wins over the run's.")
      ->check(CLI::Range(1U, 1'000'000U));
    journal(*resume, flags.journal, "Where the run is kept.");
    running(*resume);
    look("list", "Lists the runs of a journal, newest first.");
    of_run(look("status", "Tells how a run stands."));
    of_run(look("report", "Shows what became of a run so far."));
    auto& events = look("events", "Tells what has happened in a run.");
    of_run(events);
    option(events, "--from", looking.from, "N",
           "The number of the first event. 1 unless given.");
    events.add_flag("--follow", looking.follow,
                    "Go on as events come, until the run ends.");
    auto& cancel = look(
      "cancel", "Cancels a run, or one task of it, whoever is running it.");
    of_run(cancel);
    cancel.add_option("TASK", looking.task, "One task, by its name.")
      ->option_text(" ");
    connected(cancel, "Ask this server instead of a journal.");
    auto& nodes = *app.add_subcommand("nodes", "Tells how a server stands.");
    connected(nodes, "The server.");
    nodes.add_flag("--json", looking.json, "Print JSON.");
    auto* serve =
      app.add_subcommand("serve", "Serves workers and clients of other "
                                  "processes.");
    serve->footer(serve_example);
    serve->add_option("SETTINGS", serving.settings, "A JSON file.")
      ->option_text(" ");
    option(*serve, "--listen", serving.listen, "HOST:PORT",
           "Where. 127.0.0.1:4747 unless given; port 0: any.");
    option(*serve, "--name", serving.name, "NAME",
           "What others call it. The machine's unless given.");
    option(*serve, "--concurrency", serving.concurrency, "N",
           "Attempts at the same time; wins over the settings.")
      ->check(CLI::Range(1U, 1'000'000U));
    option(*serve, "--journal", serving.journal, "FILE",
           (std::string{"Where runs are kept, and taken up again.\n"}
            + usual_journal + " unless given.")
             .c_str());
    serve->add_flag("--no-journal", serving.no_journal, "Keep runs nowhere.");
    serve->add_flag("--insecure", serving.insecure,
                    "Beyond this machine without certificates.");
    logging(*serve, serving.log);
    auto* worker = app.add_subcommand(
      "worker", "Offers backends to a server and works for it.");
    worker->footer(worker_example);
    worker
      ->add_option("SETTINGS", working.settings,
                   "A JSON file that says which backends.")
      ->required()
      ->option_text(" ");
    option(*worker, "--connect", working.connect, "HOST:PORT",
           "The server; wins over the settings.");
    option(*worker, "--name", working.name, "NAME",
           "What others call it. The machine's unless given.");
    worker->add_flag("--insecure", working.insecure,
                     "Beyond this machine without certificates.");
    logging(*worker, working.log);
    auto& explain = look("explain", "Says why a task does not run now, or why "
                                    "it ended as it did.");
    of_run(explain);
    explain.add_option("TASK", looking.task, "Its name.")
      ->required()
      ->option_text(" ");
    auto* whole = app.add_subcommand("journal", "Looks after a journal.");
    whole->require_subcommand(1);
    auto* verify = whole->add_subcommand(
      "verify", "Reads all of a journal and says what is wrong with it.");
    auto* compact = whole->add_subcommand(
      "compact", "Forgets old runs and gives unused space back.");
    auto* repair = whole->add_subcommand(
      "repair", "Saves what is left of a damaged journal in a new one.");
    for (auto* one : {verify, compact, repair}) {
      one->add_option("FILE", looking.journal, "The journal.")
        ->required()
        ->option_text(" ");
      one->add_flag("--json", looking.json, "Print JSON.");
      format(*one);
    }
    option(*compact, "--keep", looking.kept.max_ended, "N",
           "Ended runs that are left, the newest. 1000 unless\ngiven.");
    option(*compact, "--max-age", max_age, "DURATION",
           "Ended runs that are left: no longer ago than\nthis, as in 720h. "
           "Any unless given.");
    option(*repair, "--to", looking.to, "NEW",
           "The new journal. FILE.repaired unless given.");
    for (auto* one : app.get_subcommands(nullptr))
      format(*one);
    format(app);
  }

  /// The command that the words named, if any.
  [[nodiscard]] const CLI::App* asked(const std::string& word) const {
    for (const auto* one : app.get_subcommands(nullptr))
      if (one->get_name() == word)
        return one;
    return nullptr;
  }

  /// What is to be done, once all was read.
  [[nodiscard]] result<command> meant() const {
    const auto* named = app.get_subcommands().front();
    if (named->get_name() == "journal")
      named = named->get_subcommands().front();
    const auto name = named->get_name();
    if (name == "serve")
      return serving;
    if (name == "worker")
      return working;
    if (name == "nodes" && looking.connect.empty())
      return fail(errc::invalid_argument, "--connect HOST:PORT is missing");
    if (name == "run" && flags.connect.empty() && !flags.run.empty())
      return fail(errc::invalid_argument,
                  "--run goes with --connect; turnstile resume goes on with a "
                  "run of a journal");
    if (name == "run" || name == "resume") {
      auto whole = flags;
      whole.resume = name == "resume";
      auto time = config::parse_duration(grace);
      if (!time)
        return fail(time.error().code, "--grace: " + time.error().detail);
      whole.grace = *time;
      return whole;
    }
    using verb = look_flags::verb;
    auto whole = looking;
    if (!max_age.empty()) {
      auto span = config::parse_duration(max_age);
      if (!span)
        return fail(span.error().code, "--max-age: " + span.error().detail);
      whole.kept.max_age = *span;
    }
    whole.what = name == "list"      ? verb::list
                 : name == "status"  ? verb::status
                 : name == "report"  ? verb::report
                 : name == "events"  ? verb::events
                 : name == "cancel"  ? verb::cancel
                 : name == "explain" ? verb::explain
                 : name == "verify"  ? verb::verify
                 : name == "nodes"   ? verb::nodes
                 : name == "repair"  ? verb::repair
                                     : verb::compact;
    return whole;
  }

private:
  /// What `run` and `resume` have in common.
  void running(CLI::App& to) {
    option(to, "--grace", grace, "DURATION",
           "Time for a child to obey TERM before it is\nkilled. 5s unless "
           "given.");
    to.add_flag("--json", flags.json, "Print the results as one JSON object.");
    to.add_flag("--quiet", flags.quiet, "Tell no progress.");
    logging(to, flags.log);
  }

  static void logging(CLI::App& to, log_flags& into) {
    option(to, "--log-level", into.level, "LEVEL",
           "What is logged: trace, debug, info, warn, error,\ncritical or off. "
           "warn unless given.")
      ->check(CLI::IsMember(
        {"trace", "debug", "info", "warn", "error", "critical", "off"}));
    option(to, "--log-file", into.file, "FILE",
           "Append the log there, not to standard error.");
  }

  /// Who a client is to its server.
  static void proof(CLI::App& to, client_proof& into) {
    option(to, "--certificate", into.certificate, "FILE",
           "With --connect: who this is (PEM). Its key and\nauthority go with "
           "it.");
    option(to, "--key", into.key, "FILE", "Of the certificate.");
    option(to, "--authority", into.authority, "FILE",
           "Whose certificates are believed.");
    to.add_flag("--insecure", into.insecure,
                "Beyond this machine without certificates.");
  }

  void connected(CLI::App& to, const char* what) {
    option(to, "--connect", looking.connect, "HOST:PORT", what);
    proof(to, looking.proof);
  }

  CLI::App& look(const char* name, const char* what) {
    auto& made = *app.add_subcommand(name, what);
    journal(made, looking.journal, "The journal to look into.");
    made.add_flag("--json", looking.json, "Print JSON.");
    return made;
  }

  void of_run(CLI::App& to) {
    to.add_option("RUN", looking.run, "Its id, or how that begins.")
      ->required()
      ->option_text(" ");
  }

  void journal(CLI::App& to, std::string& into, const char* what) {
    option(
      to, "--journal", into, "FILE",
      (std::string{what} + "\n" + usual_journal + " unless given.").c_str());
  }

  static void format(CLI::App& one) {
    one.get_formatter()->column_width(25);
    for (auto [theirs, ours] : {std::pair{"OPTIONS", "FLAGS"},
                                {"Options", "Flags"},
                                {"SUBCOMMAND", "COMMAND"},
                                {"Subcommands", "Commands"},
                                {"Positionals", "Arguments"}})
      one.get_formatter()->label(theirs, ours);
  }

  template <class T>
  static CLI::Option* option(CLI::App& to, const char* name, T& into,
                             const char* value, const char* what) {
    return to.add_option(name, into, what)
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
  constexpr std::array<std::string_view, 13> known{
    "run",     "resume",  "list",  "status", "report", "events", "cancel",
    "explain", "journal", "serve", "worker", "nodes",  "help"};
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
  const auto word = words.front();
  const auto* named = all.asked(word);
  if (!word.starts_with('-') && named == nullptr)
    return fail(no_such_command(word));
  const auto& asked = named != nullptr ? *named : all.app;
  const std::string more =
    named != nullptr ? "\nturnstile " + word + " --help tells what is expected"
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
  if (all.app.get_subcommands().empty())
    return fail(errc::invalid_argument, "a command is missing" + more);
  return all.meant();
}

} // namespace turnstile::node
