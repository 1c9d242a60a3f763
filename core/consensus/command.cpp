#include "core/consensus/command.hpp"

namespace turnstile {

namespace {

/// Bit 0: ends the work alone. Bit 1: lasts until the commit. Bit 2: there is a
/// deadline.
std::uint64_t policy_word(const command_terms& of) {
  return (of.policy.ends == deadline_policy::scope::work ? 1U : 0U)
         | (of.policy.lasts == deadline_policy::until::commit ? 2U : 0U)
         | (of.remaining ? 4U : 0U);
}

} // namespace

std::string_view to_string(command_kind kind) noexcept {
  switch (kind) {
  case command_kind::register_request:
    return "register";
  case command_kind::enqueue:
    return "enqueue";
  case command_kind::cancel_request:
    return "cancel";
  case command_kind::cancel_work:
    return "cancel work";
  case command_kind::finish:
    return "finish";
  case command_kind::release:
    return "release";
  case command_kind::forget:
    return "forget";
  }
  return "unknown";
}

void put(frame& into, const command_terms& command, const failure* missing) {
  const auto remaining = command.remaining.value_or(duration::zero()).count();
  into.words.insert(into.words.end(),
                    {static_cast<std::uint64_t>(command.kind),
                     command.request.value, command.life, command.sequence,
                     command.works, static_cast<std::uint64_t>(remaining),
                     policy_word(command), command.digest});
  if (missing != nullptr)
    put(into, static_cast<std::uint64_t>(missing->code), missing->detail);
  else
    into.words.push_back(0);
}

} // namespace turnstile
