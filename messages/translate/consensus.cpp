#include "messages/translate/consensus.hpp"

#include "core/base/stable_hash.hpp"
#include "messages/translate/deadline.hpp"
#include "messages/translate/ids.hpp"
#include "messages/translate/numbered.hpp"
#include "messages/translate/refusal.hpp"

#include <algorithm>
#include <string>

namespace turnstile {

// Whoever appends a number to a schema appends it to core, too.
static_assert(wire::FrameKind_MAX == int(frame_kind::formation));
static_assert(wire::CommandKind_MAX == int(command_kind::forget));

namespace {

instant from_ns(std::int64_t ns) {
  return instant{duration{ns}};
}

std::int64_t to_ns(instant time) {
  return time.time_since_epoch().count();
}

/// What came with a command, as one number.
std::uint64_t digest_of(const wire::RankCommand& message) {
  std::string all;
  for (const auto& payload : message.payloads()) {
    all += std::to_string(payload.size()) + ' ';
    all += payload;
  }
  all += message.own() ? "own " : "sent ";
  if (message.has_state())
    all += message.state();
  return stable_hash(all);
}

} // namespace

status check_format(std::uint32_t spoken, std::string_view message) {
  if (spoken == rank_format)
    return {};
  return fail(errc::invalid_argument,
              inside(message, "format") + ": " + std::to_string(spoken)
                + " is not spoken here, but " + std::to_string(rank_format));
}

wire::CommandKind to_wire(command_kind kind) noexcept {
  return static_cast<wire::CommandKind>(kind);
}

result<command_kind> from_wire(wire::CommandKind number,
                               std::string_view field) {
  return from_numbered<command_kind>(number, field);
}

wire::Frame to_wire(const frame& word) {
  wire::Frame message;
  message.set_format(word.format);
  message.set_kind(static_cast<wire::FrameKind>(word.kind));
  message.set_protocol(word.protocol);
  message.set_epoch(word.epoch);
  message.set_round(word.round);
  message.set_rank(word.rank);
  message.set_clock_ns(to_ns(word.clock));
  message.set_length(word.length);
  message.mutable_words()->Add(word.words.begin(), word.words.end());
  for (const auto& text : word.texts) {
    auto* added = message.add_texts();
    added->set_word(text.word);
    added->set_text(text.text);
  }
  return message;
}

frame from_wire(const wire::Frame& message) {
  frame word;
  word.format = message.format();
  word.kind =
    static_cast<frame_kind>(std::clamp<int>(message.kind(), 0, UINT8_MAX));
  word.protocol = message.protocol();
  word.epoch = message.epoch();
  word.round = message.round();
  word.rank = message.rank();
  word.clock = from_ns(message.clock_ns());
  word.length = message.length();
  word.words.assign(message.words().begin(), message.words().end());
  for (const auto& text : message.texts())
    word.texts.push_back({text.word(), text.text()});
  return word;
}

wire::RankCommand to_wire(const command_terms& terms) {
  wire::RankCommand message;
  message.set_format(rank_format);
  message.set_kind(to_wire(terms.kind));
  *message.mutable_request() = to_wire(terms.request);
  message.set_life(terms.life);
  message.set_sequence(terms.sequence);
  message.set_works(terms.works);
  work_options options{std::nullopt, terms.policy};
  if (terms.remaining)
    options.deadline = instant{*terms.remaining};
  *message.mutable_deadline() = to_wire(options, instant{});
  return message;
}

result<command_terms> from_wire(const wire::RankCommand& message,
                                std::string_view field) {
  if (auto spoken = check_format(message.format(), field); !spoken)
    return fail(spoken.error());
  auto kind = from_wire(message.kind(), inside(field, "kind"));
  if (!kind)
    return fail(kind.error());
  auto request = from_wire(message.request(), inside(field, "request"));
  if (!request)
    return fail(request.error());
  auto due =
    from_wire(message.deadline(), instant{}, {}, inside(field, "deadline"));
  if (!due)
    return fail(due.error());
  command_terms terms;
  terms.kind = *kind;
  terms.request = *request;
  terms.life = message.life();
  terms.sequence = message.sequence();
  terms.works = message.works();
  if (due->deadline)
    terms.remaining = due->deadline->time_since_epoch();
  terms.policy = due->policy;
  terms.digest = digest_of(message);
  return terms;
}

wire::TurnOpened to_wire(const turn_opening& opened) {
  wire::TurnOpened message;
  message.set_format(rank_format);
  message.set_protocol(opened.terms.protocol);
  message.set_epoch(opened.terms.epoch);
  message.set_round(opened.round);
  message.set_clock_ns(to_ns(opened.terms.clock));
  message.set_forms(opened.forms);
  return message;
}

result<turn_opening> from_wire(const wire::TurnOpened& message) {
  if (auto spoken = check_format(message.format(), "TurnOpened"); !spoken)
    return fail(spoken.error());
  turn_opening opened;
  opened.terms.protocol = message.protocol();
  opened.terms.epoch = message.epoch();
  opened.terms.clock = from_ns(message.clock_ns());
  opened.round = message.round();
  opened.forms = message.forms();
  return opened;
}

} // namespace turnstile
