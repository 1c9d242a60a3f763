#pragma once

#include "actors/node/run_flags.hpp"
#include "core/base/result.hpp"

#include <string>
#include <variant>
#include <vector>

namespace turnstile::node {

/// What the command line asks for: a run, or a text that explains the program.
using command = std::variant<run_flags, std::string>;

/// Reads the words behind the program's name. Fails with one sentence about
/// what is wrong, and the nearest known word if one was mistyped.
result<command> read_command_line(std::vector<std::string> words);

} // namespace turnstile::node
