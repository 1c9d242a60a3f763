#pragma once

#include "core/base/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace turnstile::detail {

/// Walks through a JSON text, token by token (RFC 8259). It knows nothing of
/// what the tokens mean. A refused token is not passed; its place is named.
class json_cursor {
public:
  explicit json_cursor(std::string_view text) noexcept : text_{text} {}

  /// Passes white space.
  void skip_space() noexcept;

  /// Passes white space, then `token` if it stands there. Returns whether.
  bool take(std::string_view token) noexcept;

  /// Whether a string, an object, ... begins here with `token`.
  bool at(std::string_view token) noexcept;

  /// Whether only white space is left.
  bool at_end() noexcept;

  /// Passes a string and returns what it says.
  result<std::string> take_string();

  /// Passes a number and returns its text, which stays that of the source.
  result<std::string_view> take_number();

  /// Passes any value and adds its text to `out`, without the white space
  /// between its tokens. Numbers and strings stay as they are written.
  status take_value(std::string& out, int max_depth = 256);

  /// Returns a refusal of what stands here: "`sentence` (byte 17)".
  [[nodiscard]] tl::unexpected<failure> refuse(std::string sentence) const;

private:
  std::size_t take_digits() noexcept;
  status take_raw_string(std::string& out);
  status take_members(std::string& out, int max_depth);
  status take_escape(std::string& out);
  result<char32_t> take_hex();

  std::string_view text_;
  std::size_t offset_ = 0;
};

/// Looks ahead in the object that begins at `here`. Returns the place before
/// the value of its member `name`, or nothing if there is none, or no JSON
/// before it.
std::optional<json_cursor> find_member(json_cursor here, std::string_view name);

} // namespace turnstile::detail
