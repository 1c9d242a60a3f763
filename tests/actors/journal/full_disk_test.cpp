#include "tests/actors/journal/journal_files.hpp"
#include "tests/actors/journal/journal_world.hpp"
#include "tests/actors/journal/small_disk.hpp"

using namespace journal_tests;

TEST_CASE("a scheduler on a disk that fills up refuses tasks, loses nothing, "
          "and goes on by itself when there is space",
          "[actors][journal]") {
  scratch_folder folder;
  const auto could = on_a_small_disk(folder.path(), [&] {
    put_bytes(folder.path() / "something else", std::string(600'000, 'x'));
    const auto output = '"' + std::string(20'000, 'o') + '"';
    std::vector<pending<wire::TaskRecord>> taken;
    {
      process p{folder, {ok(output, 100ms)}};
      auto next = [&] {
        auto answer = p.submit("task-" + std::to_string(taken.size()));
        p.still.advance(200ms);
        return answer;
      };
      std::string refusal;
      while (refusal.empty() && taken.size() < 200) {
        auto answer = next();
        if (*answer && !**answer)
          refusal = text_of_task(answer);
        else
          taken.push_back(std::move(answer));
      }
      CHECK(refusal
            == "storage_full: " + folder.file()
                 + ": no space is left; free some, and it goes on by itself");
      CHECK(taken.size() > 3);
      CHECK(text_of_task(taken.back()) == "-");
      std::filesystem::remove(folder.path() / "something else");
      p.still.advance(5s);
      taken.push_back(next());
      for (const auto& answer : taken)
        CHECK(text_of_task(answer) == output + " after 1");
    }
    CHECK(verdict(folder.file()) == "fine");
    process again{folder, {ok("2")}, true};
    for (std::size_t i = 0; i < taken.size(); ++i)
      CHECK(text_of_task(again.submit("task-" + std::to_string(i)))
            == output + " after 1");
    CHECK(again.calls->order().empty());
  });
  if (!could)
    WARN("not tested: nothing may be mounted here");
  SUCCEED();
}

TEST_CASE("a journal that is opened on a full disk says that it is full, "
          "however little is left",
          "[actors][journal]") {
  scratch_folder folder;
  const auto could = on_a_small_disk(folder.path(), [&] {
    for (std::size_t left = 0; left <= 1'000'000; left += 4096) {
      const auto ballast = folder.path() / "something else";
      put_bytes(ballast, std::string((1U << 20) - left, 'x'));
      INFO(left << " bytes are left");
      journal_file_options how;
      how.path = folder.file();
      auto opened = journal_file::open(std::move(how));
      std::filesystem::remove(ballast);
      if (opened)
        break;
      CHECK(to_string(opened.error())
            == "storage_full: " + folder.file()
                 + ": no space is left; free some, and it goes on by itself");
      open_file(folder.file()); // goes on with what is there
      for (const auto* end : {"", "-wal", "-shm", "-owner"})
        std::filesystem::remove(folder.file() + end);
    }
  });
  if (!could)
    WARN("not tested: nothing may be mounted here");
  SUCCEED();
}
