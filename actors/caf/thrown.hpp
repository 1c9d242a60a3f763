#pragma once

#include <caf/error.hpp>

#include <exception>

namespace turnstile::detail {

/// Turns what a handler threw into the reason for which its actor ends, which
/// the requester and all who monitor get: `backend_lost`, with the text. Says
/// it on stderr, too, since it is a defect and perhaps nobody monitors.
caf::error last_words(const char* actor, const std::exception_ptr& thrown);

} // namespace turnstile::detail
