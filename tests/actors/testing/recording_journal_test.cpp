#include "actors/testing/recording_journal.hpp"

#include "tests/actors/journal/journal_world.hpp"

using namespace journal_tests;

namespace {

/// A process, and what its journal has recorded.
struct recorded_process {
  explicit recorded_process(std::vector<backend_step> steps)
    : in(record, std::move(steps)) {}

  std::shared_ptr<recording> record = std::make_shared<recording>();
  process in;
};

template <class Answer, class Query>
pending<Answer> ask_journal(process& p, const Query& query) {
  auto answer = new_pending<Answer>();
  spawn_asker<Answer>(p.still.system(), asks(p.link.journal, query),
                      noting(answer));
  p.settle();
  return answer;
}

/// Appends facts to a file as they were recorded, one by one.
void copy(const recording& from, journal_store& to) {
  for (const auto& [scheduler, fact] : from.facts()) {
    wire::AppendFacts one;
    one.set_scheduler(scheduler);
    *one.add_facts() = fact;
    REQUIRE(to.append(one));
  }
  REQUIRE(to.commit());
}

template <class Answer>
std::string text_of(const result<Answer>& answer) {
  return answer ? answer->DebugString() : to_string(answer.error());
}

} // namespace

TEST_CASE("a recording has the facts of a scheduler in their order",
          "[actors][testing]") {
  recorded_process w{{ok("1", 10ms)}};
  auto answer = w.in.submit("a");
  w.in.still.advance(1s);
  CHECK(text_of_task(answer) == "1 after 1");
  CHECK(w.record->text()
        == "opened, event 1, accepted 0, started 0, event 2, ended 0 ok, "
           "event 3");
  const auto facts = w.record->facts();
  REQUIRE(facts.size() == 7);
  CHECK(w.record->durable() == 7);
  CHECK(facts[2].scheduler == "agents");
  CHECK(facts[2].fact.accepted().label() == "the a");
  CHECK(facts[6].fact.event().event().agent_done().output_json() == "1");
}

TEST_CASE("nothing is told before a recording lets it become durable",
          "[actors][testing]") {
  recorded_process w{{ok("1", 10ms)}};
  w.record->hold();
  auto first = w.in.submit("a");
  auto second = w.in.submit("b");
  w.in.still.advance(1h);
  CHECK(text_of_task(first) == "-");
  CHECK(w.in.calls->order().size() == 2); // a start waits for nothing
  const auto syncs = w.record->syncs();
  w.record->release();
  w.in.settle();
  CHECK(text_of_task(first) == "1 after 1");
  CHECK(text_of_task(second) == "1 after 1");
  CHECK(w.record->syncs() == syncs + 1);
  CHECK(w.record->durable() == w.record->facts().size());
}

TEST_CASE("who appended is told when its own facts are durable, not with "
          "those before",
          "[actors][testing]") {
  recorded_process w{{hangs()}};
  w.in.still.advance(1s);
  const auto before = w.record->durable();
  w.record->hold();
  wire::AppendFacts log;
  auto& event = *log.add_facts()->mutable_event()->mutable_event();
  event.set_run_id("some run");
  event.mutable_log()->set_msg("a line");
  *log.add_facts() = log.facts(0);
  const auto first = ask_journal<wire::Durable>(w.in, log);
  const auto second = ask_journal<wire::Durable>(w.in, log);
  auto told = [&] {
    auto number = [](const wire::Durable& it) {
      return std::to_string(it.facts());
    };
    return testing::text_of(first, number) + ' '
           + testing::text_of(second, number);
  };
  w.record->release(before + 1); // half of a message
  w.in.settle();
  CHECK(told() == "- -");
  w.record->release(before + 3);
  w.in.settle();
  CHECK(told() == std::to_string(before + 2) + " -");
  CHECK_THAT(w.record->text(),
             Catch::Matchers::EndsWith("event 1, event 2 | event 3, event 4"));
  w.record->release();
  w.in.settle();
  CHECK(told()
        == std::to_string(before + 2) + ' ' + std::to_string(before + 4));
}

TEST_CASE("a recording that fails for good freezes its scheduler",
          "[actors][testing]") {
  const auto code = GENERATE(errc::fenced, errc::journal_damaged);
  recorded_process w{{ok("1", 10ms)}};
  auto running = w.in.submit("a");
  w.record->fail({code, "no more"});
  w.in.still.advance(1s);
  w.record->recover();
  w.in.still.advance(1h);
  CHECK_THAT(text_of_task(running),
             Catch::Matchers::StartsWith("backend_lost: "));
  CHECK(w.record->durable() < w.record->facts().size());
}

TEST_CASE("a second scheduler goes on from what is durable in a recording",
          "[actors][testing]") {
  auto record = std::make_shared<recording>();
  {
    process first{record, {ok("1", 10ms), hangs()}};
    auto done = first.submit("a");
    first.submit("b");
    first.still.advance(1s);
    CHECK(text_of_task(done) == "1 after 1");
    record->hold();
    first.submit("c"); // accepted, and forgotten
  }
  record->release();
  process second{record, {ok("2", 10ms)}, true};
  std::vector<pending<wire::TaskRecord>> answers;
  for (const auto* id : {"a", "b", "c"})
    answers.push_back(second.submit(id));
  second.still.advance(1s);
  CHECK(text_of_task(answers[0]) == "1 after 1");
  CHECK(text_of_task(answers[1]) == "2 after 2");
  CHECK(text_of_task(answers[2]) == "2 after 1");
  CHECK(second.calls->order().size() == 2);
}

