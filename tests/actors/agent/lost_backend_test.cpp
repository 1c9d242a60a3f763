#include "tests/actors/agent/agent_world.hpp"

using namespace agent_tests;

namespace {

void join(agent_world& w, std::vector<backend_step> steps) {
  w.mock = w.make_backend(std::move(steps));
  anon_mail(join_atom_v, std::string{"mock"}, w.mock).send(w.scheduler);
  w.still.settle();
}

} // namespace

TEST_CASE("a task is recorded as failed if there is no backend at all",
          "[actors][agent]") {
  agent_world w{{}};
  w.submit(task("a"));
  CHECK(w.how("a") == "ERROR no_backend: no backend registered at 0s");
  CHECK(w.record("a").attempts() == 0);
}

TEST_CASE("a task whose backend dies is tried again on the one that follows",
          "[actors][agent]") {
  agent_world w{{hangs()}};
  w.submit(task("a"));
  w.still.advance(10ms);
  w.still.kill(w.mock);
  join(w, {ok("2", 5ms)});
  CHECK(w.how("a") == "not ended");
  w.still.advance(1s);
  CHECK(w.how("a") == "OK 2 at 115ms");
  CHECK(w.record("a").attempts() == 2);
  CHECK(w.record("a").retries() == 1);
}

TEST_CASE("a task whose backend dies is recorded as failed if none follows",
          "[actors][agent]") {
  agent_world w{{hangs()}};
  w.submit(task("a"));
  w.still.kill(w.mock);
  w.still.advance(1s);
  CHECK(w.how("a") == "ERROR unknown_backend: unknown backend: mock at 100ms");
  CHECK(w.record("a").attempts() == 1);
  CHECK(w.record("a").retries() == 1);
}

TEST_CASE("a task whose backends die one after the other is given up",
          "[actors][agent]") {
  agent_world w{{hangs()}, 1, patient(1)};
  w.submit(task("a"));
  w.still.kill(w.mock);
  join(w, {hangs()});
  w.still.advance(100ms);
  CHECK(w.calls->running() == 1);
  w.still.kill(w.mock);
  CHECK_THAT(w.how("a"), Catch::Matchers::StartsWith(
                           "ERROR exhausted: backend error after 2 attempts: "
                           "spawn failed: "));
  CHECK(w.record("a").attempts() == 2);
}

TEST_CASE("a backend that dies takes no task of another with it",
          "[actors][agent]") {
  agent_world w{{hangs()}, 2};
  auto other = w.make_backend({ok("1", 20ms)});
  anon_mail(join_atom_v, std::string{"other"}, other).send(w.scheduler);
  w.still.settle();
  w.submit(task("a", "mock"));
  w.submit(task("b", "other"));
  w.still.kill(w.mock);
  w.still.advance(1s);
  CHECK(w.how("b") == "OK 1 at 20ms");
  CHECK(w.how("a") == "ERROR unknown_backend: unknown backend: mock at 100ms");
}
