#include "messages/translate/capabilities.hpp"

#include "messages/translate/limits.hpp"
#include "messages/translate/refusal.hpp"
#include "messages/utf8.hpp"

namespace turnstile {

wire::Capabilities to_wire(const scheduler_capabilities& capabilities) {
  wire::Capabilities message;
  *message.mutable_limits() = to_wire(capabilities.limits);
  for (const auto& [name, interruptible] : capabilities.observed_backends)
    (*message.mutable_observed_backends())[to_utf8(name)] = interruptible;
  message.set_executing_work_physically_preemptible(
    capabilities.executing_work_physically_preemptible);
  message.set_non_preemptible_interval(
    to_utf8(capabilities.non_preemptible_interval));
  return message;
}

result<scheduler_capabilities> from_wire(const wire::Capabilities& message,
                                         std::string_view field) {
  auto limits = from_wire(message.limits(), inside(field, "limits"));
  if (!limits)
    return fail(limits.error());
  scheduler_capabilities capabilities;
  capabilities.limits = *limits;
  capabilities.observed_backends.insert(message.observed_backends().begin(),
                                        message.observed_backends().end());
  capabilities.executing_work_physically_preemptible =
    message.executing_work_physically_preemptible();
  capabilities.non_preemptible_interval = message.non_preemptible_interval();
  return capabilities;
}

} // namespace turnstile
