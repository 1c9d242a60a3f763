#pragma once

namespace turnstile {

/// Whether whoever sent the message that `self` is handling waits for an
/// answer. An error that is returned to a one-way message comes back as a
/// message of its own, and its sender ends by it, unless it expects that.
template <class Self>
bool wants_answer(Self* self) {
  const auto* element = self->current_mailbox_element();
  return element != nullptr && element->mid.is_request();
}

} // namespace turnstile
