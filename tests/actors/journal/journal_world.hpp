#pragma once

#include "actors/agent/agent_run.hpp"
#include "actors/agent/agent_scheduler.hpp"
#include "actors/journal/journal_file.hpp"
#include "actors/journal/journal_state.hpp"
#include "actors/testing/agent_steps.hpp"
#include "actors/testing/recording_journal.hpp"
#include "actors/testing/scripted_backend.hpp"
#include "actors/testing/still_world.hpp"
#include "messages/translate.hpp"
#include "tests/actors/asking.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

// Words for tests about journals: a folder that outlives processes, and
// processes that come and go in it, each a world of its own on virtual time.

namespace journal_tests {

using namespace turnstile;
using namespace turnstile::testing;
using namespace std::chrono_literals;

/// Where files need no disk, if the machine has such a place.
inline std::filesystem::path quick_place() {
  const std::filesystem::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK) == 0
           ? memory
           : std::filesystem::temp_directory_path();
}

/// A folder that goes with the test.
class scratch_folder {
public:
  explicit scratch_folder(
    const std::filesystem::path& in = std::filesystem::temp_directory_path()) {
    std::string name = in / "journalXXXXXX";
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  scratch_folder(const scratch_folder&) = delete;
  ~scratch_folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string file() const { return path_ / "journal.db"; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

inline std::unique_ptr<journal_file> open_file(const std::string& path) {
  journal_file_options how;
  how.path = path;
  how.unix_now = [] { return std::int64_t{1}; };
  auto file = journal_file::open(std::move(how));
  INFO((file ? "" : file.error().detail));
  REQUIRE(file.has_value());
  return std::move(*file);
}

inline wire::AgentTask task(const std::string& id) {
  wire::AgentTask made;
  made.set_agent_id(id);
  made.set_name("the " + id);
  made.set_prompt("do " + id);
  return made;
}

inline std::string text(const wire::TaskRecord& record) {
  auto what = record.has_failure()
                ? to_string(from_wire(record.failure()).value())
                : record.result().output_json();
  return what + " after " + std::to_string(record.attempts());
}

/// A process: a scheduler of agent tasks with its journal, and one run there.
/// To destroy it is to kill it: what was not durable is gone.
class process {
public:
  process(const scratch_folder& folder, std::vector<backend_step> steps,
          bool resume = false, std::uint32_t max_retries = 2)
    : process(open_file(folder.file()), std::move(steps), resume, max_retries) {
  }

  process(std::unique_ptr<journal_store> store, std::vector<backend_step> steps,
          bool resume, std::uint32_t max_retries)
    : process(std::move(store), std::move(steps), terms(max_retries), resume) {}

  process(std::unique_ptr<journal_store> store, std::vector<backend_step> steps,
          const wire::RunTerms& terms, bool resume) {
    link.first_life = store->next_life();
    link.unix_origin = duration{};
    link.journal = spawn_journal(still.system(), std::move(store));
    begin(std::move(steps), terms, resume);
  }

  /// One whose journal is in memory.
  process(const std::shared_ptr<recording>& record,
          std::vector<backend_step> steps, bool resume = false,
          std::uint32_t max_retries = 2) {
    link = spawn_recording_journal(still.system(), record).link;
    begin(std::move(steps), terms(max_retries), resume);
  }

  process(const process&) = delete;

  static wire::RunTerms terms(std::uint32_t max_retries) {
    wire::RunTerms made;
    made.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
    made.mutable_retry()->set_max_retries(max_retries);
    return made;
  }

  ~process() {
    still.kill(run);
    still.kill(scheduler);
    still.kill(mock);
    still.kill(link.journal);
  }

  /// Lets all happen that needs no time.
  void settle() { still.settle(); }

  pending<wire::TaskRecord> submit(const std::string& id) {
    return submit(task(id));
  }

  pending<wire::TaskRecord> submit(const wire::AgentTask& what) {
    auto answer = new_pending<wire::TaskRecord>();
    spawn_asker<wire::TaskRecord>(still.system(), asks(run, what),
                                  noting(answer));
    settle();
    return answer;
  }

  still_world_of<caf::id_block::turnstile, caf::id_block::turnstile_handles>
    still;
  std::shared_ptr<scripted_calls> calls = std::make_shared<scripted_calls>();
  journal_link link;
  backend_actor mock;
  scheduler_actor scheduler;
  agent_run_actor run;

private:
  void begin(std::vector<backend_step> steps, const wire::RunTerms& terms,
             bool resume) {
    agent_scheduler_options options;
    options.concurrency = 4;
    options.journal = link;
    mock = backend_actor{spawn<scripted_backend_state>(
      still.system(), "mock", std::move(steps), calls)};
    gate_policy tireless;
    tireless.rest_after = 0;
    options.backends.add("mock", mock, tireless);
    scheduler = spawn_agent_scheduler(still.system(), options).value();
    agent_run_options made;
    made.terms = terms;
    made.journal = link;
    made.resume = resume;
    run = spawn_agent_run(still.system(), scheduler, made);
    settle();
  }
};

inline std::string text_of_task(const pending<wire::TaskRecord>& answer) {
  return text_of(answer,
                 [](const wire::TaskRecord& record) { return text(record); });
}

} // namespace journal_tests
