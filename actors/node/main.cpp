// turnstile: runs plans of agent tasks from a shell.

#include "actors/node/command_line.hpp"
#include "actors/node/exit_code.hpp"
#include "actors/node/print.hpp"
#include "actors/node/run_flags.hpp"
#include "actors/node/signals.hpp"
#include "actors/node/standard_streams.hpp"

#include <exception>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using namespace turnstile;
  node::secure_standard_streams();
  node::exit_on_interrupts();
  try {
    auto asked =
      node::read_command_line({argv + (argc > 0 ? 1 : 0), argv + argc});
    if (!asked)
      return node::complain(asked.error());
    if (const auto* text = std::get_if<std::string>(&*asked))
      return node::print(*text) ? node::exit_ok : node::exit_tasks_failed;
    if (const auto* looking = std::get_if<node::look_flags>(&*asked))
      return node::look(*looking);
    if (const auto* serving = std::get_if<node::serve_flags>(&*asked))
      return node::serve(*serving);
    if (const auto* working = std::get_if<node::worker_flags>(&*asked))
      return node::work(*working);
    const auto& flags = std::get<node::run_flags>(*asked);
    return flags.resume ? node::resume_run(flags) : node::run_plan(flags);
  } catch (const std::exception& why) {
    return node::complain({errc::invalid_argument, why.what()});
  }
}
