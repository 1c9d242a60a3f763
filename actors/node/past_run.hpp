#pragma once

#include "actors/journal/journal_view.hpp"
#include "actors/node/plan_run.hpp"
#include "config/plan/plan.hpp"

#include <optional>
#include <string>

namespace turnstile::node {

/// A run of a plan, as a journal has it.
struct past_run {
  request_head head;
  config::plan plan;
};

/// Finds the run of this id, of an id that begins so, or without one the
/// newest; among those that have not ended if `unended`. `run_not_found`.
result<request_head> find_run(journal_view& journal, const std::string& run,
                              bool unended);

/// Reads a run's plan. Refused if the run was not of a plan.
result<past_run> read_past_run(journal_view& journal, const request_head& run);

/// What has become of a run so far, with every task of its plan.
result<run_result> read_result(journal_view& journal, const past_run& run);

} // namespace turnstile::node
