#pragma once

#include "core/base/result.hpp"
#include "messages/journal.pb.h"

#include <optional>
#include <string>

namespace turnstile {

/// Has the process that owns the journal at `path` do something, and waits for
/// that. @returns its answer; nothing if nobody owns the journal, or the owner
/// ended before it answered. Blocks.
result<std::optional<wire::CommandAnswer>>
ask_owner(const std::string& path, const wire::JournalCommand& command);

} // namespace turnstile
