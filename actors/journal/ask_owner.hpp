#pragma once

#include "core/base/result.hpp"
#include "messages/journal.pb.h"

#include <string>

namespace turnstile {

/// Has the process that owns the journal at `path` do something, and waits for
/// that. @returns whether it was done; false if nobody owns the journal, or the
/// owner ended before it answered. Blocks.
result<bool> ask_owner(const std::string& path,
                       const wire::JournalCommand& command);

} // namespace turnstile