TEST_CASE("of two journals on a recording the earlier one is fenced",
          "[actors][testing]") {
  recorded_process w{{hangs()}};
  w.in.submit("a");
  process second{w.record, {hangs()}, true};
  auto refused = w.in.submit("b");
  w.in.still.advance(1s);
  CHECK_THAT(text_of_task(refused),
             Catch::Matchers::StartsWith("backend_lost: "));
}

TEST_CASE("a recording answers as a file would with the same facts",
          "[actors][testing]") {
  auto record = std::make_shared<recording>();
  std::uint64_t request = 0;
  {
    auto terms = process::terms(1);
    terms.set_memo(true);
    process p{record,
              {ok("1", 10ms), fails(backend_error_kind::spawn, 10ms),
               ok("[2]", 10ms), hangs()}};
    for (const auto* id : {"a", "b", "c", "d"})
      p.submit(id);
    p.still.advance(1min);
    request = record->facts().front().fact.opened().request().value();
  }
  scratch_folder folder;
  auto file = open_file(folder.file());
  copy(*record, *file);
  CHECK(record->durable() == file->facts());
  CHECK(record->next_life() == file->next_life());
  for (std::uint32_t max : {0U, 1U, 3U})
    for (std::uint64_t from = 0; from < 6; ++from) {
      INFO("from " << from << ", " << max << " at most");
      wire::HistoryQuery works;
      works.set_scheduler("agents");
      works.mutable_request()->set_value(request);
      works.set_from(from);
      works.set_max(max);
      CHECK(text_of(record->history(works)) == text_of(file->history(works)));
      wire::EventsQuery events;
      events.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
      events.set_from(from);
      events.set_max(max);
      CHECK(text_of(record->events(events)) == text_of(file->events(events)));
    }
  wire::HistoryQuery unknown;
  CHECK(text_of(record->history(unknown)) == text_of(file->history(unknown)));
  for (const auto& [scheduler, fact] : record->facts()) {
    wire::MemoQuery memo;
    memo.set_key(fact.ended().memo_key());
    CHECK(text_of(record->memo(memo)) == text_of(file->memo(memo)));
  }
}

TEST_CASE("a recording refuses what a file would refuse", "[actors][testing]") {
  scratch_folder folder;
  auto file = open_file(folder.file());
  recording_store record{std::make_shared<recording>(),
                         [] { return std::int64_t{1}; }, nullptr};
  wire::AppendFacts facts;
  SECTION("a work of nobody") {
    facts.add_facts()->mutable_started()->mutable_work_id()->set_life(7);
  }
  SECTION("the end of nothing") {
    facts.add_facts()->mutable_closed()->set_life(7);
  }
  SECTION("nothing") {
    facts.add_facts();
  }
  SECTION("an event behind the end of its run") {
    auto& event = *facts.add_facts()->mutable_event()->mutable_event();
    event.set_run_id("run");
    event.mutable_run_done();
    REQUIRE(file->append(facts));
    REQUIRE(record.append(facts));
  }
  const auto by_file = file->append(facts);
  const auto by_record = record.append(facts);
  REQUIRE_FALSE(by_file);
  REQUIRE_FALSE(by_record);
  CHECK(to_string(by_record.error()) == to_string(by_file.error()));
}

TEST_CASE("an answer that a disk cannot read just now is given later",
          "[actors][journal]") {
  recorded_process w{{ok("1", 10ms)}};
  auto first = w.in.submit("a");
  w.in.still.advance(1s);
  w.record->fail_reading({errc::storage_failed, "cannot read"});
  wire::EventsQuery query;
  query.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
  const auto answer = ask_journal<wire::EventBatch>(w.in, query);
  w.in.still.advance(1h);
  auto events = [&] {
    return testing::text_of(answer, [](const wire::EventBatch& it) {
      return std::to_string(it.events_size());
    });
  };
  CHECK(events() == "-");
  SECTION("once it can") {
    w.record->recover();
    w.in.still.advance(1s);
    CHECK(events() == "3");
  }
  SECTION("or never, if another journal has its facts") {
    recording_store other{w.record, [] { return std::int64_t{1}; }, nullptr};
    w.in.still.advance(10s);
    CHECK(events() == "fenced: another journal has the recording");
  }
}

TEST_CASE("a run is resumed although its journal cannot be read for a while",
          "[actors][journal]") {
  auto record = std::make_shared<recording>();
  {
    process first{record, {ok("1", 10ms)}};
    first.submit("a");
    first.still.advance(1s);
  }
  record->fail_reading({errc::storage_failed, "cannot read"});
  process second{record, {ok("2", 10ms)}, true};
  auto known = second.submit("a");
  second.still.advance(1min);
  CHECK(text_of_task(known) == "-");
  record->recover();
  second.still.advance(2s);
  CHECK(text_of_task(known) == "1 after 1");
  CHECK(second.calls->order().empty());
}
