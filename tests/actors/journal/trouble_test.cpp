#include "actors/testing/store_around.hpp"
#include "tests/actors/journal/journal_world.hpp"

#include <optional>

using namespace journal_tests;

namespace {

/// A file whose disk does what the test says.
class moody_store : public store_around {
public:
  moody_store(std::unique_ptr<journal_store> below,
              std::shared_ptr<std::optional<failure>> mood)
    : store_around(std::move(below)), mood_(std::move(mood)) {}

  status commit() override {
    if (*mood_)
      return fail(**mood_);
    return store_around::commit();
  }

private:
  std::shared_ptr<std::optional<failure>> mood_;
};

struct moody_process {
  explicit moody_process(std::vector<backend_step> steps, bool resume = false)
    : in(std::make_unique<moody_store>(open_file(folder.file()), mood),
         std::move(steps), resume, 2) {}

  scratch_folder folder;
  std::shared_ptr<std::optional<failure>> mood =
    std::make_shared<std::optional<failure>>();
  process in;
};

} // namespace

TEST_CASE("a scheduler whose journal has no space tells no end, takes nothing "
          "new, and goes on by itself when there is space",
          "[actors][journal]") {
  moody_process w{{ok("1", 100ms)}};
  auto running = w.in.submit("a");
  *w.mood = failure{errc::storage_full, "no space"};
  w.in.still.advance(10s);
  CHECK(text_of_task(running) == "-");
  CHECK(text_of_task(w.in.submit("b")) == "storage_full: no space");
  CHECK(w.in.calls->running() == 0);
  w.mood->reset();
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
  *w.mood = failure{errc::storage_failed, "I/O error"};
  auto end = new_pending<wire::RunEnded>();
  spawn_asker<wire::RunEnded>(w.in.still.system(),
                              asks(w.in.run, wire::CancelRun{}), noting(end));
  w.in.still.advance(10s);
  CHECK(w.in.calls->running() == 0);
  CHECK_FALSE(end->has_value());
  w.mood->reset();
  w.in.still.advance(1s);
  CHECK(text_of_task(running) == "run_cancelled: run cancelled after 1");
  REQUIRE(end->has_value());
  CHECK((*end)->value().status() == wire::RUN_STATUS_CANCELLED);
}

TEST_CASE("a scheduler whose journal was taken over stops what runs and ends",
          "[actors][journal]") {
  moody_process w{{hangs()}};
  auto running = w.in.submit("a");
  *w.mood = failure{errc::fenced, "another process has it"};
  auto refused = w.in.submit("b"); // and with it something to keep
  w.in.still.advance(1s);
  CHECK(w.in.calls->running() == 0);
  CHECK_THAT(text_of_task(running),
             Catch::Matchers::StartsWith("backend_lost: "));
  CHECK_THAT(text_of_task(refused),
             Catch::Matchers::StartsWith("backend_lost: "));
}
