#include "tests/actors/cluster/cluster_world.hpp"

// Connections that break, go silent and come back: what was with a worker runs
// elsewhere, and never twice at the same time.

using namespace cluster_tests;

TEST_CASE("what a lost worker had runs again elsewhere within a tenth of a "
          "second",
          "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 2, {hangs()});
  auto task = w.task();
  w.still.settle();
  auto& right = w.connect("right", 2, {ok("2")});
  left.wire->unplugged = true;
  left.wire->sever();
  w.still.settle();
  CHECK(left.calls->running() == 0); // stopped before anybody else begins
  CHECK(right.calls->order().empty());
  w.still.advance(100ms);
  CHECK(text(task) == "ok 2 at attempt 2");
  CHECK(w.status().workers_lost() == 1);
  CHECK(w.status().works_lost() == 1);
}

TEST_CASE("a cut cable is noticed at both ends, by the worker first",
          "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 1, {hangs()});
  auto task = w.task();
  w.still.settle();
  auto& right = w.connect("right", 1, {ok("2")});
  const auto way = GENERATE(0, 1, 2);
  CAPTURE(way);
  if (way != 1)
    left.wire->open->to_server.cut();
  if (way != 2)
    left.wire->open->to_client.cut();
  w.still.advance(2999ms);
  CHECK(text(task) == "-");
  std::size_t stopped_first = 0;
  for (int ms = 2999; right.calls->order().empty() && ms < 10'000; ++ms) {
    stopped_first = left.calls->running() == 0 ? 1 : 0;
    w.still.advance(1ms);
  }
  CHECK(stopped_first == 1);
  w.still.advance(10ms);
  CHECK(text(task) == "ok 2 at attempt 2");
}

TEST_CASE("a worker whose cable heals comes back and works again",
          "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 1, {hangs(), ok("1")});
  auto task = w.task();
  w.still.settle();
  left.wire->cut();
  w.still.advance(1min);
  CHECK(text(task) == "-");
  CHECK(w.status().workers_size() == 0);
  left.wire->heal();
  w.still.advance(11s);
  CHECK(w.status().workers_size() == 1);
  CHECK(text(task) == "ok 1 at attempt 2");
}

TEST_CASE("what a worker completes after it was cut off is not heard, but "
          "counted",
          "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 1, {ok(R"("late")", 1s), ok(R"("new")")});
  auto task = w.task();
  w.still.settle();
  left.wire->open->to_server.cut(); // it completes, and is not heard
  w.still.advance(6s);
  left.wire->heal();
  w.still.advance(20s);
  CHECK(text(task) == R"(ok "new" at attempt 2)");
  CHECK(left.calls->peak_running() == 1);
  CHECK(w.status().fenced() == 1);
}

TEST_CASE("a server that comes back finds its workers", "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 1, {hangs(), ok("1")});
  auto task = w.task();
  w.still.settle();
  w.close_server();
  w.still.settle();
  CHECK(left.calls->running() == 0);
  w.still.advance(1min); // it tries for ever
  CHECK(left.wire->attempts > 5);
  w.open_server(2);
  w.still.advance(11s);
  CHECK(w.status().workers_size() == 1);
}

TEST_CASE("a worker that has to reconnect is never given what it still runs",
          "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 1, {hangs(), ok("1")});
  auto task = w.task();
  w.still.settle();
  left.wire->sever(); // and it can come back at once
  w.still.advance(10s);
  CHECK(text(task) == "ok 1 at attempt 2");
  CHECK(left.calls->peak_running() == 1);
}
