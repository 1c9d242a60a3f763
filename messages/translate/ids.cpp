#include "messages/translate/ids.hpp"

#include "messages/translate/refusal.hpp"

namespace turnstile {

wire::RequestId to_wire(request_id id) {
  wire::RequestId message;
  message.set_value(id.value);
  return message;
}

wire::WorkId to_wire(const work_id& id) {
  wire::WorkId message;
  message.mutable_request()->set_value(id.request.value);
  message.set_sequence(id.sequence);
  message.set_life(id.life);
  return message;
}

result<request_id> from_wire(const wire::RequestId& message,
                             std::string_view field) {
  if (!message.has_value())
    return missing(field);
  return request_id{message.value()};
}

result<work_id> from_wire(const wire::WorkId& message, std::string_view field) {
  if (!message.request().has_value())
    return missing(inside(field, "request"));
  if (!message.has_sequence())
    return missing(inside(field, "sequence"));
  if (!message.has_life())
    return missing(inside(field, "life"));
  return work_id{
    {message.request().value()}, message.sequence(), message.life()};
}

} // namespace turnstile
