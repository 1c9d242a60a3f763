#pragma once

#include "config/plan/json/field.hpp"
#include "config/plan/text/nearest.hpp"
#include "core/base/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Each of these returns the value that a field should hold, or complains about
// the field and returns nothing.

namespace turnstile::config {

std::optional<bool> read_boolean(const field& where);

std::optional<std::string> read_string(const field& where);

/// Says what is expected instead of a name that is `wrong`.
std::string_view name_like(std::string_view wrong);

/// A string that is a name: not empty, no control characters.
std::optional<std::string> read_name(const field& where);

/// A string that can be handed to the operating system: it holds no NUL.
std::optional<std::string> read_system_string(const field& where);

/// A whole number, written without fraction and exponent.
std::optional<std::uint64_t>
read_whole_number(const field& where, std::uint64_t least, std::uint64_t most);

/// The same for narrower types.
template <class T>
std::optional<T> read_number(const field& where, const T& least) {
  const auto number =
    read_whole_number(where, least, std::numeric_limits<T>::max());
  return number ? std::optional{static_cast<T>(*number)} : std::nullopt;
}

/// A number of at least 1.
std::optional<double> read_factor(const field& where);

/// A duration above zero, and one that may be zero.
std::optional<duration> read_duration(const field& where);
std::optional<duration> read_duration_or_zero(const field& where);

/// A number of bytes above zero, such as `"1MiB"`.
std::optional<std::uint64_t> read_byte_size(const field& where);

/// Any value, as compact text.
std::optional<std::string> read_json(const field& where);

/// The elements of an array.
std::optional<std::vector<field>> read_elements(const field& where,
                                                std::string_view what);

/// One word of a table, as what it stands for.
template <class T, std::size_t N>
std::optional<T>
read_word(const field& where,
          const std::array<std::pair<std::string_view, T>, N>& table) {
  std::array<std::string_view, N> words;
  for (std::size_t i = 0; i < N; ++i)
    words[i] = table[i].first;
  if (where.is(json_value::type::string))
    for (const auto& [word, meaning] : table)
      if (word == where.value().text)
        return meaning;
  std::string what;
  for (const auto word : words)
    what
      .append(word == words.front()  ? "\""
              : word == words.back() ? " or \""
                                     : ", \"")
      .append(word)
      .append("\"");
  where.expected(what, did_you_mean(where.value().text, words));
  return std::nullopt;
}

} // namespace turnstile::config
