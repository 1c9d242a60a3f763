#include "actors/testing/scripted_backend.hpp"

#include "actors/testing/agent_steps.hpp"
#include "actors/testing/still_world.hpp"
#include "messages/translate/backend_error.hpp"
#include "tests/catch.hpp"

#include <caf/scoped_actor.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace turnstile;
using namespace turnstile::testing;
using namespace std::chrono_literals;

namespace {

/// Asks a scripted backend and writes down the answers in their order.
struct asker_state {
  asker_state(caf::event_based_actor* selfptr, backend_actor backend,
              std::string& heard)
    : self(selfptr), whom(std::move(backend)), answers(heard) {}

  caf::behavior make_behavior() {
    return {
      [this](const wire::Execute& what) {
        mail(self, what)
          .request(whom, caf::infinite)
          .then([this](const wire::Completed& x) { note(x); },
                [this](const caf::error&) { answers += "lost. "; });
      },
      [this](const wire::CancelWork& which) {
        mail(self, which)
          .request(whom, caf::infinite)
          .then([this](const wire::Quiet& x) { note(x); },
                [this](const caf::error&) { answers += "lost. "; });
      },
    };
  }

  void note(const wire::Completed& x) {
    answers += std::to_string(x.work_id().sequence()) + '#'
               + std::to_string(x.submission()) + ' ';
    if (x.has_failure())
      answers += to_string(from_wire(x.failure()).value().code);
    else
      answers += x.outcome();
    answers += ". ";
  }

  void note(const wire::Quiet& x) {
    answers += std::to_string(x.work_id().sequence()) + " quiet. ";
  }

  caf::event_based_actor* self;
  backend_actor whom;
  std::string& answers;
};

struct fixture {
  explicit fixture(std::vector<backend_step> steps)
    : backend(spawn<scripted_backend_state>(world.system(), "mock",
                                            std::move(steps), seen)),
      asker(spawn<asker_state>(world.system(), backend_actor{backend}, heard)) {
  }

  void execute(std::uint64_t sequence, std::uint32_t submission = 1) {
    wire::Execute what;
    *what.mutable_work_id() = to_wire(work_id{{7}, sequence, 1});
    what.set_submission(submission);
    anon_mail(what).send(asker);
    world.settle();
  }

  void cancel(std::uint64_t sequence, std::uint32_t submission = 1) {
    wire::CancelWork which;
    *which.mutable_work_id() = to_wire(work_id{{7}, sequence, 1});
    which.set_submission(submission);
    anon_mail(which).send(asker);
    world.settle();
  }

  std::uint64_t calls() {
    caf::scoped_actor self{world.system()};
    auto asked = mail(self, calls_atom_v).request(backend, caf::infinite);
    world.settle();
    std::uint64_t count = 0;
    std::move(asked).receive([&](std::uint64_t x) { count = x; },
                             [](const caf::error&) { FAIL("no answer"); });
    return count;
  }

  std::string heard;
  std::shared_ptr<scripted_calls> seen = std::make_shared<scripted_calls>();
  still_world_of<caf::id_block::turnstile> world;
  scripted_backend_actor backend;
  caf::actor asker;
};

} // namespace

TEST_CASE("scripted_backend answers at once if its step has no delay",
          "[actors][testing]") {
  fixture f{{succeed{"a"}, fail_with{{errc::submission, "no"}}}};
  f.execute(0);
  f.execute(1);
  CHECK(f.heard == "0#1 a. 1#1 submission. ");
  CHECK_FALSE(f.world.has_timer());
}

TEST_CASE("scripted_backend answers when the delay of its step has passed",
          "[actors][testing]") {
  fixture f{{succeed{"slow", 10ms}, fail_with{{errc::completion, "no"}, 5ms}}};
  f.execute(0);
  f.execute(1);
  f.world.advance(4ms);
  CHECK(f.heard.empty());
  f.world.advance(1ms);
  CHECK(f.heard == "1#1 completion. ");
  f.world.advance(5ms);
  CHECK(f.heard == "1#1 completion. 0#1 slow. ");
}

TEST_CASE("scripted_backend repeats its last step for ever",
          "[actors][testing]") {
  fixture f{{succeed{"first"}, succeed{"last"}}};
  for (std::uint64_t sequence = 0; sequence < 4; ++sequence)
    f.execute(sequence);
  CHECK(f.heard == "0#1 first. 1#1 last. 2#1 last. 3#1 last. ");
}

TEST_CASE("scripted_backend hangs until it is cancelled, then answers both",
          "[actors][testing]") {
  fixture f{{hang{}}};
  f.execute(3, 2);
  f.world.advance(1h);
  CHECK(f.heard.empty());
  f.cancel(3, 1); // another try of the same work
  CHECK(f.heard == "3 quiet. ");
  f.cancel(3, 2);
  CHECK(f.heard == "3 quiet. 3#2 cancelled. 3 quiet. ");
}

