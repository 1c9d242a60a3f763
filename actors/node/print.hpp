#pragma once

#include "core/base/error.hpp"

#include <string>

namespace turnstile::node {

/// Writes `text` to standard output, which people rely on to be whole: if it
/// cannot be written, standard error says why. @returns whether it was
bool print(const std::string& text);

/// Says on standard error what is wrong with what we were given, and returns
/// the exit code for that.
int complain(const failure& why);

/// Says a sentence on standard error.
void say(const std::string& sentence);

} // namespace turnstile::node
