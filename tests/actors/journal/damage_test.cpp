#include "actors/journal/journal_view.hpp"
#include "tests/actors/journal/journal_world.hpp"

#include <fstream>
#include <iterator>
#include <random>

using namespace journal_tests;

namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream{path, std::ios::binary} << bytes;
}

/// The bytes of a journal in which some tasks have run.
std::string some_journal(const scratch_folder& folder) {
  {
    process p{folder, {ok(R"("some words that take space")", 1ms)}};
    for (int i = 0; i < 100; ++i)
      p.submit("task-" + std::to_string(i));
    p.still.advance(10s);
  }
  return bytes_of(folder.file());
}

std::string verdict(const std::string& path) {
  auto view = journal_view::open(path);
  if (!view)
    return std::string{to_string(view.error().code)};
  auto wrong = view->verify();
  if (!wrong)
    return std::string{to_string(wrong.error().code)};
  return wrong->empty() ? "fine" : "damaged";
}

} // namespace

TEST_CASE("a bit that a disk has changed is noticed, in whatever page",
          "[actors][journal]") {
  scratch_folder made;
  const auto whole = some_journal(made);
  REQUIRE(verdict(made.file()) == "fine");
  REQUIRE(whole.size() % 4096 == 0);
  std::mt19937 draw{4711};
  for (std::size_t page = 0; page < whole.size() / 4096; ++page) {
    auto bytes = whole;
    const auto at = page * 4096 + draw() % 4096;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw() % 8));
    scratch_folder changed;
    write(changed.file(), bytes);
    INFO("byte " << at);
    CHECK(verdict(changed.file()) != "fine");
  }
}

TEST_CASE("a damaged journal is refused with the page, not read around",
          "[actors][journal]") {
  scratch_folder folder;
  auto bytes = some_journal(folder);
  // The page of the works that were kept first, whatever else is there.
  const auto at = bytes.find("do task-0");
  REQUIRE(at != bytes.npos);
  bytes[at] = 'T';
  write(folder.file(), bytes);
  auto view = journal_view::open(folder.file()).value();
  auto read = view.see([](journal_reader& reader) -> result<int> {
    auto head = reader.named("0197f0a2-7f00-7000-8000-000000000001");
    return reader.history(head.value(), 0, 0).works_size();
  });
  REQUIRE_FALSE(read);
  CHECK(to_string(read.error())
        == "journal_damaged: " + folder.file() + ": page "
             + std::to_string(at / 4096 + 1)
             + " is not what was written; turnstile journal verify "
             + folder.file() + " says what that concerns");
}
