#include "actors/node/run_summary.hpp"

#include "actors/node/text_width.hpp"
#include "tests/actors/node/plan_world.hpp"

#include <algorithm>
#include <sstream>

using namespace node_tests;

TEST_CASE("a run's text has a line per group and what the last tasks said",
          "[actors][node]") {
  plan_world w{plan_of(R"(
    {"name": "count", "prompt": "", "backend": "slow"},
    {"name": "a long name", "prompt": "", "needs": ["count"]},
    {"name": "bad", "prompt": "", "backend": "bad"})")};
  w.run_for(1s);
  REQUIRE(w.result.has_value());
  w.result->run_id = "ID";
  w.result->tokens.set_input(1200);
  CHECK(to_text(*w.result, w.plan)
        == "tasks         count      ok  not ok  attempts   busy\n"
           "count             1       1       0         1   50 ms\n"
           "a long name       1       1       0         1   10 ms\n"
           "bad               1       0       1         1   0 ms\n"
           "  bad: error: backend error (non-retryable): configuration error: "
           "mock config\n"
           "\n"
           "a long name:\n"
           "1\n"
           "\n"
           "run ID: failed in 60 ms; 3 committed, at most 2 at a time, 0 "
           "requeued, 2 turns that submitted; tokens \xE2\x86\x91"
           "1.2k \xE2\x86\x93"
           "0\n");
}

TEST_CASE("a run's text names twenty failures and counts the rest",
          "[actors][node]") {
  config::plan plan;
  plan.groups.emplace("g", config::task_group{0, 25});
  run_result run;
  for (int i = 0; i < 25; ++i) {
    task_result task;
    task.name = "g:" + std::to_string(i);
    task.status = task_status::error;
    task.why = failure{errc::exhausted, "line one\nline two"};
    run.tasks.push_back(task);
    plan.tasks.emplace_back().name = task.name;
  }
  const auto text = to_text(run, plan);
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring(
                     "  g:19: error: line one line two\n"
                     "  and 5 more; --json lists all\n"));
}

namespace {

/// A run of one task that failed and one that is ok, both with long names.
struct long_names {
  config::plan plan;
  run_result run;

  long_names() {
    run.run_id = "0197f0a2-7f00-7000-8000-000000000001";
    add("r\xC3\xA9sum\xC3\xA9s of all that was ever said", task_status::ok);
    add("\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD"
        "\x97\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2",
        task_status::error);
    run.tasks[1].why =
      failure{errc::exhausted, "it did not work at all, said the backend"};
  }

  void add(const std::string& name, task_status status) {
    plan.groups.emplace(name, config::task_group{run.tasks.size(), 1});
    plan.tasks.emplace_back().name = name;
    auto& task = run.tasks.emplace_back();
    task.name = name;
    task.status = status;
    task.record.mutable_result()->set_output_json("1");
  }
};

} // namespace

TEST_CASE("a run's text fits a terminal of 40 columns", "[actors][node]") {
  long_names w;
  CHECK(to_text(w.run, w.plan, {39, false})
        == "tasks                 ok  not ok   busy\n"
           "r\xC3\xA9sum\xC3\xA9s of all th\xE2\x80\xA6     1       0   0 ms\n"
           "\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97"
           "\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97\xE2\x80\xA6      "
           "0       1   0 ms\n"
           "  \xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97"
           "\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE2"
           "\x80\xA6: error: it did\n"
           "    not work at all, said the backend\n"
           "\n"
           "r\xC3\xA9sum\xC3\xA9s of all that was ever said:\n"
           "1\n"
           "\n"
           "run\n"
           "  0197f0a2-7f00-7000-8000-000000000001:\n"
           "  failed in 0 ms; 0 committed, at most\n"
           "  0 at a time, 0 requeued, 0 turns that\n"
           "  submitted\n");
}

TEST_CASE("a run's text never has a longer line than the terminal",
          "[actors][node]") {
  const auto columns = GENERATE(range<std::size_t>(20, 120));
  long_names w;
  std::istringstream lines{to_text(w.run, w.plan, {columns, false})};
  for (std::string line; std::getline(lines, line);) {
    INFO(columns << ": " << line);
    CHECK(columns_of(line) <= std::max<std::size_t>(columns, 28));
  }
}

TEST_CASE("a run's text colours the words that say how it ended",
          "[actors][node]") {
  long_names w;
  const auto text = to_text(w.run, w.plan, {200, true});
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring(
                     ": \x1b[31merror\x1b[0m: it did not work"));
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring(
                     w.run.run_id + ": \x1b[31mfailed\x1b[0m in "));
  CHECK(std::count(text.begin(), text.end(), '\x1b') == 4);
}

TEST_CASE("a run's text lets no task give orders to a terminal",
          "[actors][node]") {
  auto [columns, said] =
    GENERATE(table<std::optional<std::size_t>, std::string>({
      {80, " [31mred\n\tx \n"},
      {std::nullopt, "\x1b[31mred\n\tx\xC2\x9B\n"},
    }));
  config::plan plan;
  run_result run;
  auto& task = run.tasks.emplace_back();
  task.name = "a";
  task.status = task_status::ok;
  task.record.mutable_result()->set_output_json(
    R"("\u001b[31mred\n\tx\u009b")");
  CHECK_THAT(to_text(run, plan, {columns, false}),
             Catch::Matchers::ContainsSubstring("\na:\n" + said));
}
