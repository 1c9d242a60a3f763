#include "actors/cluster/protocol.hpp"

#include "messages/translate/backend_terms.hpp"
#include "messages/translate/failure.hpp"

#include <optional>
#include <set>

namespace turnstile {

namespace {

auto wrong(std::string what) {
  return fail(errc::invalid_argument, "Hello." + std::move(what));
}

} // namespace

wire::Envelope envelope_of(std::uint64_t link) {
  wire::Envelope letter;
  letter.set_protocol(node_protocol);
  letter.set_link(link);
  return letter;
}

status readable(const wire::Envelope& letter) {
  if (letter.protocol() != node_protocol)
    return fail(errc::protocol_unknown,
                "the peer speaks protocol " + std::to_string(letter.protocol())
                  + " and this node speaks " + std::to_string(node_protocol)
                  + "; run the same version of Turnstile on both");
  if (letter.body_case() == wire::Envelope::BODY_NOT_SET)
    return fail(errc::invalid_argument,
                "the envelope has no body that this version knows");
  return {};
}

wire::Envelope goodbye_of(std::uint64_t link, const failure& why) {
  auto letter = envelope_of(link);
  *letter.mutable_goodbye()->mutable_why() = to_wire(why);
  return letter;
}

std::optional<failure> reason_in(const wire::Envelope& goodbye) {
  if (!goodbye.goodbye().has_why())
    return std::nullopt;
  return failure_in(goodbye.goodbye().why(), "Goodbye.why");
}

status valid_hello(const wire::Envelope& letter) {
  if (!letter.has_hello() || letter.link() == 0)
    return fail(errc::invalid_argument,
                "a link begins with a Hello and a number of its own");
  const auto& hello = letter.hello();
  if (hello.role() != wire::NODE_ROLE_WORKER
      && hello.role() != wire::NODE_ROLE_CLIENT)
    return wrong("role: " + std::to_string(hello.role()) + " is unknown here");
  constexpr std::size_t longest = 256;
  if (hello.name().empty() || hello.name().size() > longest)
    return wrong("name: expected 1 to " + std::to_string(longest) + " bytes");
  if (hello.role() == wire::NODE_ROLE_WORKER && hello.backends_size() == 0)
    return wrong("backends: a worker offers at least one");
  std::set<std::string> names;
  for (const auto& offered : hello.backends()) {
    const auto& terms = offered.terms();
    if (terms.name().empty() || !names.insert(terms.name()).second)
      return wrong("backends: a name is missing, or there twice: \""
                   + terms.name() + '"');
    if (terms.concurrency() == 0)
      return wrong("backends: " + terms.name() + " takes nothing");
    if (auto gate = from_wire(terms, "Hello.backends." + terms.name()); !gate)
      return fail(gate.error());
  }
  return {};
}

} // namespace turnstile
