#include "tests/catch.hpp"
#include "tests/core/turn/counter_program.hpp"

#include <stdexcept>

using namespace turnstile;

namespace {

[[noreturn]] void broken() {
  throw std::runtime_error{"broken"};
}

/// A program whose every optional question throws.
struct moody {
  struct work_type : addition {};

  struct state_type {
    using branch_type = std::uint64_t;
    std::uint64_t value = 0;

    [[nodiscard]] result<branch_type> branch() const { return value; }
    status commit_branch(branch_type branch) {
      value = branch;
      return {};
    }
    [[nodiscard]] bool permits_parallel_branches() const { broken(); }
    [[nodiscard]] bool ordered_commits() const { broken(); }
  };

  struct output_type {
    [[nodiscard]] std::string backend_name() const { broken(); }
    [[nodiscard]] bool physically_preemptible() const { broken(); }
    [[nodiscard]] std::uint64_t retained_resources() const { broken(); }
  };
};

class mute_group final : public rank_group {
public:
  [[nodiscard]] std::size_t ranks() const override { return 2; }
  [[nodiscard]] std::size_t rank() const override { return 0; }
  result<std::optional<std::vector<frame>>> gather(const frame&) override {
    broken();
  }
};

} // namespace

TEST_CASE("scheduler takes the careful answer when a question throws",
          "[core][turn]") {
  scheduler_settings settings;
  settings.limits.max_new_submissions_per_turn = 8;
  settings.limits.max_in_flight_per_request = 8;
  auto scheduler = *turnstile::scheduler<moody>::create(settings);
  REQUIRE(scheduler.register_request(alice, {}));
  auto ids = *scheduler.enqueue_batch(alice, {{{1}}, {{2}}});
  auto submit = [](const submission&, const moody::work_type& work,
                   std::uint64_t& branch) -> result<moody::output_type> {
    branch += work.amount;
    return moody::output_type{};
  };

  auto turn = scheduler.run_local_turn(at(1), submit);
  scheduler.audit();

  REQUIRE(turn);
  CHECK(turn->submitted.size() == 1); // parallel branches: no
  CHECK(scheduler.capabilities().observed_backends.empty());
  CHECK_FALSE(scheduler.capabilities().executing_work_physically_preemptible);
  CHECK(scheduler.complete(ids[0], no_outcome{}, at(2)).committed.size() == 1);
  REQUIRE(scheduler.run_local_turn(at(3), submit));
  REQUIRE(scheduler.resources_changed(ids[1], 4));
  REQUIRE(scheduler.cancel(alice, at(4)));
  scheduler.audit();
  CHECK(scheduler.report().abandoned_retained_resources == 4); // it stays
}

TEST_CASE("scheduler is poisoned by a group that throws", "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  adder backend;
  mute_group group;
  REQUIRE(scheduler.register_request(alice, {}));

  auto turn =
    scheduler.run_distributed_turn(1, group, at(1), backend.executor());

  REQUIRE(turn);
  REQUIRE(turn->poisoned);
  CHECK(turn->poisoned->detail == "gather threw: broken");
}

TEST_CASE("scheduler refuses an edit that throws and goes on", "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  REQUIRE(scheduler.register_request(alice, {5}));

  auto edited = scheduler.edit_state(alice, [](counter&) { broken(); });

  REQUIRE_FALSE(edited);
  CHECK(edited.error().code == errc::state);
  CHECK(edited.error().detail == "the edit threw: broken");
  CHECK(scheduler.request_state(alice)->value == 5);
  CHECK(scheduler.edit_state(alice, [](counter& c) { c.value = 6; }));
  CHECK(scheduler.request_state(alice)->value == 6);
}
