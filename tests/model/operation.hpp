#pragma once

#include "tests/model/naive_scheduler.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace turnstile::model {

enum class verb : std::uint8_t {
  validate,
  register_request,
  finish,
  cancel,
  cancel_work,
  release,
  forget,
  edit,
  refresh,
  enqueue,
  requeue,
  park,
  unpark,
  resources_changed,
  observe,
  complete,
  poll,
  prepare,
  submit,
  local_turn,
  distributed_turn,
  cancel_distributed,
  resume,
  durable,
  poison,
  // These change the world, not the scheduler.
  plan_fault,
  permit,
  plan_execution,
  set_stage,
  set_resources,
};
constexpr int verbs = 30;

/// One step of a sequence: all that both sides need to carry it out, so that
/// a sequence can be run again without the dice that made it.
struct operation {
  verb what = verb::poll;
  std::int64_t now = 0;
  request_id request;
  work_id work;
  std::uint64_t number = 0; ///< A limit, position, value or submission.
  std::optional<std::int64_t> at;
  std::vector<order> orders;
  completion done;
  user_call call = user_call::branch;
  fault how = fault::none;
  permissions permitted;
  execution next;
  stage becomes = stage::pending;
  group_plan group;

  /// As a line that names every field that the verb looks at.
  [[nodiscard]] std::string text() const;
};

} // namespace turnstile::model
