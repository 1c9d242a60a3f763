#include "actors/caf/error.hpp"

#include <caf/actor_system.hpp>
#include <caf/error.hpp>
#include <caf/message.hpp>
#include <caf/sec.hpp>

namespace turnstile {

namespace {

bool is_ours(const caf::error& why) {
#if TURNSTILE_OLD_CAF
  return why && why.category() == caf::detail::error_factory<errc>::category;
#else
  return why && why.category() == caf::type_id_v<errc>;
#endif
}

failure unpack(const caf::error& why) {
  auto code = static_cast<errc>(why.code());
  const auto& context = why.context();
  if (context.empty())
    return {code, {}};
  if (context.match_elements<std::string>())
    return {code, context.get_as<std::string>(0)};
  return {code, caf::to_string(context)};
}

errc code_for(const caf::error& why) {
  if (why == caf::sec::request_timeout)
    return errc::deadline_exceeded;
  for (auto wrong_call :
       {caf::sec::unexpected_message, caf::sec::unexpected_response,
        caf::sec::unexpected_actor_messaging_interface,
        caf::sec::invalid_argument})
    if (why == wrong_call)
      return errc::invalid_argument;
  return errc::backend_lost;
}

std::string text_of(const caf::actor_system& system, const caf::error& why) {
  if (!why)
    return "ended normally";
#if TURNSTILE_OLD_CAF
  return system.render(why);
#else
  return static_cast<void>(system), caf::to_string(why);
#endif
}

} // namespace

bool from_string(std::string_view name, errc& code) noexcept {
  auto found = errc_from_string(name);
  if (found)
    code = *found;
  return found.has_value();
}

bool from_integer(std::uint8_t number, errc& code) noexcept {
  auto found = errc_from_number(number);
  if (found)
    code = *found;
  return found.has_value();
}

caf::error to_error(const failure& why) {
  if (why.detail.empty())
    return caf::make_error(why.code);
  return caf::make_error(why.code, why.detail);
}

failure to_failure(const caf::actor_system& system, const caf::error& why) {
  if (is_ours(why))
    return unpack(why);
  return {code_for(why), text_of(system, why)};
}

std::string render(const caf::actor_system& system, const caf::error& why) {
  if (is_ours(why))
    return to_string(unpack(why));
  return text_of(system, why);
}

} // namespace turnstile
