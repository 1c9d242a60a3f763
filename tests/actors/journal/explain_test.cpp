#include "core/base/stable_hash.hpp"
#include "tests/actors/explained.hpp"
#include "tests/actors/journal/journal_world.hpp"

// Why a task does not go on that waits for its journal.

using namespace journal_tests;

namespace {

std::string why(process& p, const std::string& id) {
  return explain(p.still, p.scheduler,
                 stable_hash("0197f0a2-7f00-7000-8000-000000000001"), id);
}

} // namespace

TEST_CASE("a task that has ended waits for storage that keeps nothing",
          "[actors][journal]") {
  auto record = std::make_shared<recording>();
  process p{record, {ok("1", 100ms)}};
  p.submit("a");
  record->fail({errc::storage_full, "no space for it"});
  p.still.advance(1s);
  CHECK(
    why(p, "a")
    == "STORAGE: it has ended, and its journal can keep nothing now: no "
       "space for it => space, or a disk that works: it goes on by itself [1 "
       "attempt is over]");
}

TEST_CASE("a scheduler that was suspended starts nothing",
          "[actors][journal]") {
  scratch_folder folder;
  process p{folder, {hangs()}};
  for (int i = 0; i < 5; ++i)
    p.submit("task-" + std::to_string(i));
  anon_mail(suspend_atom_v).send(p.scheduler);
  p.settle();
  CHECK(why(p, "task-4")
        == "SUSPENDED: its scheduler starts nothing any more => whoever takes "
           "its request up again from the journal");
}

TEST_CASE("another process is told why a task does not go on",
          "[actors][journal]") {
  auto record = std::make_shared<recording>();
  process p{record, {hangs()}};
  for (int i = 0; i < 5; ++i)
    p.submit("task-" + std::to_string(i));
  const auto command =
    record->ask("explain", "0197f0a2-7f00-7000-8000-000000000001", "task-4");
  p.still.advance(1s);
  const auto answer = record->answer_to(command);
  REQUIRE(answer);
  CHECK(text(answer->explanation())
        == "REQUEST_SLOTS: its request has as many in flight as it may "
           "(max_in_flight_per_request 4): the task-0, the task-1, the task-2, "
           "the task-3 => the end of one of these, or a greater "
           "max_in_flight_per_request");
}
