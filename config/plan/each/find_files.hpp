#pragma once

#include "core/base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace turnstile::config {

/// Returns the regular files below `folder` that `pattern` matches, written as
/// the pattern writes them ("../core/base/ids.hpp") and sorted by their bytes.
///
/// A pattern is segments between slashes, see `segment_pattern`; `.` and `..`
/// may only come before the first wildcard. Links to files are files. Links to
/// folders are followed where a segment names or matches them, but `**` does
/// not enter them, so a loop of links is walked once at most.
///
/// Fails if the pattern is wrong or longer than a path can be, a folder cannot
/// be read, nothing matches, more than `max_files` do, or there are more than
/// `max_entries` files and folders to look at.
result<std::vector<std::string>>
find_files(std::string_view pattern, const std::filesystem::path& folder,
           std::size_t max_files, std::size_t max_entries = 2'000'000);

} // namespace turnstile::config
