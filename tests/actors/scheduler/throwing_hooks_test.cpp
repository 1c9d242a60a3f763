#include "actors/scheduler/scheduler_state.hpp"
#include "tests/actors/scheduler/counter_program.hpp"
#include "tests/actors/scheduler/scheduler_world.hpp"

#include <stdexcept>

// A program whose hooks throw costs its own client an answer, nobody else.

using namespace counter_tests;

namespace {

/// Throws where the work's number says.
struct moody_program : counter_program {
  using terms_type = int;

  static result<terms_type> make_terms(const std::string& bytes, instant) {
    if (bytes == "13")
      throw std::runtime_error{"no terms"};
    return 0;
  }

  static status admit(terms_type&, work_message& work, std::monostate&,
                      instant) {
    if (work.value() == 1)
      throw std::runtime_error{"not this one"};
    return {};
  }

  static void take_back(terms_type&, const work_message&) {}
  static void accepted(terms_type&, const work_message&, std::monostate&,
                       const work_id&) {}

  static std::string backend_of(const work_message& work) {
    if (work.value() == 2)
      throw std::runtime_error{"nowhere"};
    return {};
  }

  static void attempt_started(terms_type&, work_message& work, std::monostate&,
                              const attempt_start&) {
    if (work.value() == 5)
      throw std::runtime_error{"not today"};
  }

  static next_of_attempt<moody_program>
  after_attempt(terms_type&, work_message& work, std::monostate&,
                attempt_end<moody_program>&& end) {
    if (work.value() == 3)
      throw std::runtime_error{"undecided"};
    return std::move(end.how);
  }
};

wire::SubmitWork number(std::int64_t value) {
  google::protobuf::Int64Value payload;
  payload.set_value(value);
  auto message = work();
  message.mutable_work()->set_payload(payload.SerializeAsString());
  return message;
}

struct moody_world : scheduler_world {
  moody_world()
    : scheduler_world{{adds(1)}, {}, [](auto& system, auto options) {
                        return spawn_scheduler<moody_program>(
                          system, std::move(options));
                      }} {}
};

} // namespace

TEST_CASE("a hook that throws refuses or fails the one work it was about",
          "[actors][scheduler]") {
  moody_world w;
  auto fine = w.open(1);
  auto moody = w.open(2);
  auto no_terms = request(3);
  no_terms.set_state("13");
  auto unregistered = w.ask<door_actor>(w.scheduler, open_atom_v, no_terms);
  auto not_admitted = w.ask<wire::WorkEnded>(moody, run_atom_v, number(1));
  auto not_routed = w.ask<wire::WorkEnded>(moody, run_atom_v, number(2));
  auto undecided = w.ask<wire::WorkEnded>(moody, run_atom_v, number(3));
  auto good = w.ask<wire::WorkEnded>(fine, run_atom_v, number(4));
  w.still.settle();
  CHECK(text(unregistered) == "invalid_argument: make_terms threw: no terms");
  CHECK(text(not_admitted) == "invalid_argument: admit threw: not this one");
  CHECK(text(not_routed) == "invalid_argument: backend_of threw: nowhere");
  CHECK(text(undecided)
        == "failed: completion: after_attempt threw: undecided");
  CHECK(text(good) == "committed 1");
}

TEST_CASE("a work whose start throws gives its place at the backend back",
          "[actors][scheduler]") {
  moody_world w;
  wire::BackendTerms narrow;
  narrow.set_name("mock");
  narrow.set_concurrency(1);
  auto joined = w.ask<void>(w.scheduler, join_atom_v, narrow, w.mock);
  auto moody = w.open(1);
  auto fine = w.open(2);
  auto not_started = w.ask<wire::WorkEnded>(moody, run_atom_v, number(5));
  w.still.settle();
  CHECK(text(not_started)
        == "failed: submission: attempt_started threw: not today");
  auto good = w.ask<wire::WorkEnded>(fine, run_atom_v, number(4));
  w.still.settle();
  CHECK(text(good) == "committed 1");
}
