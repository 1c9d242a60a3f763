#include "actors/node/run_desk.hpp"

#include "actors/agent/sha256.hpp"
#include "actors/cluster/protocol.hpp"
#include "actors/log/log_line.hpp"
#include "actors/node/run_news.hpp"
#include "actors/node/stored_plan.hpp"
#include "messages/deterministic.hpp"
#include "messages/translate.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace turnstile::node {

namespace {

/// What fits into one answer: so many ends, and not many more bytes.
constexpr std::size_t max_ends_told = 512;
constexpr std::size_t max_bytes_told = 1 << 20;

/// The backends that the plan's tasks go to.
wire::RunAccepted backends_of(const config::plan& plan) {
  std::set<std::string> names;
  for (const auto& task : plan.tasks)
    names.insert(task.backend.value_or(""));
  wire::RunAccepted all;
  for (const auto& one : names)
    all.add_lacking(one);
  return all;
}

/// A plan as it is run here: the backends are this node's, so each task names
/// its own.
result<config::plan> plan_in(const std::string& bytes) {
  wire::StoredPlan stored;
  if (!stored.ParseFromString(bytes))
    return fail(errc::invalid_plan, "SubmitRun.plan is no StoredPlan");
  auto plan = from_stored(stored);
  if (!plan)
    return plan;
  for (const auto& backend : plan->backends)
    if (backend.is_default)
      for (auto& task : plan->tasks)
        if (!task.backend)
          task.backend = backend.name;
  return plan;
}

} // namespace

run_desk_state::run_desk_state(run_desk_actor::pointer self,
                               run_desk_options options)
  : self_(self), options_(std::move(options)) {}

run_desk_actor::behavior_type run_desk_state::make_behavior() {
  return {
    [this](join_atom, const wire::Envelope& hello, const link_actor& peer) {
      clients_.insert_or_assign(hello.link(), peer);
    },
    [this](const wire::Envelope& letter) { receive(letter); },
    [this](leave_atom, const wire::Envelope& goodbye) {
      clients_.erase(goodbye.link());
      for (auto& [run_id, run] : runs_)
        run.followers.erase(goodbye.link());
      forget_old_runs();
    },
    [this](const wire::NodeQuery&) {
      wire::NodeStatus part;
      for (const auto& [run_id, run] : runs_)
        if (!run.summary)
          part.add_runs(run_id);
      return part;
    },
    [this](const wire::RunNews& news) { note(news); },
    [this](const wire::SubmitRun& order) {
      if (auto begun = begin(order, true); !begun)
        log_event(spdlog::level::err, "run_not_resumed", [&](log_line& line) {
          line("run", order.run_id())("text", begun.error().detail);
        });
    },
  };
}

void run_desk_state::receive(const wire::Envelope& letter) {
  switch (letter.body_case()) {
  case wire::Envelope::kSubmitRun:
    return submit(letter.link(), letter.submit_run());
  case wire::Envelope::kFollowRun:
    return follow(letter.link(), letter.follow_run());
  case wire::Envelope::kStopRun:
    return stop(letter.link(), letter.stop_run());
  default:
    return;
  }
}

void run_desk_state::submit(std::uint64_t link, const wire::SubmitRun& order) {
  const auto known = runs_.find(order.run_id());
  if (known == runs_.end()) {
    if (auto begun = begin(order, false); !begun)
      return refuse(link, order.run_id(), begun.error());
    return accept(link, order.run_id(), false);
  }
  auto plan = plan_in(order.plan());
  if (!plan)
    return refuse(link, order.run_id(), plan.error());
  if (sha256(deterministic_bytes(to_stored(*plan))) != known->second.digest)
    return refuse(link, order.run_id(),
                  {errc::run_conflict,
                   "run " + order.run_id()
                     + " is there already, of another plan; give this one "
                       "another identity"});
  accept(link, order.run_id(), true);
}

