#include "actors/journal/lost_work.hpp"
#include "actors/journal/repair/repair_journal.hpp"
#include "tests/actors/journal/journal_files.hpp"
#include "tests/actors/journal/journal_world.hpp"
#include "tests/actors/journal/small_disk.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <map>
#include <random>

using namespace journal_tests;

namespace {

constexpr std::size_t page = 4096;

wire::RunTerms run(int number) {
  auto terms = process::terms(2);
  terms.set_run_id("0197f0a2-7f00-7000-8000-00000000000"
                   + std::to_string(number));
  return terms;
}

/// An output that takes much or little space, and is another one each time.
std::string output(int number, std::size_t bytes) {
  return '"' + std::to_string(number) + std::string(bytes, 'o') + '"';
}

const std::vector<std::string> ids{"a", "b", "c", "d", "e", "f", "g", "h"};

/// Two runs of eight tasks each, some with large outputs: of one all tasks have
/// ended, the other one's last two hang. The first is finished.
void fill(const scratch_folder& folder) {
  for (int number : {1, 2}) {
    std::vector<backend_step> steps;
    for (int i = 0; i < 8; ++i)
      steps.push_back(ok(output(10 * number + i, i % 4 == 2 ? 15'000 : 700)));
    if (number == 2)
      std::fill(steps.begin() + 6, steps.end(), hangs());
    process p{open_file(folder.file()), steps, run(number), false};
    for (const auto& id : ids) {
      p.submit(id);
      p.still.advance(1s);
    }
    if (number == 2)
      continue;
    spawn_asker<wire::RunEnded>(p.still.system(),
                                asks(p.run, wire::FinishRun{}),
                                noting(new_pending<wire::RunEnded>()));
    p.still.advance(1s);
  }
}

/// What a journal says, by what it says it of: "RUN", "RUN the a", "RUN #3".
using content_map = std::map<std::string, std::string>;

content_map content_of(const std::string& path) {
  auto view = journal_view::open(path).value();
  return view
    .see([](journal_reader& reader) -> result<content_map> {
      content_map all;
      for (const auto& head : reader.all(100)) {
        all[head.name] = head.word;
        const auto history = reader.history(head, 0, 0);
        for (const auto& work : history.works()) {
          wire::EndedFact ended;
          ended.ParseFromString(work.ended_as_kept());
          if (!is_lost(ended))
            all[head.name + ' ' + work.accepted().label()] =
              ended.word() + ' ' + ended.outcome();
        }
        const auto batch = reader.events(head.name, 1, 1000);
        for (const auto& event : batch.events())
          all[head.name + " #" + std::to_string(event.number())] =
            event.has_gap() ? "gap" : event.SerializeAsString();
      }
      return all;
    })
    .value();
}

/// Whether a report names what is missing, or what it belongs to.
bool is_named(const repair_report& report, const std::string& what) {
  return std::any_of(
    report.lost.begin(), report.lost.end(), [&](const repair_loss& one) {
      if (one.run.empty()) // what has left no name
        return one.what == "run"
               || (one.what == "events" && what.find('#') != what.npos);
      if (!what.starts_with(one.run))
        return false;
      if (one.what == "run")
        return true;
      const auto of_run =
        what.substr(std::min(one.run.size() + 1, what.size()));
      if (one.what == "task")
        return one.name.empty() || of_run == one.name
               || of_run.starts_with("#") // its last event
               || (one.name.starts_with("#")
                   && of_run
                        == "the " + ids.at(std::stoul(one.name.substr(1))));
      if (one.what != "events" || !of_run.starts_with("#"))
        return false;
      const auto number = std::stoul(of_run.substr(1));
      const auto dash = one.name.find('-');
      const auto first = std::stoul(one.name);
      return number >= first
             && number <= (dash == one.name.npos
                             ? first
                             : std::stoul(one.name.substr(dash + 1)));
    });
}

/// Has the unfinished run's tasks done by a process that takes it up.
/// @returns how often its backend was asked
std::size_t resume(const std::string& path) {
  process p{open_file(path), {ok("2")}, run(2), true};
  std::vector<pending<wire::TaskRecord>> answers;
  for (const auto& id : ids)
    answers.push_back(p.submit(id));
  p.still.advance(1min);
  for (const auto& answer : answers) {
    REQUIRE(answer->has_value());
    INFO((**answer ? "" : to_string((*answer)->error())));
    CHECK((answer->value().has_value() && !(**answer)->has_failure()));
  }
  return p.calls->order().size();
}

/// Repairs a journal of `fill`'s that something has happened to, and compares
/// what is left with what there was.
void check_repair(const journal_files& damaged, const content_map& whole) {
  scratch_folder folder{quick_place()};
  damaged.put(folder.file());
  const auto to = folder.path() / "new.db";
  const auto report = repair_journal(folder.file(), to);
  INFO((report ? "" : to_string(report.error())));
  REQUIRE(report);
  std::string text;
  for (const auto& one : report->lost)
    text += one.text + '\n';
  INFO(text);
  const auto after = journal_files::at(folder.file());
  CHECK((after.database == damaged.database && after.log == damaged.log
         && after.owner == damaged.owner));
  REQUIRE(verdict(to) == "fine");
  const auto left = content_of(to);
  for (const auto& [what, said] : left) {
    INFO(what);
    REQUIRE(whole.contains(what));
    // Nothing is invented.
    CHECK((said == whole.at(what) || is_named(*report, what)));
    if (said.starts_with("ok"))
      CHECK(said == whole.at(what));
  }
  for (const auto& [what, said] : whole) {
    INFO(what);
    CHECK((left.contains(what) || is_named(*report, what)));
  }
  if (report->lost.empty())
    CHECK(left == whole);
  const auto unended = left.find(run(2).run_id());
  if (unended == left.end() || unended->second == lost_word)
    return;
  const auto lost_tasks = static_cast<std::size_t>(std::count_if(
    report->lost.begin(), report->lost.end(), [](const repair_loss& one) {
      return one.what == "task" && one.run == run(2).run_id();
    }));
  CHECK(resume(to) <= 2 + lost_tasks);
  CHECK(verdict(to) == "fine");
}

/// The code of a refusal, once it is sure that nothing was left.
std::string refusal(const std::string& path, const std::string& to) {
  auto report = repair_journal(path, to);
  REQUIRE_FALSE(report);
  for (const auto* end : {".part", ".part-wal", ".part-shm", ".part-owner"})
    CHECK_FALSE(std::filesystem::exists(to + end));
  return std::string{to_string(report.error().code)};
}

} // namespace

TEST_CASE("a journal that is whole is the same after its repair",
          "[actors][journal]") {
  scratch_folder made{quick_place()};
  fill(made);
  const auto report = repair_journal(made.file(), made.file() + ".repaired");
  REQUIRE(report);
  CHECK(report->lost.empty());
  CHECK(report->bad_pages.empty());
  CHECK(report->requests == 2);
  CHECK(report->works == 16);
  CHECK(content_of(made.file() + ".repaired") == content_of(made.file()));
}

TEST_CASE("a repair saves what a disk has not hit, whichever page that is, and "
          "names the rest",
          "[actors][journal]") {
  scratch_folder made{quick_place()};
  fill(made);
  const auto whole = content_of(made.file());
  const auto files = journal_files::at(made.file());
  const auto pages = files.database.size() / page;
  REQUIRE(pages > 20);
  std::mt19937 draw{4711};
  for (std::size_t i = 0; i < pages; ++i) {
    auto damaged = files;
    const auto at = i * page + draw() % page;
    damaged.database[at] =
      static_cast<char>(damaged.database[at] ^ (1 << draw() % 8));
    INFO("page " << i + 1);
    check_repair(damaged, whole);
  }
}

TEST_CASE("a repair saves what is left of a journal that was cut off",
          "[actors][journal]") {
  scratch_folder made{quick_place()};
  fill(made);
  const auto whole = content_of(made.file());
  const auto files = journal_files::at(made.file());
  for (auto left = files.database.size() - 100; left > page;
       left -= std::min(left, 3 * page)) {
    auto damaged = files;
    damaged.database.resize(left);
    INFO(left << " bytes are left");
    check_repair(damaged, whole);
  }
}

TEST_CASE("a repair saves what is left of a log", "[actors][journal]") {
  scratch_folder made{quick_place()};
  journal_files files;
  content_map whole;
  {
    fill(made);
    process p{open_file(made.file()), {ok(output(3, 700))}, run(3), false};
    for (const auto& id : ids) {
      p.submit(id);
      p.still.advance(1s);
    }
    files = journal_files::at(made.file()); // and it is killed
  }
  whole = content_of(made.file());
  REQUIRE(files.log.size() > 10 * page);
  std::mt19937 draw{42};
  for (auto at = std::size_t{draw() % 32}; at < files.log.size();
       at += page + 24 - draw() % 500) {
    auto damaged = files;
    damaged.log[at] = static_cast<char>(damaged.log[at] ^ (1 << draw() % 8));
    scratch_folder folder{quick_place()};
    damaged.put(folder.file());
    const auto to = folder.path() / "new.db";
    INFO("byte " << at);
    const auto report = repair_journal(folder.file(), to);
    REQUIRE(report);
    CHECK(verdict(to) == "fine");
    // Its newest commit may be gone without a trace, as after a crash.
    if (report->lost.empty())
      continue;
    for (const auto& [what, said] : content_of(to))
      if (said.starts_with("ok"))
        CHECK(said == whole.at(what));
    CHECK(resume(to) <= ids.size());
  }
}

TEST_CASE("a request whose state cannot be read has failed, and is not begun "
          "anew",
          "[actors][journal]") {
  scratch_folder folder{quick_place()};
  {
    auto file = open_file(folder.file());
    auto facts = two_facts(0);
    wire::WorkId id;
    id.mutable_request()->set_value(0);
    *facts.add_facts()->mutable_accepted()->mutable_work_id() = id;
    auto& ended = *facts.add_facts()->mutable_ended();
    *ended.mutable_work_id() = id;
    ended.set_word("ok");
    ended.set_state(std::string(20'000, 's'));
    REQUIRE(file->append(facts));
    REQUIRE(file->commit());
  }
  auto bytes = bytes_of(folder.file());
  bytes[bytes.rfind("ssss")] = 'S';
  put_bytes(folder.file(), bytes);
  const auto to = folder.path() / "new.db";
  const auto report = repair_journal(folder.file(), to).value();
  REQUIRE(report.lost.size() == 1);
  CHECK(report.lost[0].what == "state");
  CHECK(report.lost[0].text
        == "run request 0: its state cannot be read, so it counts as failed");
  wire::HistoryQuery query;
  query.set_scheduler("test");
  const auto history = open_file(to)->history(query).value();
  CHECK(history.closed().word() == "failed");
  CHECK_FALSE(history.has_state());
  CHECK(history.works_size() == 1);
}

TEST_CASE("what cannot be repaired is refused, and nothing is left of the try",
          "[actors][journal]") {
  scratch_folder folder{quick_place()};
  const auto to = folder.file() + ".repaired";
  SECTION("no file") {
    CHECK(refusal(folder.file(), to) == "storage_failed");
  }
  SECTION("a folder") {
    CHECK(refusal(folder.path(), to) == "storage_failed");
  }
  SECTION("nothing") {
    put_bytes(folder.file(), "");
    CHECK(refusal(folder.file(), to) == "invalid_argument");
  }
  SECTION("another kind of file") {
    put_bytes(folder.file(), std::string(10'000, 'x'));
    CHECK(refusal(folder.file(), to) == "invalid_argument");
  }
  SECTION("another database") {
    SQLite::Database{folder.file(),
                     SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE}
      .exec("CREATE TABLE people(name TEXT)");
    CHECK(refusal(folder.file(), to) == "invalid_argument");
  }
  SECTION("a journal that a process has") {
    const auto file = open_file(folder.file());
    CHECK(refusal(folder.file(), to) == "journal_owned");
  }
  SECTION("what would overwrite something") {
    fill(folder);
    put_bytes(to, "something else");
    CHECK(refusal(folder.file(), to) == "invalid_argument");
    CHECK(bytes_of(to) == "something else");
  }
}

TEST_CASE("a repair on a full disk says so and leaves nothing there",
          "[actors][journal]") {
  scratch_folder folder;
  scratch_folder made{quick_place()};
  fill(made);
  const auto to = folder.path() / "new.db";
  const auto could = on_a_small_disk(folder.path(), [&] {
    for (std::size_t left = 0; left <= 1'000'000; left += 8 * page) {
      const auto ballast = folder.path() / "something else";
      put_bytes(ballast, std::string((1U << 20) - left, 'x'));
      INFO(left << " bytes are left");
      auto report = repair_journal(made.file(), to);
      if (report)
        break;
      CHECK(to_string(report.error())
            == "storage_full: " + to.string()
                 + ": no space is left for a new journal; --to FILE names "
                   "another place");
      std::filesystem::remove(ballast);
      CHECK(std::filesystem::is_empty(folder.path()));
    }
    CHECK(verdict(to) == "fine");
  });
  if (!could)
    WARN("not tested: nothing may be mounted here");
  SUCCEED();
}

TEST_CASE("a damaged journal is refused with the way out",
          "[actors][journal]") {
  scratch_folder folder{quick_place()};
  fill(folder);
  auto bytes = bytes_of(folder.file());
  bytes[50] = 'x';
  put_bytes(folder.file(), bytes);
  journal_file_options how;
  how.path = folder.file();
  const auto refused = journal_file::open(std::move(how));
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().detail,
             Catch::Matchers::ContainsSubstring("turnstile journal repair "
                                                + folder.file()));
}
