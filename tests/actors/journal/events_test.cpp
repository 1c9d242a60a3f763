#include "actors/events/event_log.hpp"
#include "actors/events/follow_events.hpp"
#include "messages/event_json.hpp"
#include "tests/actors/journal/journal_world.hpp"

using namespace journal_tests;

// An event log in front of a journal.

namespace {

constexpr auto run_id = "0197f0a2-7f00-7000-8000-000000000001";

/// Writes the types of a run's events down as they come, from a number on.
struct follower {
  follower(process& in, event_log_actor log, std::uint64_t from = 1) {
    in.still.system().spawn(
      [](caf::event_based_actor* self, const event_log_actor& whom,
         std::uint64_t first, std::shared_ptr<std::string> into) {
        wire::EventsQuery query;
        query.set_run_id(run_id);
        query.set_from(first);
        follow_events(
          self, whom, query,
          [into](const wire::Event& event) {
            *into +=
              std::to_string(event.number()) + ' ' + event_type(event) + ". ";
          },
          [into](const std::optional<failure>& problem) {
            *into += problem ? to_string(*problem) : "end";
          });
      },
      log, from, seen);
    in.settle();
  }

  std::shared_ptr<std::string> seen = std::make_shared<std::string>();
};

event_log_actor log_of(process& in, std::size_t max_events = 4096) {
  event_log_options options;
  options.journal = in.link.journal;
  options.unix_origin = duration{};
  options.max_events_per_run = max_events;
  auto log = spawn_event_log(in.still.system(), options);
  in.settle();
  return log;
}

} // namespace

TEST_CASE("who follows a run hears what is durable, once it is",
          "[actors][journal]") {
  scratch_folder folder;
  process p{folder, {ok("1", 10ms)}};
  auto log = log_of(p);
  follower f{p, log};
  p.still.advance(1s);
  CHECK(*f.seen == "1 run_started. ");
  p.submit("a");
  p.still.advance(1s);
  CHECK(*f.seen == "1 run_started. 2 agent_started. 3 agent_done. ");
  spawn_asker<wire::RunEnded>(p.still.system(), asks(p.run, wire::FinishRun{}),
                              [](const result<wire::RunEnded>&) {});
  p.still.advance(1s);
  CHECK(*f.seen
        == "1 run_started. 2 agent_started. 3 agent_done. 4 run_done. end");
  p.still.kill(log);
}

TEST_CASE("who falls behind reads the journal, without gaps",
          "[actors][journal]") {
  scratch_folder folder;
  process p{folder, {ok("1")}};
  auto log = log_of(p, 2);
  for (const auto* id : {"a", "b", "c"}) {
    p.submit(id);
    p.still.advance(1s);
  }
  follower f{p, log};
  p.still.advance(1s);
  CHECK(*f.seen
        == "1 run_started. 2 agent_started. 3 agent_done. 4 agent_started. "
           "5 agent_done. 6 agent_started. 7 agent_done. ");
  p.still.kill(log);
}

TEST_CASE("a cursor holds over the end of a process", "[actors][journal]") {
  scratch_folder folder;
  {
    process first{folder, {ok("1"), hangs()}};
    first.submit("a");
    first.submit("b");
    first.still.advance(1s);
  }
  process second{folder, {ok("2")}, true};
  auto log = log_of(second);
  follower f{second, log, 4};
  second.still.advance(10s);
  CHECK(*f.seen == "4 agent_started. 5 agent_done. ");
  second.still.kill(log);
}

TEST_CASE("what outer layers publish is in the journal before it is told, and "
          "refused after the end of its run",
          "[actors][journal]") {
  scratch_folder folder;
  process p{folder, {ok("1")}};
  auto log = log_of(p);
  auto publish = [&] {
    wire::Event event;
    event.set_run_id(run_id);
    event.mutable_log()->set_msg("half way");
    auto answer = new_pending<void>();
    spawn_asker<void>(p.still.system(), asks(log, event), noting(answer));
    p.still.advance(1s);
    return text_of(answer, [] { return ""; });
  };
  CHECK(publish() == "done");
  spawn_asker<wire::RunEnded>(p.still.system(), asks(p.run, wire::FinishRun{}),
                              [](const result<wire::RunEnded>&) {});
  p.still.advance(1s);
  CHECK_THAT(publish(),
             Catch::Matchers::ContainsSubstring("has ended with its event 3"));
  p.still.kill(log);
}