TEST_CASE(
  "scripted_backend is cancelled during a delay, whatever it was to say",
  "[actors][testing]") {
  fixture f{{fail_with{{errc::submission, "no"}, 10ms}, succeed{"next", 10ms}}};
  f.execute(0);
  f.world.advance(5ms);
  f.cancel(0);
  CHECK(f.heard == "0#1 cancelled. 0 quiet. ");
  f.execute(0); // the same name again must not hear the old delay
  f.world.advance(5ms);
  CHECK(f.heard == "0#1 cancelled. 0 quiet. ");
  f.world.advance(5ms);
  CHECK(f.heard == "0#1 cancelled. 0 quiet. 0#1 next. ");
}

TEST_CASE("scripted_backend is quiet about what it does not know",
          "[actors][testing]") {
  fixture f{{hang{}}};
  f.cancel(5);
  CHECK(f.heard == "5 quiet. ");
  CHECK(f.calls() == 0);
}

TEST_CASE("scripted_backend counts a call when it begins, also if it hangs",
          "[actors][testing]") {
  fixture f{{succeed{"a", 1s}, hang{}}};
  f.execute(0);
  CHECK(f.calls() == 1);
  f.execute(1);
  f.execute(2);
  CHECK(f.calls() == 3);
  f.cancel(1);
  CHECK(f.calls() == 3);
}

TEST_CASE("scripted_backend shows who runs now, who ran at most, and in order",
          "[actors][testing]") {
  fixture f{{succeed{"a"}, succeed{"b", 5ms}, succeed{"c", 9ms}, hangs()}};
  auto seen = [&] {
    auto text = std::to_string(f.seen->running()) + " of "
                + std::to_string(f.seen->peak_running()) + ":";
    for (const auto& [work, submission] : f.seen->order())
      text += ' ' + to_string(work) + '#' + std::to_string(submission);
    return text;
  };
  CHECK(seen() == "0 of 0:");
  f.execute(0);
  CHECK(seen() == "0 of 1: 7/0#1");
  f.execute(2);
  f.execute(1, 3);
  f.execute(1, 3); // is refused, and no call
  CHECK(seen() == "2 of 2: 7/0#1 7/2#1 7/1#3");
  f.world.advance(5ms);
  CHECK(seen() == "1 of 2: 7/0#1 7/2#1 7/1#3");
  f.cancel(1, 3);
  f.execute(1, 4);
  CHECK(seen() == "1 of 2: 7/0#1 7/2#1 7/1#3 7/1#4");
  f.world.kill(f.backend);
  CHECK(seen() == "0 of 2: 7/0#1 7/2#1 7/1#3 7/1#4");
}

TEST_CASE("scripted_backend refuses what it is executing already",
          "[actors][testing]") {
  fixture f{{hang{}}};
  f.execute(0);
  f.execute(0);
  CHECK(f.heard == "0#1 submission. ");
  CHECK(f.calls() == 1);
}

TEST_CASE("scripted_backend that is killed leaves nobody waiting",
          "[actors][testing]") {
  fixture f{{hang{}}};
  f.execute(0);
  f.world.kill(f.backend);
  CHECK(f.heard == "lost. ");
}

TEST_CASE("scripted_backend says what it is able to do", "[actors][testing]") {
  fixture f{{hang{}}};
  caf::scoped_actor self{f.world.system()};
  auto asked = mail(self, wire::BackendCapabilitiesQuery{})
                 .request(f.backend, caf::infinite);
  f.world.settle();
  std::move(asked).receive(
    [](const wire::BackendCapabilities& able) {
      CHECK(able.backend() == "mock");
      CHECK(able.physically_preemptible());
    },
    [](const caf::error&) { FAIL("no answer"); });
}

TEST_CASE("agent steps are outcomes of the agent program",
          "[actors][testing]") {
  auto outcome_of = [](const backend_step& step) {
    wire::AgentOutcome outcome;
    CHECK(outcome.ParseFromString(std::get<succeed>(step).outcome));
    return outcome;
  };
  wire::TokenUsage tokens;
  tokens.set_input(3);
  auto fine = outcome_of(ok("[1]", 5ms, tokens)).result();
  CHECK(fine.status() == wire::AGENT_STATUS_OK);
  CHECK(fine.output_json() == "[1]");
  CHECK(fine.tokens_used().input() == 3);

  auto [kind, text] = GENERATE(table<backend_error_kind, std::string>({
    {backend_error_kind::spawn, "mock spawn"},
    {backend_error_kind::protocol, "mock protocol"},
    {backend_error_kind::timeout, ""},
    {backend_error_kind::cancelled, ""},
  }));
  auto error = outcome_of(fails(kind)).error();
  CHECK(from_wire(error).value() == backend_error{kind, text});
  CHECK(outcome_of(fails(kind, 0ms, "own")).error().text() == "own");
  CHECK(std::holds_alternative<hang>(hangs()));
}
