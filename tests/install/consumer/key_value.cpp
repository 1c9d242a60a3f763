// A scheduler of another kind, against an installed Turnstile: requests are
// key-value stores, works are writes that are checked by compare-and-set, and
// every verb is used. It shows that the scheduler is generic.

#include "core/turn/scheduler.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace turnstile;

namespace {

struct write {
  std::string key;
  std::string value;

  status encode_descriptor(std::vector<std::uint32_t>& words) const {
    if (key.empty())
      return fail(errc::descriptor, "a write needs a key");
    words.push_back(static_cast<std::uint32_t>(key.size()));
    words.push_back(static_cast<std::uint32_t>(value.size()));
    return {};
  }
};

struct store {
  using branch_type = std::map<std::string, std::string>;

  [[nodiscard]] result<branch_type> branch() const { return values; }

  status commit_branch(branch_type&& branch, std::uint64_t behind) {
    if (behind > 0)
      return fail(errc::conflict, "somebody else wrote meanwhile");
    values = std::move(branch);
    return {};
  }

  [[nodiscard]] bool permits_parallel_branches() const { return true; }

  branch_type values;
};

/// What a server has promised; it completes by id.
struct receipt {
  [[nodiscard]] std::uint64_t retained_resources() const { return 1; }
  [[nodiscard]] std::string backend_name() const { return "server"; }
  [[nodiscard]] bool physically_preemptible() const { return true; }
};

struct key_value_program {
  using work_type = write;
  using state_type = store;
  using output_type = receipt;
};

void expect(bool holds, const char* what) {
  if (holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::exit(1);
}

instant at(std::int64_t ns) {
  return instant{duration{ns}};
}

} // namespace

int main() {
  scheduler_settings settings;
  settings.limits = scheduler_limits::of(4, 16);
  settings.limits.max_new_submissions_per_turn = 2;
  settings.limits.max_in_flight_per_request = 2;
  auto made = scheduler<key_value_program>::create(settings);
  expect(made.has_value(), "a scheduler is made");
  auto& s = *made;
  auto server = [](const submission&, const write& w, store::branch_type& b) {
    b[w.key] = w.value;
    return result<receipt>{receipt{}};
  };
  const request_id a{1};
  const request_id b{2};
  expect(s.validate_registration(a).has_value(), "an identity is free");
  expect(s.register_request(a, store{}).has_value(), "it is registered");
  expect(s.register_request(b, store{}).has_value(), "so is another");
  expect(!s.register_request(a, store{}), "an identity is used once");
  expect(
    s.edit_state(a, [](store& x) { x.values["made"] = "by hand"; }).has_value(),
    "a state without branches can be edited");

  // Two parallel writes: the second conflicts and is run again on the new base.
  auto ids = s.enqueue_batch(a, {{"x", "1"}, {"y", "2"}});
  expect(ids && ids->size() == 2, "a batch is accepted");
  auto turn = s.run_local_turn(at(1), server);
  expect(turn && turn->submitted.size() == 2, "both are submitted");
  expect(s.observe((*ids)[0], no_outcome{}), "a completion is noted");
  expect(s.observe((*ids)[1], no_outcome{}), "and the other");
  turn = s.run_local_turn(at(2), server);
  expect(turn->committed.size() == 1, "the first commits");
  expect(turn->requeued.size() == 1, "the second starts anew");
  auto done = s.complete((*ids)[1], no_outcome{}, at(3));
  expect(done.committed.size() == 1, "and commits on the new base");
  expect(s.request_state(a)->values.size() == 3, "nothing is lost");

  // Park, unpark, requeue.
  auto id = s.enqueue(a, write{"z", "3"});
  expect(id.has_value(), "one work is accepted");
  expect(s.prepare_bounded(1, at(4))->prepared == 1, "it is prepared");
  expect(s.submit_prepared(at(4), server)->submitted.size() == 1,
         "it is submitted");
  expect(s.resources_changed(*id, 5).has_value(), "its backend says more");
  expect(s.park(*id, at(5)).has_value(), "it gives its slot back");
  expect(s.report().parked_work == 1, "which is counted");
  expect(s.unpark(*id, at(6)).has_value(), "it asks for a slot");
  expect(s.run_local_turn(at(6), server)->resumed.size() == 1, "and gets one");
  expect(s.requeue(*id, at(20), at(7)).has_value(), "it is tried again later");
  expect(s.run_local_turn(at(8), server)->submitted.empty(), "not before");
  expect(s.run_local_turn(at(20), server)->submitted.size() == 1, "but then");
  done = s.complete(*id, fail(errc::completion, "the disk is full"), at(21));
  expect(done.failed.size() == 1, "a failure is told");
  expect(done.ended.size() == 1, "and ends the request");
  expect(s.status_of(a) == request_status::failed, "as failed");
  expect(s.lifecycle(*id) == work_lifecycle::failed, "the work is remembered");
  auto last = s.release(a);
  expect(last && last->values.at("y") == "2", "its last state can be taken");
  expect(s.forget(a) == request_status::failed, "and its identity be freed");

  // Cancel, with retained work; finish; deadlines; other ranks.
  work_options dated;
  dated.deadline = at(30);
  id = s.enqueue(b, write{"late", "4"}, dated);
  expect(s.run_local_turn(at(22), server)->submitted.size() == 1, "it runs");
  expect(s.cancel(b, at(23))->abandoned.size() == 1, "it is abandoned");
  expect(s.report().abandoned_retained_resources == 1, "but retained");
  expect(!s.forget(b), "so its request cannot be forgotten");
  expect(s.complete(*id, no_outcome{}, at(24)).dropped.size() == 1,
         "until its server lets it go");
  expect(s.forget(b).has_value(), "then it can");
  mirror_group three{3};
  const request_id c{3};
  expect(s.register_request(c, store{}).has_value(), "a third request");
  expect(s.enqueue(c, write{"r", "5"}).has_value(), "with a work");
  expect(s.run_distributed_turn(9, three, at(25), server)->submitted.size()
           == 1,
         "that three ranks submit together");
  expect(!s.finish(c, at(26)), "a request with submitted work goes on");
  expect(s.cancel_distributed(9, c, three, at(27)).has_value(),
         "until the ranks cancel it");
  expect(s.poll_completions(at(28)).committed.empty(), "nothing is published");
  const request_id d{4};
  expect(s.register_request(d, store{}).has_value(), "a fourth");
  expect(s.finish(d, at(29))->ended.size() == 1, "that finishes idle");
  expect(s.capabilities().executing_work_physically_preemptible,
         "the server could be interrupted");
  expect(s.poison("for the sake of it", at(30)).poisoned.has_value(),
         "the host may poison");
  expect(s.report().poisoned && s.poison_reason(), "which is seen");
  s.audit();
  std::puts("every verb works");
  return 0;
}
