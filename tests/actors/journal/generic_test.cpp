#include "actors/journal/repair/repair_journal.hpp"
#include "actors/journal/repair/rows.hpp"
#include "tests/actors/journal/journal_files.hpp"
#include "tests/actors/journal/journal_world.hpp"
#include "tests/actors/scheduler/counter_program.hpp"

#include <google/protobuf/wrappers.pb.h>

using namespace journal_tests;
using google::protobuf::Int64Value;

// Programs that are not about agents: a sum, whose works add what their backend
// answers. Its state is kept as bytes.

namespace {

/// The same without the way back from bytes.
struct forgetful_state : counter_tests::counter_state {
  static void decode() {}
};

struct forgetful_program {
  using work_message = Int64Value;
  using outcome_message = Int64Value;
  using state_type = forgetful_state;

  static result<state_type> make_state(const std::string&) {
    return state_type{};
  }
};

/// One whose state is made again of what its works have published.
struct replaying_state : counter_tests::counter_state {
  static constexpr bool replays_outcomes = true;
  static void decode() {}
  static void encode() {}
};

struct replaying_program {
  using work_message = Int64Value;
  using outcome_message = Int64Value;
  using state_type = replaying_state;

  static result<state_type> make_state(const std::string&) {
    return state_type{};
  }
};

/// A scheduler of sums in a process of its own.
template <class Program>
struct sums {
  sums(const scratch_folder& folder, std::vector<backend_step> steps) {
    auto file = open_file(folder.file());
    scheduler_options options;
    options.journal.scheduler = "sums";
    options.journal.unix_origin = duration{};
    options.journal.first_life = file->next_life();
    options.journal.journal = spawn_journal(still.system(), std::move(file));
    journal = options.journal.journal;
    backend = backend_actor{spawn<scripted_backend_state>(
      still.system(), "adder", std::move(steps), nullptr)};
    options.backends.add("adder", backend);
    scheduler = spawn_scheduler<Program>(still.system(), options).value();
    still.settle();
  }

  ~sums() {
    still.kill(scheduler);
    still.kill(backend);
    still.kill(journal);
  }

  template <class Answer, class... Xs>
  pending<Answer> ask(Xs... xs) {
    auto answer = new_pending<Answer>();
    spawn_asker<Answer>(still.system(), asks(scheduler, xs...), noting(answer));
    still.advance(1s);
    return answer;
  }

  pending<door_actor> open(std::uint64_t id) {
    wire::RegisterRequest request;
    request.mutable_request()->set_value(id);
    request.set_state("100");
    return ask<door_actor>(open_atom_v, request);
  }

  pending<door_actor> resume(std::uint64_t id) {
    wire::ResumeRequest request;
    request.mutable_request()->set_value(id);
    return ask<door_actor>(open_atom_v, request);
  }

  void add(std::uint64_t id, int times) {
    wire::SubmitBatch order;
    order.mutable_request()->set_value(id);
    for (int i = 0; i < times; ++i)
      Int64Value{}.SerializeToString(order.add_works()->mutable_payload());
    auto accepted = ask<wire::Accepted>(order);
    CHECK((*accepted)->value().work_ids_size() == times);
  }

  std::string sum(std::uint64_t id) {
    wire::ReleaseRequest order;
    order.mutable_request()->set_value(id);
    return text_of(ask<wire::ReleasedState>(order),
                   [](const wire::ReleasedState& s) { return s.state(); });
  }

  std::string report() {
    const auto told = ask<wire::Report>(wire::ReportQuery{});
    const auto& r = (*told)->value();
    return std::to_string(r.submitted_work()) + " accepted, "
           + std::to_string(r.completed_work()) + " committed";
  }

  still_world_of<caf::id_block::turnstile, caf::id_block::turnstile_handles>
    still;
  journal_actor journal;
  backend_actor backend;
  scheduler_actor scheduler;
};

backend_step adds(std::int64_t what) {
  Int64Value outcome;
  outcome.set_value(what);
  return succeed{outcome.SerializeAsString()};
}

} // namespace

