#include "tests/conformance/world.hpp"

#include "core/base/check.hpp"
#include "tests/conformance/answers.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace turnstile::conformance {

void world::reset(const scheduler_settings& settings) {
  auto fresh = core::create(settings);
  TURNSTILE_CHECK(fresh.has_value());
  under_test_.emplace(std::move(*fresh));
  plans.clear();
  default_plan = {};
  handles.clear();
  faults = {};
  group = std::make_unique<mirror_group>(1);
  last_rows = "-";
  keep_states = false;
  calls_.clear();
}

result<harness_output> world::execute(const submission& what,
                                      const harness_work& work,
                                      harness_branch& branch) {
  calls_.push_back(what.id);
  const work_key key{what.id.request, what.id.sequence};
  const auto found = plans.find(key);
  const auto& planned = found == plans.end() ? default_plan : found->second;
  if (planned.throws)
    throw std::runtime_error{planned.message};
  if (planned.refuses)
    return fail(errc::submission, planned.message);
  branch.value = branch.value * 31 + work.payload;
  auto shared = std::make_shared<handle>();
  shared->now = planned.stage;
  shared->resources = planned.resources;
  handles[key] = shared;
  return harness_output{what.id, shared, planned.backend, planned.preemptible};
}

work_id world::newest(const work_key& key) const {
  constexpr auto nobody = std::numeric_limits<std::uint64_t>::max();
  return under_test_->newest_work(key.first, key.second)
    .value_or(work_id{key.first, key.second, nobody});
}

void world::look_at(const outcome& out) {
  last_rows = rows_of(out);
  if (keep_states)
    return;
  for (const auto& row : out.ended)
    static_cast<void>(under_test_->release(row.request));
}

} // namespace turnstile::conformance
