#include "actors/scheduler/door.hpp"

#include "core/work/lifecycle.hpp"
#include "messages/translate/lifecycle.hpp"

#include <string>
#include <utility>

namespace turnstile {

door_state::door_state(door_actor::pointer self, wire::Registered whose,
                       scheduler_actor scheduler)
  : self_(self), whose_(std::move(whose)), scheduler_(std::move(scheduler)) {}

caf::error door_state::has_ended() const {
  auto how = from_wire(end_->status());
  return to_error(
    {errc::unknown_request,
     "request " + std::to_string(whose_.request().value())
       + " has ended: " + (how ? std::string{to_string(*how)} : "somehow")});
}

void door_state::make_ours(wire::WorkId& id) const {
  *id.mutable_request() = whose_.request();
  id.set_life(whose_.life());
}

template <class Answer, class Message>
caf::result<Answer> door_state::pass_on(Message message) {
  if (end_)
    return has_ended();
  *message.mutable_request() = whose_.request();
  return mail(self_, std::move(message)).delegate(scheduler_);
}

template <class Answer, class Message>
caf::result<Answer> door_state::pass_on_urgently(Message message) {
  if (end_)
    return has_ended();
  *message.mutable_request() = whose_.request();
  return forward_urgently<Answer>(self_, scheduler_, std::move(message));
}

door_actor::behavior_type door_state::make_behavior() {
  return {
    [this](const wire::SubmitWork& message) {
      return pass_on<wire::Accepted>(message);
    },
    [this](const wire::SubmitBatch& message) {
      return pass_on<wire::Accepted>(message);
    },
    [this](run_atom, wire::SubmitWork message) -> caf::result<wire::WorkEnded> {
      if (end_)
        return has_ended();
      *message.mutable_request() = whose_.request();
      return mail(self_, run_atom_v, std::move(message)).delegate(scheduler_);
    },
    [this](wire::AwaitWork message) -> caf::result<wire::WorkEnded> {
      make_ours(*message.mutable_work_id());
      return mail(self_, std::move(message)).delegate(scheduler_);
    },
    [this](wire::WithdrawWork message) -> caf::result<wire::WorkEnded> {
      make_ours(*message.mutable_work_id());
      return forward_urgently<wire::WorkEnded>(self_, scheduler_,
                                               std::move(message));
    },
    [this](
      const wire::AwaitRequest& message) -> caf::result<wire::RequestEnded> {
      if (end_)
        return *end_;
      return pass_on<wire::RequestEnded>(message);
    },
    [this](const wire::CancelRequest& message) {
      return pass_on_urgently<wire::RequestEnded>(message);
    },
    [this](const wire::FinishRequest& message) {
      return pass_on<wire::RequestEnded>(message);
    },
    [this](const wire::ReleaseRequest& message) {
      return pass_on<wire::ReleasedState>(message);
    },
    [this](
      const wire::StatusQuery& message) -> caf::result<wire::StatusAnswer> {
      if (!end_)
        return pass_on_urgently<wire::StatusAnswer>(message);
      wire::StatusAnswer answer;
      *answer.mutable_request() = whose_.request();
      answer.set_status(end_->status());
      answer.set_life(whose_.life());
      return answer;
    },
    [this](wire::LifecycleQuery message) {
      make_ours(*message.mutable_work_id());
      return forward_urgently<wire::LifecycleAnswer>(self_, scheduler_,
                                                     std::move(message));
    },
    [this](wire::ExplainQuery message) {
      make_ours(*message.mutable_work_id());
      return forward_urgently<wire::Explanation>(self_, scheduler_,
                                                 std::move(message));
    },
    [this](ended_atom, const wire::RequestEnded& ended) { end_ = ended; },
  };
}

} // namespace turnstile
