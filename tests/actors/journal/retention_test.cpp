#include "actors/journal/journal_view.hpp"
#include "tests/actors/journal/journal_world.hpp"

// Which runs a journal forgets.

using namespace journal_tests;

namespace {

/// A journal of runs 0 to 4, of which each has an event and has ended at an
/// hour of its number, but for run 1.
std::unique_ptr<journal_file> some_runs(const scratch_folder& folder,
                                        duration at) {
  journal_file_options how;
  how.path = folder.file();
  how.unix_now = [at] { return at.count(); };
  auto file = journal_file::open(std::move(how)).value();
  for (std::uint64_t i = 0; i < 5; ++i) {
    wire::AppendFacts facts;
    auto& opened = *facts.add_facts()->mutable_opened();
    opened.mutable_request()->set_value(i);
    opened.set_life(i);
    opened.set_name("run " + std::to_string(i));
    auto& event = *facts.add_facts()->mutable_event()->mutable_event();
    event.set_run_id("run " + std::to_string(i));
    event.mutable_run_started();
    if (i != 1) {
      auto& closed = *facts.add_facts()->mutable_closed();
      closed.mutable_request()->set_value(i);
      closed.set_life(i);
      closed.set_word("completed");
      closed.set_at_unix_ns(duration{i * 1h}.count());
    }
    REQUIRE(file->append(facts));
  }
  REQUIRE(file->commit());
  return file;
}

std::string left_in(const scratch_folder& folder) {
  auto view = journal_view::open(folder.file()).value();
  auto left = view.see([](journal_reader& reader) -> result<std::string> {
    std::string names;
    for (const auto& head : reader.all(100))
      names += head.name + ": "
               + std::to_string(reader.events(head.name, 1, 0).events_size())
               + " event. ";
    return names;
  });
  return left.value();
}

} // namespace

TEST_CASE("old runs that have ended make room, those that go on stay",
          "[actors][journal]") {
  scratch_folder folder;
  REQUIRE(some_runs(folder, 10h)->retain({2, {}}));
  CHECK(left_in(folder) == "run 4: 1 event. run 3: 1 event. run 1: 1 event. ");
}

TEST_CASE("runs that ended too long ago make room", "[actors][journal]") {
  scratch_folder folder;
  REQUIRE(some_runs(folder, 10h)->retain({1000, 7h}));
  CHECK(left_in(folder) == "run 4: 1 event. run 3: 1 event. run 1: 1 event. ");
}

TEST_CASE("runs make room for either cause", "[actors][journal]") {
  scratch_folder folder;
  REQUIRE(some_runs(folder, 10h)->retain({1, 8h}));
  CHECK(left_in(folder) == "run 4: 1 event. run 1: 1 event. ");
}
