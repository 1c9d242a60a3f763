#pragma once

#include "actors/node/look_flags.hpp"
#include "actors/node/node_flags.hpp"
#include "actors/node/run_flags.hpp"
#include "core/base/result.hpp"

#include <string>
#include <variant>
#include <vector>

namespace turnstile::node {

/// What the command line asks for: a text that explains the program, a run, a
/// node, or a look into a journal or at a server.
using command =
  std::variant<std::string, run_flags, look_flags, serve_flags, worker_flags>;

/// Reads the words behind the program's name. Fails with one sentence about
/// what is wrong, and the nearest known word if one was mistyped.
result<command> read_command_line(std::vector<std::string> words);

} // namespace turnstile::node