TEST_CASE("the state of a request is what it was, and what was queued runs",
          "[actors][journal]") {
  scratch_folder folder;
  {
    sums<counter_tests::counter_program> first{folder,
                                               {adds(1), adds(10), hangs()}};
    first.open(7);
    first.add(7, 5);
    CHECK(first.report() == "5 accepted, 2 committed");
  }
  sums<counter_tests::counter_program> second{folder, {adds(1000)}};
  CHECK(second.resume(7)->has_value());
  CHECK(second.report() == "5 accepted, 5 committed");
  CHECK(second.sum(7) == "3111");
}

TEST_CASE("what a journal does not have cannot be resumed",
          "[actors][journal]") {
  scratch_folder folder;
  sums<counter_tests::counter_program> s{folder, {adds(1)}};
  auto missing = s.resume(7);
  CHECK_THAT(
    text_of(missing, [](const door_actor&) { return "opened"; }),
    Catch::Matchers::StartsWith("unknown_request: request 7 is not in"));
  s.open(7);
  auto active = s.resume(7);
  CHECK_THAT(text_of(active, [](const door_actor&) { return "opened"; }),
             Catch::Matchers::StartsWith("duplicate_request: "));
}

TEST_CASE("a request whose state has no codec is volatile, and says so when it "
          "shall be resumed",
          "[actors][journal]") {
  scratch_folder folder;
  {
    sums<forgetful_program> first{folder, {adds(1)}};
    first.open(7);
  }
  sums<forgetful_program> second{folder, {adds(1)}};
  auto lost = second.resume(7);
  CHECK_THAT(text_of(lost, [](const door_actor&) { return "opened"; }),
             Catch::Matchers::StartsWith("no_codec: "));
}

namespace {

/// Damages the page with a journal's works, and puts what is left of it in its
/// place.
void lose_works(const scratch_folder& folder) {
  auto bytes = bytes_of(folder.file());
  const auto pages = repair::journal_pages::open(folder.file()).value();
  const auto rows = repair::journal_rows::in(pages);
  REQUIRE_FALSE(rows.works.empty());
  bytes[rows.works.front().page * 4096 - 100] ^= 1;
  put_bytes(folder.file(), bytes);
  const auto report = repair_journal(folder.file(), folder.file() + ".new");
  REQUIRE(report);
  CHECK(report->lost.size() == 2);
  for (const auto* end : {"", "-owner"})
    std::filesystem::rename(folder.file() + ".new" + end, folder.file() + end);
}

} // namespace

TEST_CASE("works whose ends were lost are not done twice where the state has "
          "them",
          "[actors][journal]") {
  scratch_folder folder;
  {
    sums<counter_tests::counter_program> first{folder, {adds(1), adds(10)}};
    first.open(7);
    first.add(7, 2);
    CHECK(first.report() == "2 accepted, 2 committed");
  }
  lose_works(folder);
  sums<counter_tests::counter_program> second{folder, {adds(1000)}};
  CHECK(second.resume(7)->has_value());
  second.add(7, 1);
  CHECK(second.sum(7) == "1111");
}

TEST_CASE("a state that cannot be made again of what is left is not made",
          "[actors][journal]") {
  scratch_folder folder;
  {
    sums<replaying_program> first{folder, {adds(1), adds(10)}};
    first.open(7);
    first.add(7, 2);
  }
  {
    sums<replaying_program> whole{folder, {adds(1000)}};
    CHECK((*whole.resume(7))->has_value());
  }
  lose_works(folder);
  sums<replaying_program> second{folder, {adds(1000)}};
  CHECK_THAT(
    text_of(second.resume(7), [](const door_actor&) { return "opened"; }),
    Catch::Matchers::StartsWith("journal_damaged: what became of work "));
}
