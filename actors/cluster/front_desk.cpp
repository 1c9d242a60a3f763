#include "actors/cluster/front_desk.hpp"

#include "actors/cluster/protocol.hpp"
#include "actors/log/log_line.hpp"
#include "core/base/duration_text.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace turnstile {

namespace {

const char* word_for(wire::NodeRole role) {
  return role == wire::NODE_ROLE_WORKER ? "worker" : "client";
}

} // namespace

front_desk_state::front_desk_state(front_desk_actor::pointer self,
                                   front_desk_options options)
  : self_(self), options_(std::move(options)) {
  counted_.set_name(options_.name);
  next_beat_ = time() + options_.terms.beat();
}

front_desk_actor::behavior_type front_desk_state::make_behavior() {
  set_alarm();
  return {
    [this](const wire::Envelope& letter, const link_actor& peer) {
      return answer(welcome(letter, peer));
    },
    [this](const wire::Envelope& letter) { receive(letter); },
    [this](const wire::NodeQuery&) { return node_status(); },
    [this](drain_atom) {
      say_goodbye();
      self_->quit();
    },
    [this](wake_atom, std::uint64_t number) {
      if (number != alarm_)
        return;
      rings_at_.reset();
      look_after_links();
      set_alarm();
    },
  };
}

result<wire::Envelope> front_desk_state::welcome(const wire::Envelope& letter,
                                                 const link_actor& peer) {
  if (auto may = may_join(letter); !may) {
    counted_.set_refused(counted_.refused() + 1);
    log_event(spdlog::level::warn, "node_refused", [&](log_line& line) {
      line("name", letter.hello().name());
      line("error", to_string(may.error().code))("text", may.error().detail);
    });
    return fail(may.error());
  }
  const auto number = letter.link();
  const auto& hello = letter.hello();
  auto& made = links_[number];
  made.peer = peer;
  made.role = hello.role();
  made.desk = hello.role() == wire::NODE_ROLE_WORKER ? options_.workers
                                                     : options_.clients;
  made.name = hello.name();
  made.incarnation = hello.incarnation();
  made.heard = time();
  made.down = monitor(self_, peer, [this, number](const caf::error& why) {
    lose_later(number, to_failure(self_->system(), why));
  });
  if (hello.role() == wire::NODE_ROLE_WORKER)
    workers_[hello.name()] = number;
  counted_.set_fenced(counted_.fenced() + hello.fenced());
  log_event(spdlog::level::info, "node_joined", [&](log_line& line) {
    line("role", word_for(hello.role()))("name", hello.name());
    line("version", hello.version())("fenced", hello.fenced());
  });
  mail(self_, join_atom_v, letter, peer).send(made.desk);
  auto answer = envelope_of(number);
  auto& terms = *answer.mutable_welcome();
  terms.set_name(options_.name);
  terms.set_incarnation(options_.incarnation);
  terms.set_version(options_.version);
  terms.set_beat_ns(options_.terms.beat().count());
  terms.set_lease_ns(options_.terms.lease().count());
  return answer;
}

status front_desk_state::may_join(const wire::Envelope& letter) {
  if (auto speaks = readable(letter); !speaks)
    return speaks;
  if (auto valid = valid_hello(letter); !valid)
    return valid;
  const auto& hello = letter.hello();
  const auto worker = hello.role() == wire::NODE_ROLE_WORKER;
  if (!(worker ? options_.workers : options_.clients))
    return fail(errc::invalid_argument, "node " + options_.name + " takes no "
                                          + word_for(hello.role()) + 's');
  if (links_.contains(letter.link()))
    return fail(errc::invalid_argument, "this link stands already");
  if (links_.size() >= options_.max_links)
    return fail(errc::capacity,
                "max_links " + std::to_string(options_.max_links) + " of node "
                  + options_.name + " is reached; one must go first");
  const auto same = worker ? workers_.find(hello.name()) : workers_.end();
  if (same == workers_.end())
    return {};
  if (links_.at(same->second).incarnation != hello.incarnation())
    return fail(errc::name_taken,
                "another worker called " + hello.name()
                  + " is connected; give this one another name, or wait until "
                    "that one is gone");
  // It has noticed before us that its old connection is gone, and has stopped
  // what it ran for it before it came back.
  end(same->second,
      goodbye_of(same->second, {errc::backend_lost, "it has reconnected"}));
  return {};
}

void front_desk_state::receive(const wire::Envelope& letter) {
  auto found = links_.find(letter.link());
  if (!readable(letter) || found == links_.end())
    return count_stranger(letter);
  auto& from = found->second;
  from.heard = time();
  switch (letter.body_case()) {
  case wire::Envelope::kBeat:
    return;
  case wire::Envelope::kGoodbye:
    return end(letter.link(), letter);
  case wire::Envelope::kNodeQuery:
    return answer_status(letter.link());
  case wire::Envelope::kHello:
  case wire::Envelope::kWelcome:
    return count_stranger(letter);
  default:
    mail(self_, letter).send(from.desk);
  }
}

