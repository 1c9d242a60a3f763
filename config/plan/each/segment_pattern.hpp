#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace turnstile::config {

/// What one segment of a path must look like: `*` stands for any characters,
/// `?` for one, `[a-z_]` for one of these, `[!a-z]` for one of the others; all
/// else for itself. A name that begins with a dot is matched only by a pattern
/// that does so too.
class segment_pattern {
public:
  /// Fails if a `[` is never closed.
  static result<segment_pattern> parse(std::string_view text);

  [[nodiscard]] bool matches(std::string_view name) const;

  /// Returns whether the pattern is `**`, which stands for any number of
  /// folders that are not hidden, also none.
  [[nodiscard]] bool is_any_depth() const noexcept { return any_depth_; }

  /// Returns whether the pattern is a name: it matches nothing but itself.
  [[nodiscard]] bool is_name() const noexcept { return name_; }

private:
  // One character of the name, or any number of them.
  struct element {
    enum class type { exactly, any, run, set };
    type is = type::exactly;
    bool negated = false;                              // Only a set.
    std::vector<std::pair<char32_t, char32_t>> ranges; // First and last.
  };

  static result<element> parse_set(std::u32string_view text, std::size_t& at);
  static bool matches_one(const element& one, char32_t character);

  std::vector<element> elements_;
  bool any_depth_ = false;
  bool name_ = true;
  bool shows_hidden_ = false;
};

} // namespace turnstile::config
