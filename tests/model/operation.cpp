#include "tests/model/operation.hpp"

#include "tests/model/words.hpp"

namespace turnstile::model {

namespace {

constexpr const char* names[] = {
  "validate",
  "register",
  "finish",
  "cancel",
  "cancel_work",
  "release",
  "forget",
  "edit",
  "refresh",
  "enqueue",
  "requeue",
  "park",
  "unpark",
  "resources_changed",
  "observe",
  "complete",
  "poll",
  "prepare",
  "submit",
  "local_turn",
  "distributed_turn",
  "cancel_distributed",
  "resume",
  "durable",
  "poison",
  "plan_fault",
  "permit",
  "plan_execution",
  "set_stage",
  "set_resources",
};
static_assert(std::size(names) == verbs);

std::string figure(auto value) {
  return ' ' + std::to_string(static_cast<std::uint64_t>(value));
}

std::string words_of(const order& what) {
  auto out = figure(what.payload) + ":slice" + figure(what.slice);
  if (what.describe != fault::none || what.slice_throws)
    out += " wrong" + figure(what.describe) + figure(what.slice_throws);
  if (what.deadline)
    out += " by" + figure(*what.deadline) + (what.alone ? " alone" : "")
           + (what.until_commit ? " until_commit" : "");
  return out + ';';
}

std::string words_of(const group_plan& group) {
  return " ranks" + figure(group.ranks) + " skew" + figure(group.seen) + " seed"
         + figure(group.seed) + " later" + figure(group.later) + " answer"
         + figure(group.answer);
}

std::string words_of(const completion& done) {
  return done.failed ? ' ' + refusal(*done.failed)
                     : " outcome" + figure(done.outcome);
}

} // namespace

std::string operation::text() const {
  auto out = std::to_string(now) + ' ' + names[static_cast<int>(what)];
  switch (what) {
  case verb::enqueue:
    out += ' ' + to_string(request);
    for (const auto& one : orders)
      out += words_of(one);
    return out;
  case verb::requeue:
    return out + ' ' + model::text(work) + (at ? " at" + figure(*at) : "");
  case verb::observe:
  case verb::complete:
    return out + ' ' + model::text(work) + " #" + std::to_string(number)
           + words_of(done);
  case verb::cancel_work:
  case verb::park:
  case verb::unpark:
    return out + ' ' + model::text(work);
  case verb::resources_changed:
  case verb::set_resources:
    return out + ' ' + model::text(work) + figure(number);
  case verb::set_stage:
    return out + ' ' + model::text(work) + figure(becomes);
  case verb::distributed_turn:
  case verb::resume:
    return out + words_of(group);
  case verb::cancel_distributed:
    return out + ' ' + to_string(request) + words_of(group);
  case verb::plan_fault:
    return out + ' ' + to_string(request) + " call" + figure(call) + " how"
           + figure(how) + " times" + figure(number);
  case verb::permit:
    return out + ' ' + to_string(request) + " parallel"
           + figure(permitted.parallel) + " ordered" + figure(permitted.ordered)
           + " strict" + figure(permitted.strict) + " throws"
           + figure(permitted.throws);
  case verb::plan_execution:
    return out + ' ' + to_string(request) + " refuses" + figure(next.refuses)
           + " stage" + figure(next.at_once) + " name '" + next.backend + '\''
           + figure(next.shy) + " preemptible" + figure(next.preemptible)
           + " resources" + figure(next.resources);
  case verb::poll:
  case verb::submit:
  case verb::local_turn:
  case verb::poison:
    return out;
  case verb::prepare:
  case verb::durable:
    return out + figure(number);
  default:
    return out + ' ' + to_string(request) + figure(number);
  }
}

} // namespace turnstile::model
