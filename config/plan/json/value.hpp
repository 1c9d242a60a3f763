#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace turnstile::config {

/// One value of a JSON text that remembers where it was written.
///
/// Numbers are not converted: their spelling is in the text, so that nothing is
/// rounded before somebody has said what it should be.
struct json_value {
  enum class type : std::uint8_t {
    null,
    boolean,
    number,
    string,
    array,
    object,
  };

  type is = type::null;

  /// The value's bytes in its source, `[begin, end)`.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  /// In an object: the member's name, and where it was written.
  std::uint32_t key_begin = 0;
  std::string key;

  /// A string's characters.
  std::string text;

  /// The elements of an array or the members of an object, as written.
  std::vector<json_value> items;
};

/// Returns valid JSON without the white space between its tokens. Everything
/// else stays as it was written: order of keys, numbers, escapes.
std::string compact_json(std::string_view json);

/// Extends `path` by a member or an element: `tasks[3].prompt`. A key that
/// would be hard to read there is quoted, and cut if it is long: `env["a b"]`.
std::string member_path(std::string_view path, std::string_view key);
std::string element_path(std::string_view path, std::size_t index);

} // namespace turnstile::config
