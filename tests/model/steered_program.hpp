#pragma once

#include "core/turn/scheduler.hpp"
#include "tests/model/steering.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace turnstile::model {

/// Does to the caller what `how` says. Some throw what they should not.
inline status suffer(fault how, errc code, const char* where) {
  const auto text = std::string{where} + " fault";
  switch (how) {
  case fault::none:
    return {};
  case fault::fails:
    return fail(code, text);
  case fault::conflicts:
    return fail(errc::conflict, text);
  case fault::throws:
    break;
  }
  if (code == errc::state)
    throw where;
  throw std::runtime_error{text};
}

struct steered_work {
  std::uint32_t payload = 0;
  std::uint64_t slice = 1;
  fault describe = fault::none;
  bool slice_throws = false;

  status encode_descriptor(std::vector<std::uint32_t>& words) const {
    words.push_back(payload);
    return suffer(describe, errc::descriptor, "descriptor");
  }

  [[nodiscard]] std::uint64_t execution_slice_size() const {
    if (slice_throws)
      throw std::runtime_error{"slice fault"};
    return slice;
  }
};

struct steered_branch {
  std::uint64_t value = 0;
  request_id request;
  steering* world = nullptr;
};

/// A commit replaces the value, so that lost updates show.
struct steered_state {
  using branch_type = steered_branch;

  std::uint64_t value = 0;
  std::uint64_t commits = 0;
  request_id request;
  steering* world = nullptr;

  [[nodiscard]] result<branch_type> branch() const {
    const auto how =
      world->meet(request, user_call::branch, std::to_string(value));
    if (auto went = suffer(how, errc::state, "branch"); !went)
      return fail(went.error());
    return branch_type{value, request, world};
  }

  status commit_branch(branch_type&& branch, std::uint64_t behind) {
    const auto how = world->meet(request, user_call::commit,
                                 std::to_string(branch.value) + " behind "
                                   + std::to_string(behind));
    if (auto went = suffer(how, errc::state, "commit"); !went)
      return went;
    if (behind > 0 && world->permitted(request).strict)
      return fail(errc::conflict, "the base has moved on");
    value = branch.value;
    ++commits;
    return {};
  }

  static status discard_branch(branch_type&& branch) {
    const auto how = branch.world->meet(branch.request, user_call::discard,
                                        std::to_string(branch.value));
    return suffer(how, errc::state, "discard");
  }

  static status apply(branch_type& branch, std::uint32_t& outcome) {
    const auto how = branch.world->meet(branch.request, user_call::apply,
                                        std::to_string(outcome));
    if (auto went = suffer(how, errc::state, "apply"); !went)
      return went;
    branch.value += outcome;
    ++outcome; // what others are to see
    return {};
  }

  [[nodiscard]] bool permits_parallel_branches() const {
    return ask().parallel;
  }
  [[nodiscard]] bool ordered_commits() const { return ask().ordered; }

private:
  [[nodiscard]] permissions ask() const {
    auto permitted = world->permitted(request);
    if (permitted.throws)
      throw std::runtime_error{"permission fault"};
    return permitted;
  }
};

/// An output that is completed by id.
struct pushed_output {
  std::size_t index = 0;
  const steering* world = nullptr;

  [[nodiscard]] std::uint64_t retained_resources() const {
    return made_by().resources;
  }
  [[nodiscard]] std::string backend_name() const { return made_by().backend; }
  [[nodiscard]] bool physically_preemptible() const {
    return made_by().preemptible;
  }

private:
  [[nodiscard]] const execution& made_by() const {
    const auto& plan = world->output(index).made_by;
    if (plan.shy)
      throw std::runtime_error{"shy output"};
    return plan;
  }
};

/// One that can be asked as well.
struct asked_output : pushed_output {
  [[nodiscard]] result<bool> is_complete() const {
    switch (world->output(index).now) {
    case stage::pending:
      return false;
    case stage::done:
      return true;
    case stage::fails:
      return fail(errc::state, "completion fault"); // whatever code it has
    case stage::throws:
      break;
    }
    throw std::runtime_error{"completion fault"};
  }
};

template <bool Polled>
struct steered_program {
  using work_type = steered_work;
  using state_type = steered_state;
  using output_type = std::conditional_t<Polled, asked_output, pushed_output>;
  using outcome_type = std::uint32_t;
};

} // namespace turnstile::model
