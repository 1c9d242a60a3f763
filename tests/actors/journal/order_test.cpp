#include "actors/journal/journal_view.hpp"
#include "actors/testing/store_around.hpp"
#include "tests/actors/journal/journal_world.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

// A process that dies before and after each step of the order in which things
// become durable (decision T21), and another one that goes on.

using namespace journal_tests;

namespace {

/// Where a process dies: around the appending of facts, and around that they
/// become durable. After the last of these comes the telling.
enum class failpoint {
  before_append,
  after_append,
  before_durable,
  before_told, ///< It is durable, and nobody knows.
};

std::string name_of(failpoint at) {
  constexpr const char* names[] = {"before_append", "after_append",
                                   "before_durable", "before_told"};
  return names[static_cast<std::size_t>(at)];
}

/// A store whose process dies when it comes to a failpoint for the n-th time:
/// from then on nothing reaches what is below.
class mortal_store : public store_around {
public:
  mortal_store(std::unique_ptr<journal_store> below, failpoint at, int times,
               std::shared_ptr<bool> died)
    : store_around(std::move(below)), at_(at), left_(times),
      died_(std::move(died)) {}

  status append(const wire::AppendFacts& facts) override {
    if (dies(failpoint::before_append))
      return gone();
    auto done = store_around::append(facts);
    if (dies(failpoint::after_append))
      return gone();
    return done;
  }

  status commit() override {
    if (*died_ || (has_draft() && dies(failpoint::before_durable)))
      return gone();
    const auto matters = has_draft();
    auto done = store_around::commit();
    if (matters && dies(failpoint::before_told))
      return gone();
    return done;
  }

  status renew() override { return *died_ ? gone() : store_around::renew(); }

private:
  static status gone() { return fail(errc::storage_failed, "it is dead"); }

  bool dies(failpoint here) {
    if (!*died_ && here == at_ && --left_ == 0)
      *died_ = true;
    return *died_;
  }

  failpoint at_;
  int left_;
  std::shared_ptr<bool> died_;
};

using told = std::map<std::string, std::string>;

const std::vector<std::string> ids{"a", "b", "c", "d", "e"};

/// Has all tasks run in a process, as far as it lives. @returns what clients
/// were told of those that have succeeded
told run_all(process& p) {
  std::map<std::string, pending<wire::TaskRecord>> asked;
  for (const auto& id : ids)
    asked.emplace(id, p.submit(id));
  p.still.advance(10s);
  told all;
  for (const auto& [id, answer] : asked)
    if (answer->has_value() && answer->value().has_value()
        && !(**answer)->has_failure())
      all.emplace(id, text_of_task(answer));
  return all;
}

/// How often the journal's events tell the end of each task, as in "a b b".
std::string ends_in(const scratch_folder& folder) {
  auto view = journal_view::open(folder.file()).value();
  auto ends = view.see([](journal_reader& reader) -> result<std::string> {
    std::multiset<std::string> all;
    const auto batch =
      reader.events("0197f0a2-7f00-7000-8000-000000000001", 1, 4096);
    for (const auto& event : batch.events())
      if (event.has_agent_done())
        all.insert(event.agent_done().agent_id());
    std::string text;
    for (const auto& id : all)
      text += id + ' ';
    return text;
  });
  return ends.value();
}

/// The steps of its backend: the second call fails, and is tried again.
std::vector<backend_step> steps() {
  return {ok("1", 5ms), fails(backend_error_kind::spawn, 5ms), ok("1", 5ms)};
}

/// @returns whether the first process came to the failpoint so often
bool dies_and_goes_on(failpoint at, int times) {
  INFO(name_of(at) << " for the " << times << "th time");
  scratch_folder folder;
  auto died = std::make_shared<bool>(false);
  told before;
  {
    process mortal{
      std::make_unique<mortal_store>(open_file(folder.file()), at, times, died),
      steps(), false, 9};
    before = run_all(mortal);
  }
  const auto kept = [&] {
    auto view = journal_view::open(folder.file()).value();
    return view
      .see([](journal_reader& reader) -> result<bool> {
        return reader.named("0197f0a2-7f00-7000-8000-000000000001").has_value();
      })
      .value();
  }();
  if (!kept) { // it never began, as far as anybody knows
    CHECK(before.empty());
    return *died;
  }
  process next{open_file(folder.file()), {ok("1")}, true, 9};
  const auto after = run_all(next);
  CHECK(after.size() == ids.size());
  for (const auto& [id, answer] : before)
    CHECK(after.at(id) == answer);
  CHECK(next.calls->order().size() <= ids.size() - before.size());
  CHECK(ends_in(folder) == "a b c d e ");
  return *died;
}

} // namespace

TEST_CASE("a process may die before and after each step: what was told stays, "
          "what was not is done, and each ends once",
          "[actors][journal]") {
  const auto at = GENERATE(failpoint::before_append, failpoint::after_append,
                           failpoint::before_durable, failpoint::before_told);
  int times = 1;
  while (dies_and_goes_on(at, times))
    ++times;
  CHECK(times > 3); // it came there several times
}
