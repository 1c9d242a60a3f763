#include "actors/agent/agent_run.hpp"

#include "actors/agent/agent_events.hpp"
#include "actors/agent/uuid.hpp"
#include "core/base/stable_hash.hpp"
#include "messages/translate.hpp"

#include <memory>

namespace turnstile {

namespace {

wire::TaskAnswer refusal(const failure& why) {
  wire::TaskAnswer answer;
  *answer.mutable_refusal() = to_wire(why);
  return answer;
}

/// What a run has become whose request has ended so.
result<wire::RunEnded> run_ended(const wire::RequestEnded& ended) {
  wire::RunEnded answer;
  answer.set_status(
    run_status(from_wire(ended.status()).value_or(request_status::failed)));
  if (ended.has_failure())
    *answer.mutable_failure() = ended.failure();
  if (!answer.mutable_state()->ParseFromString(ended.state()))
    return fail(errc::completion, "the run ended without a readable state");
  return answer;
}

/// Makes the record of a task of another run one of this run's, which has spent
/// nothing on it.
void make_remembered(wire::TaskRecord& record, const std::string& run_id,
                     const std::string& agent_id) {
  if (record.remembered_of().empty())
    record.set_remembered_of(run_id);
  record.mutable_result()->set_agent_id(agent_id);
  record.mutable_result()->clear_tokens_used();
  record.clear_attempts();
  record.clear_retries();
  record.clear_schema_retries();
  record.clear_tokens();
  record.clear_elapsed_ns();
}

} // namespace

result<wire::TaskRecord> record_or_refusal(wire::TaskAnswer answer) {
  if (answer.has_record())
    return std::move(*answer.mutable_record());
  return fail(failure_in(answer.refusal(), "TaskAnswer.refusal"));
}

agent_run::agent_run(agent_run_actor::pointer self, scheduler_actor scheduler,
                     agent_run_options options)
  : self_(self), options_(std::move(options)) {
  auto& terms = options_.terms;
  if (terms.run_id().empty())
    terms.set_run_id(make_uuid());
  const auto request = stable_hash(terms.run_id());
  auto heard = [this](const door_actor& door) {
    door_ = door;
    if (options_.resume)
      read_past(0);
    else
      opened({});
  };
  auto failed = [this](const caf::error& why) { opened(failure_of(why)); };
  if (options_.resume) {
    wire::ResumeRequest again;
    again.mutable_request()->set_value(request);
    again.set_cancel_when_owner_dies(!options_.journal.journal);
    mail(self_, open_atom_v, again)
      .request(scheduler, caf::infinite)
      .then(heard, failed);
  } else {
    wire::RegisterRequest begin;
    begin.mutable_request()->set_value(request);
    terms.SerializeToString(begin.mutable_state());
    begin.set_cancel_when_owner_dies(!options_.journal.journal);
    mail(self_, open_atom_v, begin)
      .request(scheduler, caf::infinite)
      .then(heard, failed);
  }
  if (options_.owner)
    monitor(self_, options_.owner, [this](const caf::error&) {
      when_open([this] {
        if (door_)
          mail(self_, wire::CancelRequest{})
            .request(door_, caf::infinite)
            .then([](const wire::RequestEnded&) {}, [](const caf::error&) {});
      });
    });
}

agent_run_actor::behavior_type agent_run::make_behavior() {
  return {
    [this](const wire::AgentTask& task) { return run(task); },
    [this](const wire::AgentTasks& tasks) { return run_all(tasks); },
    [this](const wire::CancelAgent& which) { return cancel(which); },
    [this](const wire::CancelRun&) { return end(wire::CancelRequest{}); },
    [this](const wire::FinishRun& message) { return finish(message); },
    [this](wire::Event& event) { return publish(std::move(event)); },
    [this](wire::EventsQuery& query) { return read(std::move(query)); },
  };
}

void agent_run::when_open(std::function<void()> what) {
  if (opening_)
    until_open_.push_back(std::move(what));
  else
    what();
}

void agent_run::when_handed_in(std::function<void()> what) {
  when_open([this, what = std::move(what)]() mutable {
    if (recalled_ < recalls_)
      until_handed_in_.emplace_back(recalls_, std::move(what));
    else
      what();
  });
}

void agent_run::opened(std::optional<failure> problem) {
  opening_ = false;
  problem_ = std::move(problem);
  for (auto& what : std::exchange(until_open_, {}))
    what();
}

wire::HistoryQuery agent_run::past_from(std::uint64_t sequence) const {
  wire::HistoryQuery query;
  query.set_scheduler(options_.journal.scheduler);
  query.mutable_request()->set_value(stable_hash(options_.terms.run_id()));
  query.set_from(sequence);
  return query;
}

void agent_run::read_past(std::uint64_t from) {
  mail(self_, past_from(from))
    .request(options_.journal.journal, caf::infinite)
    .then(
      [this, from](const wire::History& page) {
        if (wire::RunTerms kept;
            from == 0 && kept.ParseFromString(page.opened().terms()))
          options_.terms.set_memo(kept.memo());
        auto sequence = from; // there are no gaps
        for (const auto& work : page.works())
          known_.emplace(work.accepted().name(), sequence++);
        if (page.more())
          read_past(page.next());
        else
          opened({});
      },
      [this](const caf::error& why) { opened(failure_of(why)); });
}

void agent_run::follow_known(std::uint64_t sequence,
                             const std::string& agent_id,
                             const on_answer& done) {
  wire::AwaitWork which;
  which.mutable_work_id()->set_sequence(sequence);
  mail(self_, which)
    .request(door_, caf::infinite)
    .then(
      [this, sequence, agent_id, done](const wire::WorkEnded& ended) {
        if (ended.has_outcome())
          done(end_of(agent_id, ended));
        else
          read_known(sequence, agent_id, done);
      },
      [this, done](const caf::error& why) { done(refusal(failure_of(why))); });
}

void agent_run::read_known(std::uint64_t sequence, const std::string& agent_id,
                           const on_answer& done) {
  auto query = past_from(sequence);
  query.set_max(1);
  mail(self_, query)
    .request(options_.journal.journal, caf::infinite)
    .then(
      [this, agent_id, done](const wire::History& page) {
        wire::WorkEnded ended;
        if (wire::EndedFact fact;
            page.works_size() == 1
            && fact.ParseFromString(page.works(0).ended_as_kept()))
          ended.set_outcome(std::move(*fact.mutable_outcome()));
        done(end_of(agent_id, ended));
      },
      [this, done](const caf::error& why) { done(refusal(failure_of(why))); });
}

failure agent_run::failure_of(const caf::error& why) const {
  return to_failure(self_->system(), why);
}

void agent_run::submit(const wire::AgentTask& what, on_answer done) {
  when_open([this, what, done = std::move(done)] {
    if (problem_)
      return done(refusal(*problem_));
    auto task = what;
    task.set_run_id(options_.terms.run_id());
    if (options_.terms.memo() && options_.journal.journal)
      task.set_memo_key(memo_.next(task)); // of known ones, too: they count
    if (auto known = known_.extract(what.agent_id()))
      return follow_known(known.mapped(), what.agent_id(), done);
    if (task.memo_key().empty())
      return hand_in(task, done);
    recall(std::move(task), done);
  });
}

void agent_run::hand_in(const wire::AgentTask& task, const on_answer& done) {
  wire::SubmitWork order;
  task.SerializeToString(order.mutable_work()->mutable_payload());
  mail(self_, run_atom_v, order)
    .request(door_, caf::infinite)
    .then(
      [this, done, id = task.agent_id()](const wire::WorkEnded& ended) {
        done(end_of(id, ended));
      },
      [this, done](const caf::error& why) { done(refusal(failure_of(why))); });
}

void agent_run::recall(wire::AgentTask task, const on_answer& done) {
  wire::MemoQuery query;
  query.set_key(task.memo_key());
  query.set_not_of_run(options_.terms.run_id());
  ++recalls_;
  mail(self_, query)
    .request(options_.journal.journal, caf::infinite)
    .then(
      [this, task, done](const wire::MemoAnswer& answer) {
        auto found = task;
        if (answer.has_outcome()
            && found.mutable_remembered()->ParseFromString(answer.outcome()))
          make_remembered(*found.mutable_remembered(), answer.run(),
                          found.agent_id());
        else
          found.clear_remembered();
        recalled(found, done);
      },
      [this, task, done](const caf::error&) { recalled(task, done); });
}

void agent_run::recalled(const wire::AgentTask& task, const on_answer& done) {
  hand_in(task, done);
  ++recalled_; // a journal answers in the order in which it was asked
  while (!until_handed_in_.empty()
         && until_handed_in_.front().first <= recalled_) {
    auto what = std::move(until_handed_in_.front().second);
    until_handed_in_.pop_front();
    what();
  }
}

wire::TaskAnswer agent_run::end_of(const std::string& agent_id,
                                   const wire::WorkEnded& ended) {
  wire::TaskAnswer answer;
  if (!ended.has_outcome()
      || !answer.mutable_record()->ParseFromString(ended.outcome()))
    return refusal({errc::completion, "the task ended without a record"});
  ended_[agent_id] = answer.record().result().status();
  return answer;
}

caf::result<wire::TaskRecord> agent_run::run(const wire::AgentTask& task) {
  auto owed = std::make_shared<owed_answer<wire::TaskRecord>>(self_);
  auto later = owed->later();
  submit(task, [owed](wire::TaskAnswer how) {
    owed->settle(record_or_refusal(std::move(how)));
  });
  return later;
}

caf::result<wire::TaskAnswers>
agent_run::run_all(const wire::AgentTasks& tasks) {
  struct batch {
    owed_answer<wire::TaskAnswers> owed;
    wire::TaskAnswers answers;
    int left = 0;
  };
  auto all = std::make_shared<batch>();
  all->owed = owed_answer<wire::TaskAnswers>{self_};
  auto later = all->owed.later();
  all->left = tasks.tasks_size();
  for (int i = 0; i < tasks.tasks_size(); ++i)
    all->answers.add_answers();
  if (all->left == 0)
    all->owed.settle(std::move(all->answers));
  for (int place = 0; place < tasks.tasks_size(); ++place)
    submit(tasks.tasks(place), [all, place](wire::TaskAnswer how) {
      *all->answers.mutable_answers(place) = std::move(how);
      if (--all->left == 0)
        all->owed.settle(std::move(all->answers));
    });
  return later;
}

template <class Answer, class Heard, class Handle, class Message, class Read>
caf::result<Answer> agent_run::pass_on(const Handle& whom, Message message,
                                       Read read, bool after_tasks) {
  auto owed = std::make_shared<owed_answer<Answer>>(self_);
  auto later = owed->later();
  auto ask = [this, owed, &whom, message = std::move(message), read] {
    if (problem_)
      return owed->settle(fail(*problem_));
    if (!whom) // the door is there once the run is open
      return owed->settle(fail(errc::invalid_argument,
                               "this run was spawned without an event log; "
                               "set agent_run_options::events"));
    mail(self_, message)
      .request(whom, caf::infinite)
      .then([owed, read](const Heard& heard) { owed->settle(read(heard)); },
            [this, owed](const caf::error& why) {
              owed->settle(fail(failure_of(why)));
            });
  };
  if (after_tasks)
    when_handed_in(std::move(ask));
  else
    when_open(std::move(ask));
  return later;
}

caf::result<wire::TaskAnswer>
agent_run::cancel(const wire::CancelAgent& which) {
  wire::WithdrawWork order;
  order.set_name(which.agent_id());
  return pass_on<wire::TaskAnswer, wire::WorkEnded>(
    door_, order,
    [this, id = which.agent_id()](
      const wire::WorkEnded& ended) -> result<wire::TaskAnswer> {
      if (ended.has_outcome())
        return end_of(id, ended);
      wire::TaskAnswer answer;
      if (const auto known = ended_.find(id); known != ended_.end()) {
        answer.mutable_record()->mutable_result()->set_agent_id(id);
        answer.mutable_record()->mutable_result()->set_status(known->second);
      }
      return answer;
    },
    true);
}

template <class Message>
caf::result<wire::RunEnded> agent_run::end(Message message, bool after_tasks) {
  return pass_on<wire::RunEnded, wire::RequestEnded>(door_, message, run_ended,
                                                     after_tasks);
}

caf::result<wire::RunEnded> agent_run::finish(const wire::FinishRun& message) {
  wire::FinishRequest order;
  if (message.has_status() || !message.report_json().empty()) {
    wire::RunVerdict verdict;
    verdict.set_status(message.has_status() ? message.status()
                                            : wire::RUN_STATUS_COMPLETED);
    verdict.set_report_json(message.report_json());
    verdict.SerializeToString(order.mutable_verdict());
  }
  return end(order, true);
}

caf::result<void> agent_run::publish(wire::Event event) {
  event.set_run_id(options_.terms.run_id());
  if (!wants_answer(self_)) {
    when_open([this, event] {
      if (options_.events)
        anon_mail(event).send(options_.events);
    });
    return {};
  }
  auto owed = std::make_shared<owed_answer<void>>(self_);
  auto later = owed->later();
  when_open([this, owed, event] {
    if (problem_)
      return owed->settle(fail(*problem_));
    if (!options_.events)
      return owed->settle({}); // as an event that nobody reads
    mail(self_, event)
      .request(options_.events, caf::infinite)
      .then([owed] { owed->settle({}); },
            [this, owed](const caf::error& why) {
              owed->settle(fail(failure_of(why)));
            });
  });
  return later;
}

caf::result<wire::EventBatch> agent_run::read(wire::EventsQuery query) {
  query.set_run_id(options_.terms.run_id());
  return pass_on<wire::EventBatch, wire::EventBatch>(
    options_.events, query,
    [](const wire::EventBatch& batch) -> result<wire::EventBatch> {
      return batch;
    });
}

} // namespace turnstile
