#include "tests/actors/node/plan_world.hpp"

using namespace node_tests;

TEST_CASE("a run tells its results in plan order, however they end",
          "[actors][node]") {
  plan_world w{plan_of(R"(
    {"name": "a", "prompt": "", "backend": "slow"},
    {"name": "b", "prompt": "", "backend": "bad"},
    {"name": "c", "prompt": ""})")};
  w.run_for(1s);
  CHECK(w.ends()
        == "a ok \"s\"\n"
           "b error non_retryable: backend error (non-retryable): "
           "configuration error: mock config\n"
           "c ok 1");
  REQUIRE(w.told.size() == 3);
  CHECK(w.told[0].substr(0, 13) == "[1/3] b error");
  CHECK(w.told[1] == "[2/3] c ok in 10 ms");
  CHECK(w.told[2] == "[3/3] a ok in 50 ms");
  CHECK(w.result->elapsed == 50ms);
  CHECK_FALSE(w.result->cancelled);
  CHECK(w.result->report.completed_work() == 3);
  CHECK(w.result->report.finished_requests() == 1);
}

TEST_CASE("a run tells how far it is after every task", "[actors][node]") {
  plan_world w{plan_of(R"(
    {"name": "a", "prompt": "", "backend": "bad"},
    {"name": "b", "prompt": "", "backend": "slow"},
    {"name": "c", "prompt": "", "needs": ["a"]},
    {"name": "d", "prompt": "", "needs": ["b"]})")};
  w.run_for(1s);
  CHECK(w.figures
        == std::vector<std::string>{
          "1/4 done, 1 with the scheduler, 2 waiting, 1 failed, 0 ms",
          "2/4 done, 1 with the scheduler, 1 waiting, 2 failed, 0 ms",
          "3/4 done, 0 with the scheduler, 1 waiting, 2 failed, 0 ms",
          "4/4 done, 0 with the scheduler, 0 waiting, 2 failed, 0 ms"});
}

TEST_CASE("a run without tasks ends well and at once", "[actors][node]") {
  auto plan = plan_of(R"({"name": "a", "prompt": ""})");
  plan.tasks.clear(); // no file can say that
  plan_world w{std::move(plan)};
  w.run_for(0s);
  CHECK(w.ends().empty());
  REQUIRE(w.result.has_value());
  CHECK_FALSE(w.result->cancelled);
}

TEST_CASE("a run whose quota is smaller than its plan says whom it refused",
          "[actors][node]") {
  plan_world w{plan_of(R"(
    {"name": "a", "prompt": ""},
    {"name": "b", "prompt": ""},
    {"name": "c", "prompt": ""},
    {"name": "d", "prompt": "", "needs": ["c"]})",
                       R"("quota": 2, "concurrency": 8,)")};
  w.run_for(1s);
  CHECK(w.ends()
        == "a ok 1\n"
           "b ok 1\n"
           "c error quota_exceeded: quota exceeded: limit=2, used=2\n"
           "d skipped need_failed: not run: it needs c, which ended error");
  CHECK(w.result->quota_used == 2);
}

TEST_CASE(
  "a backend of a plan gets at most as many tasks at a time as it takes",
  "[actors][node]") {
  plan_world w{plan_of(R"(
    {"name": "a", "prompt": "", "backend": "narrow"},
    {"name": "b", "prompt": "", "backend": "narrow"},
    {"name": "c", "prompt": "", "backend": "narrow"},
    {"name": "x", "prompt": ""})")};
  w.run_for(100ms);
  CHECK_FALSE(w.result);
  w.run_for(100ms);
  CHECK(w.ends() == "a ok 2\nb ok 2\nc ok 2\nx ok 1");
}

TEST_CASE("a run adds the attempts' tokens and counts a retried task once",
          "[actors][node]") {
  auto plan = plan_of(R"({"name": "a", "prompt": ""})");
  plan.retry.jitter = config::jitter_mode::none;
  config::script_step spawn_fails;
  spawn_fails.is = config::script_step::type::fail;
  plan.backends[0].script.insert(plan.backends[0].script.begin(), spawn_fails);
  plan_world w{std::move(plan)};
  w.run_for(1s);
  CHECK(w.ends() == "a ok 1");
  CHECK(w.told.back() == "[1/1] a ok in 510 ms, 2 attempts");
  CHECK(w.result->quota_used == 1);
}

TEST_CASE("a run whose scheduler dies ends all the same, and says why",
          "[actors][node]") {
  plan_world w{plan_of(R"(
    {"name": "done", "prompt": ""},
    {"name": "running", "prompt": "", "backend": "hang"},
    {"name": "queued", "prompt": "", "backend": "slow"},
    {"name": "waiting", "prompt": "", "needs": ["running"]})",
                       R"("concurrency": 2,)")};
  w.run_for(20ms);
  w.still.kill(w.scheduler);
  REQUIRE(w.result.has_value());
  CHECK(w.result->tasks[0].status == task_status::ok);
  for (std::size_t i = 1; i < 4; ++i) {
    const auto& task = w.result->tasks[i];
    CHECK(task.status == task_status::error);
    CHECK(task.why.value().code == errc::backend_lost);
    CHECK_THAT(task.why->detail,
               Catch::Matchers::StartsWith("the scheduler is gone: "));
  }
  CHECK(w.told.size() == 4); // each of them once
}

TEST_CASE("a run whose scheduler is dead already ends with the reason",
          "[actors][node]") {
  plan_world w{plan_of(R"(
    {"name": "a", "prompt": ""},
    {"name": "b", "prompt": "", "needs": ["a"]})")};
  w.still.kill(w.scheduler);
  w.run_for(0s);
  REQUIRE(w.result.has_value());
  CHECK(w.told.size() == 2); // each of them once
  for (const auto& task : w.result->tasks) {
    CHECK(task.status == task_status::error);
    CHECK(task.why.value().code == errc::backend_lost);
  }
}
