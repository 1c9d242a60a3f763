#include "messages/event_json.hpp"

#include "messages/json.hpp"

namespace turnstile {

std::string event_type(const wire::Event& event) {
  const auto* choice = wire::Event::descriptor()->oneof_decl(0);
  const auto* kind =
    event.GetReflection()->GetOneofFieldDescriptor(event, choice);
  return kind ? std::string{kind->name()} : std::string{};
}

std::string event_json(const wire::Event& event) {
  return to_json(event);
}

result<wire::Event> event_from_json(std::string_view text) {
  wire::Event event;
  if (auto read = from_json(text, event); !read)
    return fail(read.error());
  if (event.kind_case() == wire::Event::KIND_NOT_SET)
    return fail(errc::invalid_argument, "Event.type: it is missing");
  return event;
}

} // namespace turnstile