/// What comes from a link that is over, or from nobody.
void front_desk_state::count_stranger(const wire::Envelope& letter) {
  if (letter.has_completed())
    counted_.set_fenced(counted_.fenced() + 1);
  else
    counted_.set_refused(counted_.refused() + 1);
}

/// Tells those that are there that we are, and ends the links of the others.
void front_desk_state::look_after_links() {
  const auto at = time();
  std::vector<std::pair<std::uint64_t, failure>> lost;
  for (auto& [number, one] : links_) {
    if (one.lost && one.lost->first <= at)
      lost.emplace_back(number, one.lost->second);
    else if (!one.lost && at - one.heard >= options_.terms.lost_after)
      lost.emplace_back(number,
                        failure{errc::backend_lost,
                                "nothing was heard of it for "
                                  + duration_text(options_.terms.lost_after)});
  }
  std::sort(lost.begin(), lost.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [number, why] : lost) {
    const auto last_word = goodbye_of(number, why);
    mail(self_, last_word).send(links_.at(number).peer);
    end(number, last_word);
  }
  if (at < next_beat_)
    return;
  next_beat_ = at + options_.terms.beat();
  for (const auto& [number, one] : links_)
    if (!one.lost) {
      auto beat = envelope_of(number);
      beat.mutable_beat();
      mail(self_, std::move(beat)).send(one.peer);
    }
}

/// Beats come in even paces; a loss is told when it is due.
void front_desk_state::set_alarm() {
  auto next = next_beat_;
  for (const auto& [number, one] : links_)
    if (one.lost)
      next = std::min(next, one.lost->first);
  if (rings_at_ && *rings_at_ <= next)
    return;
  rings_at_ = next;
  mail(self_, wake_atom_v, ++alarm_)
    .delay(std::max(next - time(), duration::zero()))
    .send(front_desk_actor{self_});
}

void front_desk_state::lose_later(std::uint64_t number, failure why) {
  auto found = links_.find(number);
  if (found == links_.end() || found->second.lost)
    return;
  found->second.lost = {time() + options_.terms.settle,
                        {errc::backend_lost, std::move(why.detail)}};
  set_alarm();
}

void front_desk_state::end(std::uint64_t number,
                           const wire::Envelope& goodbye) {
  auto gone = links_.extract(number);
  if (!gone)
    return;
  auto& link = gone.mapped();
  link.down.dispose();
  if (const auto named = workers_.find(link.name);
      named != workers_.end() && named->second == number)
    workers_.erase(named);
  const auto why = reason_in(goodbye);
  if (why && link.role == wire::NODE_ROLE_WORKER)
    counted_.set_workers_lost(counted_.workers_lost() + 1);
  log_event(why ? spdlog::level::warn : spdlog::level::info,
            why ? "node_lost" : "node_left", [&](log_line& line) {
              line("role", word_for(link.role))("name", link.name);
              if (why)
                line("reason", why->detail);
            });
  mail(self_, leave_atom_v, goodbye).send(link.desk);
}

void front_desk_state::answer_status(std::uint64_t number) {
  mail(self_, wire::NodeQuery{})
    .request(front_desk_actor{self_}, caf::infinite)
    .then(
      [this, number](const wire::NodeStatus& all) {
        const auto found = links_.find(number);
        if (found == links_.end())
          return;
        auto letter = envelope_of(number);
        *letter.mutable_node_status() = all;
        mail(self_, std::move(letter)).send(found->second.peer);
      },
      [](const caf::error&) {});
}

caf::result<wire::NodeStatus> front_desk_state::node_status() {
  struct gathering {
    owed_answer<wire::NodeStatus> owed;
    wire::NodeStatus all;
    int missing = 0;
  };
  auto asked = std::make_shared<gathering>();
  asked->owed = owed_answer<wire::NodeStatus>{self_};
  auto later = asked->owed.later();
  asked->all = counted_;
  for (const auto& [number, one] : links_)
    if (one.role == wire::NODE_ROLE_CLIENT)
      asked->all.set_clients(asked->all.clients() + 1);
  auto one_less = [asked] {
    if (--asked->missing == 0)
      asked->owed.settle(std::move(asked->all));
  };
  for (const auto& desk : {options_.workers, options_.clients}) {
    if (!desk)
      continue;
    ++asked->missing;
    mail(self_, wire::NodeQuery{})
      .request(desk, caf::infinite)
      .then(
        [asked, one_less](const wire::NodeStatus& part) {
          asked->all.MergeFrom(part);
          one_less();
        },
        [one_less](const caf::error&) { one_less(); });
  }
  if (asked->missing == 0)
    asked->owed.settle(std::move(asked->all));
  return later;
}

void front_desk_state::say_goodbye() {
  for (const auto& [number, one] : links_)
    mail(self_, goodbye_of(number, {errc::backend_lost,
                                    "node " + options_.name + " ends"}))
      .send(one.peer);
}

} // namespace turnstile
