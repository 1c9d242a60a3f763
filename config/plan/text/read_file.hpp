#pragma once

#include "core/base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace turnstile::config {

/// Returns the bytes of `file`, which may be a pipe. Fails with the operating
/// system's reason, or if there are more than `max_bytes`.
result<std::string> read_file(const std::filesystem::path& file,
                              std::size_t max_bytes);

} // namespace turnstile::config
