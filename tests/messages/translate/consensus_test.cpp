#include "messages/translate/consensus.hpp"

#include "tests/catch.hpp"

#include <string>

using namespace turnstile;

namespace {

frame some_word() {
  frame word;
  word.kind = frame_kind::schedule;
  word.protocol = 42;
  word.epoch = 3;
  word.round = UINT64_MAX;
  word.rank = 2;
  word.clock = instant{duration{-5}};
  word.words = {1, 0, UINT64_MAX};
  put(word, 6, "not UTF-8: \xFF");
  word.length = 4;
  return word;
}

/// What arrives of a message's bytes.
template <class M>
M sent(const M& message) {
  M received;
  REQUIRE(received.ParseFromString(message.SerializeAsString()));
  return received;
}

} // namespace

TEST_CASE("frames arrive as they were sent, whatever is in them",
          "[messages][translate]") {
  CHECK(from_wire(sent(to_wire(some_word()))) == some_word());
  CHECK(from_wire(sent(to_wire(frame{}))) == frame{});

  auto wrong = some_word(); // core will say so
  wrong.kind = static_cast<frame_kind>(77);
  wrong.format = 9;
  wrong.length = 1;
  wrong.texts[0].word = 1'000;
  CHECK(from_wire(sent(to_wire(wrong))) == wrong);
}

TEST_CASE("a kind of frame that no byte can hold is no kind",
          "[messages][translate]") {
  wire::Frame message;
  message.set_kind(static_cast<wire::FrameKind>(1'000'001));

  CHECK(to_string(from_wire(message).kind) == "unknown");
}

TEST_CASE("the bytes of a frame are read by every later version",
          "[messages][translate]") {
  // Recorded when format 1 was new: these bytes may be on their way.
  frame word;
  word.kind = frame_kind::observation;
  word.protocol = 42;
  word.epoch = 1;
  word.round = 7;
  word.rank = 2;
  word.clock = instant{duration{500}};
  word.words = {0, 1, 1, 0, 0};
  put(word, 2, "why");
  word.words.push_back(0);
  word.length = 7;
  const std::string recorded{
    "\x08\x01\x10\x01\x18\x2a\x20\x01\x28\x07\x30\x02\x38\xf4\x03\x40\x07"
    "\x4a\x07\x00\x01\x01\x00\x00\x02\x00\x52\x07\x08\x05\x12\x03why",
    35};

  CHECK(to_wire(word).SerializeAsString() == recorded);
  wire::Frame message;
  REQUIRE(message.ParseFromString(recorded));
  CHECK(from_wire(message) == word);
}

TEST_CASE("the terms of commands arrive as they were sent",
          "[messages][translate]") {
  command_terms terms;
  terms.kind = command_kind::enqueue;
  terms.request = {7};
  terms.life = 3;
  terms.sequence = 4;
  terms.works = 2;
  terms.remaining = duration{-5};
  terms.policy = {deadline_policy::scope::work, deadline_policy::until::commit};

  auto read = from_wire(sent(to_wire(terms)));

  REQUIRE(read);
  terms.digest = read->digest;
  CHECK(*read == terms);
  terms.remaining.reset();
  CHECK(from_wire(sent(to_wire(terms))) == terms);
}

TEST_CASE("every kind of command arrives", "[messages][translate]") {
  for (std::uint8_t number = 1; number <= 7; ++number) {
    command_terms terms;
    terms.kind = static_cast<command_kind>(number);
    CHECK(from_wire(to_wire(terms))->kind == terms.kind);
  }
}

TEST_CASE("the digest of a command is that of all that came with it",
          "[messages][translate]") {
  auto message = to_wire(command_terms{});
  message.add_payloads("a");
  message.add_payloads("bc");
  const auto digest = from_wire(message)->digest;

  auto other = message;
  other.set_payloads(0, "ab");
  other.set_payloads(1, "c");
  CHECK(from_wire(other)->digest != digest);
  other = message;
  other.set_own(true);
  CHECK(from_wire(other)->digest != digest);
  other = message;
  other.set_state("s");
  CHECK(from_wire(other)->digest != digest);
  CHECK(from_wire(sent(message))->digest == digest);
}

TEST_CASE("openings arrive as they were sent", "[messages][translate]") {
  const turn_opening opened{{42, 3, instant{duration{9}}, false}, 11, true};

  CHECK(from_wire(sent(to_wire(opened))) == opened);
}

TEST_CASE("what another version says is refused with both numbers",
          "[messages][translate]") {
  auto opened = to_wire(turn_opening{});
  opened.set_format(2);
  CHECK(from_wire(opened).error().detail
        == "TurnOpened.format: 2 is not spoken here, but 1");

  auto command = to_wire(command_terms{});
  command.clear_format();
  CHECK(from_wire(command).error().detail
        == "RankCommand.format: 0 is not spoken here, but 1");
}

TEST_CASE("commands that lack something are refused by its name",
          "[messages][translate]") {
  auto command = to_wire(command_terms{});
  command.clear_kind();
  CHECK(from_wire(command).error().detail == "RankCommand.kind is missing");
  command.set_kind(static_cast<wire::CommandKind>(8));
  CHECK(from_wire(command).error().detail
        == "RankCommand.kind: 8 is no CommandKind");
  command = to_wire(command_terms{});
  command.clear_request();
  CHECK(from_wire(command).error().detail == "RankCommand.request is missing");
  command = to_wire(command_terms{});
  command.mutable_deadline()->set_scope(static_cast<wire::DeadlineScope>(9));
  CHECK(from_wire(command).error().detail
        == "RankCommand.deadline.scope: 9 is no DeadlineScope");
}

TEST_CASE("fields that only a newer rank knows stay in a message",
          "[messages][translate]") {
  auto message = to_wire(turn_opening{});
  auto bytes = message.SerializeAsString() + std::string{"\xA2\x06\x03new", 6};

  wire::TurnOpened received;
  REQUIRE(received.ParseFromString(bytes));

  CHECK(received.SerializeAsString() == bytes);
}
