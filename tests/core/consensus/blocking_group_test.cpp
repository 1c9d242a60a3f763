#include "core/consensus/blocking_group.hpp"

#include "tests/catch.hpp"
#include "tests/core/consensus/choir_program.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

using namespace turnstile;

namespace {

/// Rank 1's word in round 7, with two texts.
frame some_word() {
  frame f;
  f.kind = frame_kind::observation;
  f.protocol = 42;
  f.epoch = 3;
  f.round = 7;
  f.rank = 1;
  f.clock = at(500);
  f.words = {0, 2, 1, 0, 0};
  put(f, 2, "short");
  f.words.insert(f.words.end(), {1, 0, 1});
  put(f, 2, "exactly sixteen.");
  f.words.push_back(0);
  f.length = f.words.size();
  return f;
}

} // namespace

TEST_CASE("a frame comes back from its row as it was", "[core][consensus]") {
  auto word = some_word();
  CHECK(from_row(to_row(word)) == word);

  auto padded = to_row(word);
  padded.resize(padded.size() + 5); // as a transport of equal rows does
  CHECK(from_row(padded) == word);
}

TEST_CASE("a row that was cut is refused wherever that is",
          "[core][consensus]") {
  auto row = to_row(some_word());
  for (std::size_t words = 0; words < row.size(); ++words) {
    CAPTURE(words);
    auto read = from_row(
      frame_row(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(words)));
    REQUIRE_FALSE(read);
    CHECK(read.error().code == errc::consensus);
  }
}

TEST_CASE("a row that was changed anywhere is refused or differs",
          "[core][consensus]") {
  const auto word = some_word();
  const auto row = to_row(word);
  for (std::size_t at = 0; at < row.size(); ++at)
    for (auto value : {row[at] + 1, UINT64_MAX, std::uint64_t{1} << 60U}) {
      CAPTURE(at, value);
      auto changed = row;
      changed[at] = value;
      auto read = from_row(changed);
      CHECK((!read || !(*read == word)));
    }
}

TEST_CASE("blocking_group says which rank's row is none", "[core][consensus]") {
  auto [edit, told] =
    GENERATE(table<std::function<void(frame_row&)>, std::string>({
      {[](frame_row& row) { row.resize(5); }, "its row ends within the header"},
      {[](frame_row& row) { row[7] = 99; },
       "length is 99 there, but only 19 words came"},
      {[](frame_row& row) { row.pop_back(); }, "its row ends within the texts"},
      {[](frame_row& row) { row.push_back(1); },
       "its row goes on behind its end"},
    }));
  blocking_group group{2, 1, [&](const frame_row& row) {
                         std::vector<frame_row> all(2, row);
                         edit(all[0]);
                         return result<std::vector<frame_row>>{all};
                       }};

  auto answer = group.gather(some_word());

  REQUIRE_FALSE(answer);
  CHECK(answer.error().detail == "rank 0 differs in round 7: " + told);
}

TEST_CASE("blocking_group passes on why its transport failed",
          "[core][consensus]") {
  blocking_group group{2, 0, [](const frame_row&) {
                         return result<std::vector<frame_row>>{
                           fail(errc::rank_lost, "rank 1 hung up")};
                       }};

  CHECK(group.gather(some_word()).error()
        == failure{errc::rank_lost, "rank 1 hung up"});
}

namespace {

/// An all-gather among threads: the last one to come lets all go on.
class meeting {
public:
  explicit meeting(std::size_t ranks) : rows_(ranks) {}

  blocking_group::all_gather of(std::size_t rank) {
    return [this, rank](const frame_row& row) {
      std::unique_lock lock{mutex_};
      rows_[rank] = row;
      const auto round = round_;
      if (++here_ == rows_.size()) {
        all_ = rows_;
        here_ = 0;
        ++round_;
        changed_.notify_all();
      } else {
        changed_.wait(lock, [&] { return round_ != round; });
      }
      return result<std::vector<frame_row>>{all_};
    };
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<frame_row> rows_;
  std::vector<frame_row> all_;
  std::size_t here_ = 0;
  std::uint64_t round_ = 0;
};

/// Sings one note from its command to its commit, and returns the song.
std::string sing(meeting& all, std::size_t ranks, std::size_t rank) {
  auto scheduler = *singer::create();
  blocking_group group{ranks, rank, all.of(rank)};
  auto execute = [](const submission&, const note&,
                    std::string&) -> result<singing::output_type> {
    return singing::output_type{};
  };
  auto turn = [&](std::int64_t now, std::vector<singer::command> commands) {
    const group_terms terms{42, 1, at(now), false};
    return scheduler.run_distributed_turn(terms, group, std::move(commands),
                                          execute);
  };
  std::vector<singer::command> commands(2);
  commands[0].terms.kind = command_kind::register_request;
  commands[0].state = song{};
  commands[1].terms.works = 1;
  commands[1].works.push_back({7});
  if (auto out = turn(1, std::move(commands)); !out || out->poisoned)
    return "poisoned";
  scheduler.observe({{0}, 0, 0}, std::string{"la"});
  turn(2, {});
  return scheduler.request_state({0})->sung;
}

} // namespace

TEST_CASE("ranks that may block go in step over a transport of words",
          "[core][consensus]") {
  constexpr std::size_t ranks = 3;
  meeting all{ranks};
  std::vector<std::string> songs(ranks);
  std::vector<std::thread> threads;

  for (std::size_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] { songs[rank] = sing(all, ranks, rank); });
  for (auto& thread : threads)
    thread.join();

  CHECK(songs == std::vector<std::string>(ranks, "la"));
}
