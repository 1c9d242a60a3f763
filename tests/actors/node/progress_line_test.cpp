#include "actors/node/progress_line.hpp"

#include "tests/actors/node/plan_world.hpp"

using namespace node_tests;

TEST_CASE("the progress line is never longer than it may be",
          "[actors][node]") {
  const run_progress progress{12, 3, 7, 1};
  const auto whole =
    "7/12 done, 3 with the scheduler, 2 waiting, 1 failed, 12 s"
    + std::string{};
  CHECK(progress_line(progress, 12s, 80) == whole);
  CHECK(progress_line(progress, 12s, whole.size()) == whole);
  CHECK(progress_line(progress, 12s, whole.size() - 1)
        == "7/12 done, 1 failed, 12 s");
  CHECK(progress_line(progress, 12s, 24) == "7/12 done");
  CHECK(progress_line(progress, 12s, 9) == "7/12 done");
  CHECK(progress_line(progress, 12s, 4) == "7/1\xE2\x80\xA6");
  CHECK(progress_line(progress, 12s, 0).empty());
}

TEST_CASE("a line about a task is one line", "[actors][node]") {
  task_result task;
  task.name = "a";
  task.status = task_status::error;
  task.why = failure{errc::exhausted, "one\r\ntwo\x1b[31m\x7f"};
  task.record.set_attempts(3);
  task.record.set_elapsed_ns(duration{10s}.count());
  CHECK(task_line({2, 0, 1, 1}, task)
        == "[1/2] a error in 10 s, 3 attempts: one  two [31m ");
}
