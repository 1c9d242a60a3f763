#pragma once

#include <cstddef>

namespace turnstile::config {

// What a plan may ask of us. Beyond these it is refused with a complaint that
// names the limit; how deep and how many JSON values is in json/parse.hpp.

/// Bytes of a plan file.
inline constexpr std::size_t max_plan_bytes = std::size_t{64} << 20;

/// Tasks, after `each` has made one for every file.
inline constexpr std::size_t max_tasks = 100'000;

/// Needs of all tasks together: if a hundred need each of a hundred, 10,000.
inline constexpr std::size_t max_needs = 1'000'000;

/// Bytes of one prompt file.
inline constexpr std::size_t max_prompt_file_bytes = std::size_t{256} << 20;

/// Bytes in the strings of all tasks together. What a string is kept in counts
/// too, so that a crowd of empty ones is bounded as well.
inline constexpr std::size_t max_task_bytes = std::size_t{1} << 30;

inline constexpr std::size_t bytes_beside_a_string = 64;

} // namespace turnstile::config