result<run_desk_state::hosted*>
run_desk_state::begin(const wire::SubmitRun& order, bool resume) {
  if (order.run_id().empty())
    return fail(errc::invalid_argument, "SubmitRun.run_id is missing");
  if (runs_.size() - ended_.size() >= options_.max_runs)
    return fail(errc::capacity, "max_runs " + std::to_string(options_.max_runs)
                                  + " is reached; one must end first");
  auto plan = plan_in(order.plan());
  if (!plan)
    return fail(std::move(plan.error()));
  auto& made = runs_[order.run_id()];
  made.digest = sha256(deterministic_bytes(to_stored(*plan)));
  made.plan = std::make_shared<const config::plan>(std::move(*plan));
  plan_run_options which;
  which.run_id = order.run_id();
  which.journal = options_.journal;
  which.resume = resume;
  made.actor = spawn_plan_run(
    self_->system(), *made.plan, options_.scheduler,
    news_to(run_desk_actor{self_}, order.run_id(), made.plan), which);
  // Works must not fail for want of a worker that is still to come.
  mail(self_, backends_of(*made.plan))
    .request(options_.workers, caf::infinite)
    .then([this, actor = made.actor](
            const wire::RunAccepted&) { mail(self_, run_atom_v).send(actor); },
          [](const caf::error&) {}); // the node ends
  return &made;
}

void run_desk_state::accept(std::uint64_t link, const std::string& run_id,
                            bool attached) {
  mail(self_, backends_of(*runs_.at(run_id).plan))
    .request(options_.workers, caf::infinite)
    .then(
      [this, link, run_id, attached](const wire::RunAccepted& answer) {
        auto letter = envelope_of(link);
        *letter.mutable_run_accepted() = answer;
        letter.mutable_run_accepted()->set_run_id(run_id);
        letter.mutable_run_accepted()->set_attached(attached);
        post(link, std::move(letter));
      },
      [this, link, run_id](const caf::error& why) {
        refuse(link, run_id, to_failure(self_->system(), why));
      });
}

void run_desk_state::follow(std::uint64_t link,
                            const wire::FollowRun& question) {
  const auto found = runs_.find(question.run_id());
  if (found == runs_.end())
    return refuse(
      link, question.run_id(),
      {errc::run_not_found, "no run " + question.run_id() + " is known here"});
  auto& run = found->second;
  if (question.from() < run.ends.size() || run.summary)
    return tell(link, question.run_id(), run, question.from());
  run.followers[link] = question.from();
}

void run_desk_state::stop(std::uint64_t link, const wire::StopRun& which) {
  const auto found = runs_.find(which.run_id());
  if (found == runs_.end())
    return refuse(
      link, which.run_id(),
      {errc::run_not_found, "no run " + which.run_id() + " is known here"});
  if (!found->second.summary)
    mail(self_, wire::CancelRequest{}).send(found->second.actor);
  accept(link, which.run_id(), true);
}

void run_desk_state::note(const wire::RunNews& news) {
  const auto found = runs_.find(news.run_id());
  if (found == runs_.end())
    return;
  auto& run = found->second;
  run.running = news.running();
  for (const auto& end : news.ends())
    run.ends.push_back(end);
  if (news.has_summary()) {
    run.summary = news.summary();
    run.actor = nullptr;
    ended_.push_back(news.run_id());
  }
  for (const auto& [link, from] : std::exchange(run.followers, {}))
    tell(link, news.run_id(), run, from);
  forget_old_runs();
}

void run_desk_state::tell(std::uint64_t link, const std::string& run_id,
                          const hosted& run, std::uint64_t from) {
  auto letter = envelope_of(link);
  auto& news = *letter.mutable_run_news();
  news.set_run_id(run_id);
  news.set_from(from);
  news.set_running(run.running);
  std::size_t bytes = 0;
  auto next = from;
  for (; next < run.ends.size() && next - from < max_ends_told
         && bytes < max_bytes_told;
       ++next) {
    *news.add_ends() = run.ends[next];
    bytes += run.ends[next].ByteSizeLong();
  }
  if (run.summary && next >= run.ends.size())
    *news.mutable_summary() = *run.summary;
  post(link, std::move(letter));
}

void run_desk_state::refuse(std::uint64_t link, const std::string& run_id,
                            const failure& why) {
  auto letter = envelope_of(link);
  letter.mutable_run_refused()->set_run_id(run_id);
  *letter.mutable_run_refused()->mutable_why() = turnstile::to_wire(why);
  post(link, std::move(letter));
}

void run_desk_state::post(std::uint64_t link, wire::Envelope letter) {
  if (const auto found = clients_.find(link); found != clients_.end())
    mail(self_, std::move(letter)).send(found->second);
}

void run_desk_state::forget_old_runs() {
  while (ended_.size() > options_.max_ended_runs) {
    runs_.erase(ended_.front());
    ended_.pop_front();
  }
}

run_desk_actor spawn_run_desk(caf::actor_system& system,
                              run_desk_options options) {
  return spawn<run_desk_state>(system, std::move(options));
}

} // namespace turnstile::node
