#include "actors/cluster/uplink.hpp"

#include "actors/caf/network.hpp"
#include "actors/cluster/protocol.hpp"
#include "core/base/duration_text.hpp"
#include "messages/translate/failure.hpp"

#include <algorithm>
#include <string>

namespace turnstile {

uplink_state::uplink_state(uplink_actor::pointer self, uplink_options options)
  : self_(self), options_(std::move(options)), chance_(options_.seed) {
  monitor(self_, options_.owner, [this](const caf::error&) {
    leave();
    self_->quit();
  });
}

uplink_actor::behavior_type uplink_state::make_behavior() {
  return {
    [this](const wire::Envelope& letter) { receive(letter); },
    [this](join_atom, const wire::Hello& hello) {
      leave();
      hello_ = hello;
      failed_ = 0;
      connect();
    },
    [this](post_atom, wire::Envelope& letter) { post(std::move(letter)); },
    [this](leave_atom) { leave(); },
    [this](wake_atom, std::uint64_t number) {
      if (number != alarm_ || !hello_)
        return;
      if (node_)
        look_after_link();
      else
        connect();
    },
  };
}

void uplink_state::connect() {
  early_.clear();
  link_ = std::max<std::uint64_t>(chance_.draw(), 1);
  options_.find(self_, [this, link = link_](result<node_actor> found) {
    if (link != link_)
      return; // it was left, or tried again, meanwhile
    if (found)
      say_hello(*found);
    else
      try_later(std::move(found.error()));
  });
}

void uplink_state::say_hello(const node_actor& node) {
  auto letter = envelope_of(link_);
  *letter.mutable_hello() = *hello_;
  mail(self_, std::move(letter), link_actor{uplink_actor{self_}})
    .request(node, options_.hello_timeout)
    .then(
      [this, link = link_, node](const wire::Envelope& answer) {
        if (link == link_)
          welcomed(answer, node);
      },
      [this, link = link_](const caf::error& why) {
        if (link == link_)
          try_later(to_failure(self_->system(), why));
      });
}

void uplink_state::welcomed(const wire::Envelope& letter,
                            const node_actor& node) {
  const auto readable_here = readable(letter);
  if (!readable_here)
    return try_later(readable_here.error());
  const auto& terms = letter.welcome();
  if (!letter.has_welcome() || terms.beat_ns() <= 0 || terms.lease_ns() <= 0)
    return try_later({errc::protocol_unknown,
                      "the server answered Hello with something else"});
  node_ = node;
  failed_ = 0;
  heard_ = time();
  beat_ = duration{terms.beat_ns()};
  lease_ = duration{terms.lease_ns()};
  down_ = monitor(self_, node, [this, link = link_](const caf::error& why) {
    if (link == link_)
      cut(goodbye_of(link_,
                     {errc::backend_lost, "the connection broke: "
                                            + render(self_->system(), why)}));
  });
  mail(self_, join_atom_v, letter).send(options_.owner);
  set_alarm(beat_);
  for (const auto& early : std::exchange(early_, {}))
    receive(early);
}

void uplink_state::try_later(failure why) {
  link_ = 0;
  const auto wait = pause(options_.patience, ++failed_, chance_);
  mail(self_, to_wire(why)).send(options_.owner);
  set_alarm(std::max<duration>(wait, std::chrono::milliseconds{10}));
}

void uplink_state::receive(const wire::Envelope& letter) {
  if (letter.link() != link_ || !hello_ || !readable(letter))
    return;
  if (!node_)
    return early_.push_back(letter);
  heard_ = time();
  if (letter.has_goodbye())
    return cut(letter);
  if (!letter.has_beat())
    mail(self_, letter).send(options_.owner);
}

void uplink_state::post(wire::Envelope letter) {
  if (!node_)
    return;
  letter.set_protocol(node_protocol);
  letter.set_link(link_);
  mail(self_, std::move(letter)).send(node_);
}

void uplink_state::look_after_link() {
  if (time() - heard_ >= lease_)
    return cut(
      goodbye_of(link_, {errc::backend_lost, "the server was silent for "
                                               + duration_text(lease_)}));
  wire::Envelope beat;
  beat.mutable_beat();
  post(std::move(beat));
  set_alarm(std::min<duration>(beat_, heard_ + lease_ - time()));
}

void uplink_state::set_alarm(duration from_now) {
  mail(self_, wake_atom_v, ++alarm_)
    .delay(std::max(from_now, duration::zero()))
    .send(uplink_actor{self_});
}

/// The connection is over, and the owner says what follows.
void uplink_state::cut(const wire::Envelope& goodbye) {
  down_.dispose();
  // Should it hear us, it need not wait until it misses us.
  post(goodbye);
  node_ = nullptr;
  link_ = 0;
  hello_.reset();
  mail(self_, leave_atom_v, goodbye).send(options_.owner);
}

void uplink_state::leave() {
  if (node_) {
    wire::Envelope letter;
    letter.mutable_goodbye();
    post(std::move(letter));
  }
  down_.dispose();
  node_ = nullptr;
  link_ = 0;
  hello_.reset();
}

uplink_actor spawn_uplink(caf::actor_system& system, uplink_options options) {
  return spawn<uplink_state>(system, std::move(options));
}

node_finder over_network(std::string host, std::uint16_t port,
                         std::chrono::milliseconds patience) {
  return [host = std::move(host), port,
          patience](uplink_actor::pointer self,
                    std::function<void(result<node_actor>)> found) {
    connect_then<node_actor>(self, host, port, patience, std::move(found));
  };
}

} // namespace turnstile
