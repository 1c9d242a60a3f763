#pragma once

#include "actors/scheduler/scheduler_state.hpp"

#include <google/protobuf/wrappers.pb.h>

#include <cstdint>
#include <string>

namespace counter_tests {

using namespace turnstile;

/// A request is a sum; a work adds what its backend answers.
struct counter_state {
  using branch_type = std::int64_t;

  [[nodiscard]] result<branch_type> branch() const { return sum; }

  status commit_branch(branch_type&& branch) {
    sum = branch;
    return {};
  }

  static status apply(branch_type& branch,
                      google::protobuf::Int64Value& outcome) {
    branch += outcome.value();
    return {};
  }

  [[nodiscard]] result<std::string> encode() const {
    return std::to_string(sum);
  }

  static result<counter_state> decode(const std::string& bytes) {
    return counter_state{std::stoll(bytes)};
  }

  std::int64_t sum = 0;
};

struct counter_program {
  using work_message = google::protobuf::Int64Value;
  using outcome_message = google::protobuf::Int64Value;
  using state_type = counter_state;

  static result<state_type> make_state(const std::string& bytes) {
    return bytes.empty() ? result<state_type>{state_type{}}
                         : counter_state::decode(bytes);
  }
};

} // namespace counter_tests
