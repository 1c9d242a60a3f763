// A sum as a request: every work adds what its backend answers, and all of it
// is published in turns. Everything a CAF application needs is here.

#include "actors/scheduler/scheduler_state.hpp"
#include "actors/testing/scripted_backend.hpp"

#include <caf/scoped_actor.hpp>
#include <google/protobuf/wrappers.pb.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

using namespace turnstile;
using google::protobuf::Int64Value;

namespace {

struct counter_state {
  using branch_type = std::int64_t;

  [[nodiscard]] result<branch_type> branch() const { return sum; }

  status commit_branch(branch_type&& branch) {
    sum = branch;
    return {};
  }

  static status apply(branch_type& branch, Int64Value& add) {
    branch += add.value();
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
  using work_message = Int64Value;
  using outcome_message = Int64Value;
  using state_type = counter_state;

  static result<state_type> make_state(const std::string&) {
    return state_type{};
  }
};

testing::backend_step answers(std::int64_t number) {
  Int64Value value;
  value.set_value(number);
  return testing::succeed{value.SerializeAsString()};
}

} // namespace

int main() {
  node_config<> config;
  caf::actor_system system{config};
  scheduler_options options;
  options.backends.add(
    "adder", backend_actor{spawn<testing::scripted_backend_state>(
               system, "adder",
               std::vector<testing::backend_step>{answers(40), answers(2)})});
  auto adder = options.backends.by_name.at("adder");
  auto scheduler = spawn_scheduler<counter_program>(system, std::move(options));
  if (!scheduler)
    return 1;
  caf::scoped_actor self{system};
  auto complain = [&](const caf::error& why) {
    std::printf("%s\n", render(system, why).c_str());
  };
  door_actor door;
  wire::RegisterRequest request;
  request.mutable_request()->set_value(7);
  mail(self, open_atom_v, request)
    .request(*scheduler, caf::infinite)
    .receive([&](const door_actor& opened) { door = opened; }, complain);
  for (int i = 0; i < 2; ++i)
    mail(self, run_atom_v, wire::SubmitWork{})
      .request(door, caf::infinite)
      .receive(
        [](const wire::WorkEnded& ended) {
          std::printf("work %d: %s\n",
                      static_cast<int>(ended.work_id().sequence()),
                      wire::WorkLifecycle_Name(ended.lifecycle()).c_str());
        },
        complain);
  std::string sum;
  mail(self, wire::FinishRequest{})
    .request(door, caf::infinite)
    .receive([&](const wire::RequestEnded& ended) { sum = ended.state(); },
             complain);
  std::printf("sum: %s\n", sum.c_str());
  self->send_exit(*scheduler, caf::exit_reason::user_shutdown);
  self->send_exit(adder, caf::exit_reason::user_shutdown);
  return sum == "42" ? 0 : 1;
}
