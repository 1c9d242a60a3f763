#include "tests/actors/cluster/cluster_world.hpp"

// Workers as backends of a scheduler, while nothing goes wrong.

using namespace cluster_tests;

TEST_CASE("a task runs at a worker that offers its backend",
          "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 2, {ok(R"("done")", 10ms)});
  auto done = w.task();
  w.still.settle();
  CHECK(left.calls->running() == 1);
  w.still.advance(10ms);
  CHECK(text(done) == R"(ok "done" at attempt 1)");
}

TEST_CASE("a task goes to the worker with the greatest share of slots free",
          "[actors][cluster]") {
  cluster_world w;
  auto& small = w.connect("small", 1, {hangs()});
  auto& big = w.connect("big", 4, {hangs()});
  for (int i = 0; i < 3; ++i)
    w.task();
  w.still.settle();
  CHECK(small.calls->running() == 1);
  CHECK(big.calls->running() == 2);
  for (int i = 0; i < 3; ++i)
    w.task();
  w.still.settle();
  CHECK(small.calls->running() == 1);
  CHECK(big.calls->running() == 4);
}

TEST_CASE("tasks beyond the workers' slots wait until another worker comes",
          "[actors][cluster]") {
  cluster_world w;
  w.connect("left", 1, {hangs()});
  w.task();
  auto waits = w.task();
  w.still.advance(1min);
  CHECK(text(waits) == "-");
  w.connect("right", 1, {ok("2", 1ms)});
  w.still.advance(1ms);
  CHECK(text(waits) == "ok 2 at attempt 1");
}

TEST_CASE("a slow worker does not slow the others", "[actors][cluster]") {
  cluster_world w;
  auto& slow = w.connect("slow", 2, {hangs()});
  w.connect("fast", 2, {ok("1", 1ms)});
  std::vector<pending<wire::TaskRecord>> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(w.task());
  w.still.advance(60ms);
  int done = 0;
  for (const auto& one : all)
    done += text(one) == "ok 1 at attempt 1" ? 1 : 0;
  CHECK(done == 98);
  CHECK(slow.calls->running() == 2);
}

TEST_CASE("a worker that leaves finishes what it has and gets nothing more",
          "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 2, {ok("1", 10ms)});
  auto has = w.task();
  w.still.settle();
  auto gone = w.ask<void>(left.actor, drain_atom_v);
  w.still.settle();
  auto comes_late = w.task();
  w.still.settle();
  CHECK(text_of(gone, [] { return "done"; }) == "-");
  CHECK(left.calls->order().size() == 1);
  w.still.advance(10ms);
  CHECK(text(has) == "ok 1 at attempt 1");
  CHECK(text_of(gone, [] { return "done"; }) == "done");
  CHECK(w.status().workers_size() == 0);
  CHECK(w.status().workers_lost() == 0);
  CHECK(text(comes_late) == "-");
  w.connect("right", 1, {ok("2")});
  CHECK(text(comes_late) == "ok 2 at attempt 1");
}

TEST_CASE("a worker in a hurry hands back what it has, to be run elsewhere",
          "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 1, {hangs()});
  auto task = w.task();
  w.still.settle();
  auto gone = w.ask<void>(left.actor, suspend_atom_v);
  w.still.settle();
  CHECK(text_of(gone, [] { return "done"; }) == "done");
  CHECK(left.calls->running() == 0);
  w.connect("right", 1, {ok("2")});
  w.still.advance(10ms);
  CHECK(text(task) == "ok 2 at attempt 2");
}

TEST_CASE("a task that is cancelled is stopped at its worker",
          "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 1, {hangs()});
  auto task = w.task();
  auto next = w.task();
  w.still.settle();
  wire::CancelAgent order;
  order.set_agent_id("task 1");
  w.ask<wire::TaskAnswer>(w.run, order);
  w.still.settle();
  CHECK_THAT(text(task), ContainsSubstring("agent_cancelled"));
  CHECK(left.calls->order().size() == 2); // the slot is free again
  CHECK(text(next) == "-");
}

TEST_CASE("a server tells who works for it, and how much",
          "[actors][cluster]") {
  cluster_world w;
  w.connect("left", 3, {hangs()});
  w.connect("right", 2, {hangs()}, "other");
  w.task();
  w.still.settle();
  const auto seen = w.status();
  REQUIRE(seen.workers_size() == 2);
  CHECK(seen.workers(0).name() == "left");
  CHECK(seen.workers(0).backends(0).terms().name() == "tool");
  CHECK(seen.workers(0).backends(0).terms().concurrency() == 3);
  CHECK(seen.workers(0).backends(0).executing() == 1);
  CHECK(seen.workers(1).backends(0).terms().name() == "other");
}
