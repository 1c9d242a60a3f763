#include "tests/actors/cluster/cluster_world.hpp"

// Who is let in, and what becomes of those who say strange things.

using namespace cluster_tests;

namespace {

wire::Envelope hello(std::uint64_t link, const std::string& name,
                     std::uint64_t incarnation) {
  auto letter = envelope_of(link);
  auto& who = *letter.mutable_hello();
  who.set_role(wire::NODE_ROLE_WORKER);
  who.set_name(name);
  who.set_incarnation(incarnation);
  auto& terms = *who.add_backends()->mutable_terms();
  terms.set_name("tool");
  terms.set_concurrency(1);
  return letter;
}

/// Somebody with a handle of his own.
class listener_state {
public:
  explicit listener_state(std::shared_ptr<std::vector<wire::Envelope>> into)
    : into_(std::move(into)) {}

  link_actor::behavior_type make_behavior() {
    return {[this](const wire::Envelope& letter) { into_->push_back(letter); }};
  }

private:
  std::shared_ptr<std::vector<wire::Envelope>> into_;
};

struct stranger {
  explicit stranger(cluster_world& world) : w(world) {
    handle = turnstile::spawn<listener_state>(w.still.system(), heard);
    w.others.push_back(caf::actor_cast<caf::actor>(handle));
  }

  std::string say(const wire::Envelope& letter) {
    auto answer = w.ask<wire::Envelope>(w.made.front, letter, handle);
    w.still.settle();
    return text_of(answer, [](const wire::Envelope& welcome) {
      return "welcome to " + welcome.welcome().name();
    });
  }

  cluster_world& w;
  std::shared_ptr<std::vector<wire::Envelope>> heard =
    std::make_shared<std::vector<wire::Envelope>>();
  link_actor handle;
};

} // namespace

TEST_CASE("a node of another protocol is refused with what to do about it",
          "[actors][cluster]") {
  cluster_world w;
  stranger from_the_future{w};
  auto letter = hello(7, "new", 1);
  letter.set_protocol(9);
  CHECK(from_the_future.say(letter)
        == "protocol_unknown: the peer speaks protocol 9 and this node speaks "
           "1; run the same version of Turnstile on both");
  CHECK(w.status().refused() == 1);
}

TEST_CASE("a name belongs to one worker at a time", "[actors][cluster]") {
  cluster_world w;
  stranger first{w};
  stranger second{w};
  CHECK(first.say(hello(7, "left", 1)) == "welcome to server");
  CHECK(second.say(hello(8, "left", 2))
        == "name_taken: another worker called left is connected; give this "
           "one another name, or wait until that one is gone");
  // The same process has noticed first that its connection is gone.
  CHECK(first.say(hello(9, "left", 1)) == "welcome to server");
  CHECK(w.status().workers_size() == 1);
  w.still.kill(first.handle);
  w.still.advance(50ms);
  CHECK(second.say(hello(10, "left", 2)) == "welcome to server");
}

TEST_CASE("what a Hello lacks is named", "[actors][cluster]") {
  cluster_world w;
  stranger who{w};
  auto broken = [&](auto change) {
    auto letter = hello(7, "left", 1);
    change(letter);
    return who.say(letter);
  };
  CHECK(broken([](auto& x) { x.set_link(0); })
        == "invalid_argument: a link begins with a Hello and a number of its "
           "own");
  CHECK(broken([](auto& x) { x.mutable_beat(); })
        == "invalid_argument: a link begins with a Hello and a number of its "
           "own");
  CHECK(broken([](auto& x) { x.mutable_hello()->clear_name(); })
        == "invalid_argument: Hello.name: expected 1 to 256 bytes");
  CHECK(broken([](auto& x) { x.mutable_hello()->clear_role(); })
        == "invalid_argument: Hello.role: 0 is unknown here");
  CHECK(broken([](auto& x) { x.mutable_hello()->clear_backends(); })
        == "invalid_argument: Hello.backends: a worker offers at least one");
  CHECK(
    broken([](auto& x) {
      x.mutable_hello()->mutable_backends(0)->mutable_terms()->set_concurrency(
        0);
    })
    == "invalid_argument: Hello.backends: tool takes nothing");
  CHECK(
    broken([](auto& x) { x.mutable_hello()->set_role(wire::NODE_ROLE_CLIENT); })
    == "invalid_argument: node server takes no clients");
  CHECK(w.status().refused() == 7);
  CHECK(w.status().workers_size() == 0);
}

TEST_CASE("letters of no link are counted, and harm nobody",
          "[actors][cluster]") {
  cluster_world w;
  w.connect("left", 1, {ok("1", 10ms)});
  auto task = w.task();
  w.still.settle();
  auto late = envelope_of(4711);
  late.mutable_completed()->set_outcome("made up");
  anon_mail(late).send(w.made.front);
  anon_mail(wire::Envelope{}).send(w.made.front);
  anon_mail(hello(4711, "nobody", 3)).send(w.made.front);
  w.still.advance(10ms);
  CHECK(w.status().fenced() == 1);
  CHECK(w.status().refused() == 2);
  CHECK(text(task) == "ok 1 at attempt 1");
}

TEST_CASE("a worker can only complete what it was given", "[actors][cluster]") {
  cluster_world w;
  auto& left = w.connect("left", 2, {hangs()});
  stranger thief{w};
  REQUIRE(thief.say(hello(7, "thief", 1)) == "welcome to server");
  auto task = w.task();
  w.still.settle();
  REQUIRE(left.calls->running() == 1);
  auto forged = envelope_of(7);
  const auto key = left.calls->order().front();
  *forged.mutable_completed()->mutable_work_id() = to_wire(key.work);
  forged.mutable_completed()->set_submission(key.submission);
  anon_mail(forged).send(w.made.front);
  w.still.settle();
  CHECK(text(task) == "-");
  CHECK(w.status().fenced() == 1);
}

TEST_CASE("a silent peer is told goodbye", "[actors][cluster]") {
  cluster_world w;
  stranger mute{w};
  REQUIRE(mute.say(hello(7, "mute", 1)) == "welcome to server");
  w.still.advance(4900ms);
  CHECK(w.status().workers_size() == 1);
  w.still.advance(1200ms);
  CHECK(w.status().workers_size() == 0);
  REQUIRE_FALSE(mute.heard->empty());
  CHECK(to_string(*reason_in(mute.heard->back()))
        == "backend_lost: nothing was heard of it for 5s");
}

TEST_CASE("unknown fields of a newer peer survive", "[actors][cluster]") {
  // What a later version may send: a field 100 of 7, in the envelope.
  auto letter = envelope_of(7);
  letter.mutable_beat();
  auto bytes = letter.SerializeAsString();
  bytes += "\xa0\x06\x07";
  wire::Envelope read;
  REQUIRE(read.ParseFromString(bytes));
  CHECK(readable(read));
  CHECK(read.SerializeAsString() == bytes);
}
