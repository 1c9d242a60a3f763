#pragma once

#include "actors/journal/repair/rows.hpp"
#include "actors/journal/row_id.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Words for the rows that a repair reads and makes.

namespace turnstile::repair {

// Where columns stand in their rows, as in `file_schema.hpp`.
inline constexpr std::size_t epoch_at = 1;
namespace requests {
inline constexpr std::size_t scheduler = 2, request = 3, life = 4, name = 5,
                             label = 6, opened_at = 7, closed_at = 8, word = 9,
                             opened = 10, closed = 11, state = 12, tally = 13,
                             columns = 14;
} // namespace requests
namespace works {
inline constexpr std::size_t place = 2, submissions = 3, executing = 4,
                             word = 5, backend = 6, name = 7, label = 8,
                             accepted = 9, attempts = 10, ended = 11,
                             columns = 12;
} // namespace works
namespace streams {
inline constexpr std::size_t run = 1, next = 2, ended = 3;
} // namespace streams
namespace events {
inline constexpr std::size_t about = 2, event = 3;
} // namespace events
namespace owner {
inline constexpr std::size_t epoch = 1, facts = 2, lives = 3;
} // namespace owner

// Columns as they are to be written.

inline column nothing() {
  return {column::type::nothing, true, 0, {}};
}
inline column number(std::int64_t it) {
  return {column::type::number, true, it, {}};
}
inline column text(std::string it) {
  return {column::type::text, true, 0, std::move(it)};
}
template <class Message>
column blob(const Message& it) {
  return {column::type::blob, true, 0, it.SerializeAsString()};
}

/// Whether a column is not NULL.
inline bool is_there(const column& it) {
  return it.is != column::type::nothing;
}

/// Reads a message, if its column can be read and holds one.
template <class Message>
bool reads(const column& from, Message& into) {
  return from.is_readable && into.ParseFromString(from.bytes);
}

/// Whether all columns from `first` to `last` can be read.
inline bool is_readable(const row& it, std::size_t first, std::size_t last) {
  return it.columns.size() > last
         && std::all_of(it.columns.begin() + static_cast<std::ptrdiff_t>(first),
                        it.columns.begin() + static_cast<std::ptrdiff_t>(last)
                          + 1,
                        [](const column& one) { return one.is_readable; });
}

/// Those, in their order, that belong to an owner of that key.
template <class Row>
std::span<const Row> owned_by(std::int64_t key, const std::vector<Row>& rows) {
  const auto first =
    std::lower_bound(rows.begin(), rows.end(), row_id::of(key, 0).value,
                     [](const Row& a, std::int64_t id) { return a.id < id; });
  const auto behind =
    std::upper_bound(first, rows.end(), row_id::last(key).value,
                     [](std::int64_t id, const Row& a) { return id < a.id; });
  return {first, behind};
}

/// Whether `row_id` takes it.
inline bool is_key(std::int64_t key) {
  return key >= 0 && key <= row_id::max_key;
}

} // namespace turnstile::repair
