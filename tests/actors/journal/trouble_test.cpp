#include "tests/actors/journal/faulty_disk.hpp"
#include "tests/actors/journal/journal_files.hpp"
#include "tests/actors/journal/journal_world.hpp"

#include <sqlite3.h>

using namespace journal_tests;

namespace {

/// A process whose journal can be kept or not, as the test says.
struct moody_process {
  explicit moody_process(std::vector<backend_step> steps)
    : in(record, std::move(steps)) {}

  std::shared_ptr<recording> record = std::make_shared<recording>();
  process in;
};

} // namespace

TEST_CASE("a scheduler whose journal has no space tells no end, takes nothing "
          "new, and goes on by itself when there is space",
          "[actors][journal]") {
  moody_process w{{ok("1", 100ms)}};
  auto running = w.in.submit("a");
  w.record->fail({errc::storage_full, "no space"});
  w.in.still.advance(10s);
  CHECK(text_of_task(running) == "-");
  CHECK(text_of_task(w.in.submit("b")) == "storage_full: no space");
  CHECK(w.in.calls->running() == 0);
  w.record->recover();
  w.in.still.advance(1s);
  CHECK(text_of_task(running) == "1 after 1");
  auto later = w.in.submit("c");
  w.in.still.advance(1s);
  CHECK(text_of_task(later) == "1 after 1");
}

TEST_CASE("a cancellation stops what runs although the journal can keep "
          "nothing, and is answered once it can",
          "[actors][journal]") {
  moody_process w{{hangs()}};
  auto running = w.in.submit("a");
  w.record->fail({errc::storage_failed, "I/O error"});
  auto end = new_pending<wire::RunEnded>();
  spawn_asker<wire::RunEnded>(w.in.still.system(),
                              asks(w.in.run, wire::CancelRun{}), noting(end));
  w.in.still.advance(10s);
  CHECK(w.in.calls->running() == 0);
  CHECK_FALSE(end->has_value());
  w.record->recover();
  w.in.still.advance(1s);
  CHECK(text_of_task(running) == "run_cancelled: run cancelled after 1");
  REQUIRE(end->has_value());
  CHECK((*end)->value().status() == wire::RUN_STATUS_CANCELLED);
}

TEST_CASE("a scheduler whose journal was taken over stops what runs and ends",
          "[actors][journal]") {
  moody_process w{{hangs()}};
  auto running = w.in.submit("a");
  w.record->fail({errc::fenced, "another process has it"});
  auto refused = w.in.submit("b"); // and with it something to keep
  w.in.still.advance(1s);
  CHECK(w.in.calls->running() == 0);
  CHECK_THAT(text_of_task(running),
             Catch::Matchers::StartsWith("backend_lost: "));
  CHECK_THAT(text_of_task(refused),
             Catch::Matchers::StartsWith("backend_lost: "));
}

TEST_CASE("facts that a journal cannot look up for a while are kept in their "
          "order once it can",
          "[actors][journal]") {
  moody_process w{{ok("1", 100ms)}};
  auto first = w.in.submit("a");
  w.record->fail_reading({errc::storage_failed, "cannot read"});
  w.in.still.advance(3s);
  CHECK(text_of_task(first) == "-");
  CHECK(text_of_task(w.in.submit("b")) == "storage_failed: cannot read");
  w.record->recover();
  w.in.still.advance(1s);
  CHECK(text_of_task(first) == "1 after 1");
  auto later = w.in.submit("c");
  w.in.still.advance(1s);
  CHECK(text_of_task(later) == "1 after 1");
}

TEST_CASE("what another process asks of an owner is answered once its disk has "
          "space again",
          "[actors][journal]") {
  moody_process w{{ok("1")}};
  w.record->fail({errc::storage_full, "no space"});
  const auto command = w.record->ask("cancel", "no run of it");
  w.in.still.advance(3s);
  CHECK_FALSE(w.record->answer_to(command));
  w.record->recover();
  w.in.still.advance(1s);
  REQUIRE(w.record->answer_to(command));
  CHECK(from_wire(w.record->answer_to(command)->failure()).value().code
        == errc::run_not_found);
}

TEST_CASE("a scheduler goes on within five seconds of a disk that fails, "
          "whenever that began",
          "[actors][journal]") {
  const auto fault = GENERATE(values<disk_fault>({
    {disk_call::write, SQLITE_FULL, true, false},
    {disk_call::sync, SQLITE_IOERR_FSYNC, false, true},
  }));
  auto& disk = faulty_disk::there_is();
  for (std::uint64_t k = 0;; ++k) {
    INFO("call " << k);
    disk.reset();
    scratch_folder folder{quick_place()};
    journal_file_options how;
    how.path = folder.file();
    how.vfs = faulty_disk::vfs;
    how.unix_now = [] { return std::int64_t{1}; };
    auto file = journal_file::open(std::move(how)).value();
    disk.fail(fault, k, faulty_disk::always);
    process p{std::move(file), {ok("1", 100ms)}, false, 2};
    std::vector<pending<wire::TaskRecord>> answers;
    for (const auto* id : {"a", "b", "c"}) {
      answers.push_back(p.submit(id));
      p.still.advance(1s);
    }
    const auto has_failed = disk.has_failed();
    disk.heal();
    p.still.advance(5s);
    answers.push_back(p.submit("d"));
    p.still.advance(1s);
    for (const auto& answer : answers) {
      const auto text = text_of_task(answer);
      if (answer == answers.back() || !text.starts_with("storage_f"))
        CHECK(text == "1 after 1");
    }
    CHECK(verdict(folder.file()) == "fine");
    if (!has_failed)
      break;
  }
}
