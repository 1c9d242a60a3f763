#include "actors/node/run_follower.hpp"

#include "actors/caf/caf.hpp"
#include "actors/cluster/protocol.hpp"
#include "actors/node/run_news.hpp"
#include "messages/translate.hpp"

#include <utility>

namespace turnstile::node {

namespace {

class run_follower_state {
public:
  static constexpr const char* name = "turnstile.run_follower";

  run_follower_state(run_follower_actor::pointer self,
                     run_follower_options options)
    : self_(self), options_(std::move(options)) {
    result_.run_id = options_.run_id;
    result_.name = options_.name;
    for (const auto& task : options_.tasks)
      result_.tasks.push_back({task, {}, {}, {}});
    progress_.tasks = result_.tasks.size();
    options_.uplink.find = std::move(options_.find);
  }

  run_follower_actor::behavior_type make_behavior() {
    options_.uplink.owner = run_follower_actor{self_};
    uplink_ = spawn<uplink_state>(self_->system(), options_.uplink);
    mail(self_, join_atom_v, options_.hello).send(uplink_);
    return {
      [this](join_atom, const wire::Envelope& letter) { welcomed(letter); },
      [this](const wire::Envelope& letter) { receive(letter); },
      [this](leave_atom, const wire::Envelope& goodbye) { cut(goodbye); },
      [this](const wire::Failure& why) { cannot_connect(failure_in(why)); },
      [this](const wire::CancelRequest&) {
        cancelling_ = true;
        post_stop();
      },
      [this](suspend_atom) {
        result_.suspended = true;
        tell_end();
      },
    };
  }

private:
  void welcomed(const wire::Envelope& letter) {
    if (!std::exchange(last_word_, {}).empty())
      say("connected to " + letter.welcome().name());
    // Another process tells the ends in an order of its own.
    if (std::exchange(incarnation_, letter.welcome().incarnation())
        != letter.welcome().incarnation())
      known_ = 0;
    wire::Envelope order;
    order.mutable_submit_run()->set_run_id(options_.run_id);
    order.mutable_submit_run()->set_plan(options_.plan);
    post(std::move(order));
    if (cancelling_)
      post_stop();
    ask();
  }

  void receive(const wire::Envelope& letter) {
    if (letter.has_run_accepted()) {
      accepted(letter.run_accepted());
    } else if (letter.has_run_refused()) {
      result_.lost = failure_in(letter.run_refused().why(), "RunRefused.why");
      tell_end();
    } else if (letter.has_run_news()) {
      note(letter.run_news());
    }
  }

  void accepted(const wire::RunAccepted& answer) {
    if (std::exchange(accepted_, true) && !answer.attached())
      say("the server had forgotten the run and begins it again");
    for (const auto& backend : answer.lacking())
      say("no worker offers " + backend + " yet; its tasks wait for one");
  }

  void note(const wire::RunNews& news) {
    if (news.from() != known_)
      return; // an answer to an older question
    progress_.running = news.running();
    for (const auto& end : news.ends()) {
      ++known_;
      if (end.place() >= result_.tasks.size())
        continue;
      auto& task = result_.tasks[end.place()];
      const auto is_news = task.status == task_status::waiting;
      put(end, task);
      if (!is_news)
        continue;
      ++progress_.ended;
      progress_.failed += task.status == task_status::ok ? 0 : 1;
      if (options_.listener.on_task_ended)
        options_.listener.on_task_ended(progress_, task);
    }
    if (!news.has_summary())
      return ask();
    put(news.summary(), result_);
    tell_end();
  }

  void ask() {
    wire::Envelope question;
    question.mutable_follow_run()->set_run_id(options_.run_id);
    question.mutable_follow_run()->set_from(known_);
    post(std::move(question));
  }

  void post_stop() {
    wire::Envelope order;
    order.mutable_stop_run()->set_run_id(options_.run_id);
    post(std::move(order));
  }

  void cut(const wire::Envelope& goodbye) {
    const auto why = reason_in(goodbye);
    last_word_ = why ? why->detail : "the server has said goodbye";
    say("connection lost: " + last_word_
        + "; the run goes on, connecting again");
    mail(self_, join_atom_v, options_.hello).send(uplink_);
  }

  /// Some mistakes do not go away by themselves.
  void cannot_connect(const failure& why) {
    if (why.code == errc::protocol_unknown) {
      result_.lost = why;
      return tell_end();
    }
    if (last_word_ != why.detail)
      say("cannot connect: " + why.detail + "; trying again");
    last_word_ = why.detail;
  }

  void post(wire::Envelope letter) {
    mail(self_, post_atom_v, std::move(letter)).send(uplink_);
  }

  void say(const std::string& sentence) const {
    if (options_.on_word)
      options_.on_word(sentence);
  }

  void tell_end() {
    mail(self_, leave_atom_v).send(uplink_);
    options_.listener.on_end(std::move(result_));
    self_->quit();
  }

  run_follower_actor::pointer self_;
  run_follower_options options_;
  uplink_actor uplink_;
  run_result result_;
  run_progress progress_;
  std::uint64_t known_ = 0;       ///< Ends that were told.
  std::string last_word_;         ///< What is wrong with the connection.
  std::uint64_t incarnation_ = 0; ///< The server's.
  bool accepted_ = false;
  bool cancelling_ = false;
};

} // namespace

run_follower_actor spawn_run_follower(caf::actor_system& system,
                                      run_follower_options options) {
  return spawn<run_follower_state>(system, std::move(options));
}

} // namespace turnstile::node
