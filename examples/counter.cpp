// A sum as a request: every work adds what a backend answers, and is published
// exactly once. The README shows the part between the two marks.

#include "actors/backend/function_backend.hpp"
#include "actors/scheduler/scheduler_state.hpp"
#include "messages/orders.hpp"

#include <google/protobuf/wrappers.pb.h>

#include <cstdint>
#include <cstdio>
#include <string>

// [README
using namespace turnstile;
using google::protobuf::Int64Value;

struct counter_state { // a request's canonical state
  using branch_type = std::int64_t;
  result<branch_type> branch() const { return sum; }
  status commit_branch(branch_type&& branch) { return sum = branch, status{}; }
  static status apply(branch_type& branch, Int64Value& outcome) {
    return branch += outcome.value(), status{};
  }
  result<std::string> encode() const { return std::to_string(sum); }
  std::int64_t sum = 0;
};

struct counter_program {
  using work_message = Int64Value;    // what a client submits
  using outcome_message = Int64Value; // what a backend answers
  using state_type = counter_state;
  static result<state_type> make_state(const std::string&) {
    return state_type{};
  }
};

result<Int64Value> twice(const Int64Value& work) {
  Int64Value outcome;
  outcome.set_value(2 * work.value());
  return outcome;
}

int main() {
  node_config<> config;
  caf::actor_system system{config};
  scheduler_options options;
  options.backends.add( // or any actor that speaks `backend_actor`
    "doubling", spawn_function_backend<Int64Value>(system, "doubling", twice));
  auto scheduler = spawn_scheduler<counter_program>(system, options);

  caf::scoped_actor self{system};
  auto door =
    ask<door_actor>(self, *scheduler, open_atom_v, registration(request_id{7}));
  for (auto amount : {20, 1}) {
    Int64Value work;
    work.set_value(amount);
    auto ended = ask<wire::WorkEnded>(self, *door, run_atom_v, order(work));
    std::printf("added %ld\n", long(outcome_in<Int64Value>(*ended)->value()));
  }
  auto end = ask<wire::RequestEnded>(self, *door, wire::FinishRequest{});
  std::printf("the sum is %s\n", end->state().c_str());
  return end->state() == "42" ? 0 : 1;
}
// README]
