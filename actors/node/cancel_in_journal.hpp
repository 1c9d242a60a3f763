#pragma once

#include "actors/journal/journal_reader.hpp"
#include "core/base/result.hpp"

#include <string>

namespace turnstile::node {

/// Cancels a run that a journal has, or one task of it by its agent id, and
/// returns when nothing of that runs any more. The process that owns the
/// journal is asked to; if there is none, this one does it.
status cancel_in_journal(const std::string& path, const request_head& run,
                         const std::string& agent);

} // namespace turnstile::node
