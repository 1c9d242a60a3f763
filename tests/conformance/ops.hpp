#pragma once

#include "tests/conformance/words.hpp"
#include "tests/conformance/world.hpp"

#include <functional>
#include <map>
#include <string>

namespace turnstile::conformance {

/// Takes the rest of its line, acts, and answers.
using op = std::string (*)(world&, words&);

using op_table = std::map<std::string, op, std::less<>>;

const op_table& request_ops(); ///< `new`, and the verbs on requests
const op_table& work_ops();    ///< Works, backends and faults
const op_table& turn_ops();    ///< Turns and completions
const op_table& look_ops();    ///< What changes nothing

} // namespace turnstile::conformance
