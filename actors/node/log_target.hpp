#pragma once

#include "core/base/result.hpp"

#include <string>

namespace turnstile::node {

/// What is logged, and where.
struct log_flags {
  std::string level = "warn"; ///< A name that spdlog knows, or `off`.
  std::string file;           ///< Appended to; empty: standard error.
};

/// Makes all that actors log go there: one line a write, so that programs can
/// share a file. A line is the time, the level and what `log_line` makes, apart
/// by a blank. @param over_progress lines first wipe the terminal's last line,
/// where the progress is shown. Unchanged on failure.
status send_log(const log_flags& flags, bool over_progress);

} // namespace turnstile::node
