#pragma once

#include "core/consensus/command.hpp"
#include "core/work/program.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// One command of a round, with what this rank needs to carry it out. It is
/// carried out on every rank in the same round, or on none: if one rank lacks
/// something (`missing`), all refuse it with that rank's words.
template <program P>
struct group_command {
  command_terms terms;
  std::vector<typename P::work_type> works;    ///< For `enqueue`.
  std::optional<typename P::state_type> state; ///< For `register_request`.
  std::optional<failure> missing; ///< Why this rank cannot carry it out.

  /// Sets `missing` if what is here is not what the terms say.
  void check() {
    if (missing)
      return;
    if (terms.kind == command_kind::register_request && !state)
      missing = failure{errc::invalid_argument, "it has no state to register"};
    if (terms.kind == command_kind::enqueue && works.size() != terms.works)
      missing = failure{errc::invalid_argument,
                        "it has " + std::to_string(works.size()) + " of the "
                          + std::to_string(terms.works) + " works"};
  }
};

} // namespace turnstile
