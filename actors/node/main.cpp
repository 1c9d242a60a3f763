// turnstile: runs plans of agent tasks from a shell.

#include "actors/node/exit_code.hpp"
#include "actors/node/run_flags.hpp"
#include "config/plan/duration.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

int main(int argc, char** argv) {
  using namespace turnstile;
  CLI::App app{"Runs plans of agent tasks, fairly and under limits."};
  app.name("turnstile");
  app.require_subcommand(1);
  node::run_flags flags;
  std::string grace = "5s";
  auto* run = app.add_subcommand("run", "Runs a plan to its end.");
  run->add_option("PLAN", flags.plan, "The plan, a JSON file.")->required();
  run
    ->add_option("--concurrency", flags.concurrency,
                 "Attempts at the same time; wins over the plan's.")
    ->check(CLI::Range(1U, 1'000'000U));
  run->add_option("--journal", flags.journal,
                  "Where the run is kept. Accepted, but nothing is kept yet.");
  run->add_option("--grace", grace,
                  "Time for a child to obey TERM before it is killed: 5s.");
  run->add_flag("--json", flags.json, "Print the results as one JSON object.");
  run->add_flag("--quiet", flags.quiet, "Tell no progress.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& why) {
    return app.exit(why) == 0 ? node::exit_ok : node::exit_wrong_input;
  }
  auto parsed = config::parse_duration(grace);
  if (!parsed) {
    std::fprintf(stderr, "turnstile: --grace: %s\n",
                 parsed.error().detail.c_str());
    return node::exit_wrong_input;
  }
  flags.grace = *parsed;
  // Standard output is for results.
  spdlog::set_default_logger(spdlog::stderr_color_mt("turnstile"));
  try {
    return node::run_plan(flags);
  } catch (const std::exception& why) {
    std::fprintf(stderr, "turnstile: %s\n", why.what());
    return node::exit_wrong_input;
  }
}
