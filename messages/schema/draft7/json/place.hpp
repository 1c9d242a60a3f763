#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnstile::draft7 {

/// Where a value stands in its document: a step from the place above it. Lives
/// on the stack beside the walk, and costs nothing until somebody asks.
class place {
public:
  /// The root, or what stands at a JSON pointer. The text must outlive this.
  explicit place(std::string_view pointer = "") noexcept : name_{pointer} {}

  /// A member or an element of `up`, which must outlive this.
  place(const place& up, std::string_view key) noexcept
    : up_{&up}, name_{key} {}
  place(const place& up, std::size_t index) noexcept
    : up_{&up}, index_{index}, is_element_{true} {}

  /// Returns the JSON pointer (RFC 6901): "/properties/a~1b/0".
  [[nodiscard]] std::string pointer() const;

  /// Returns it for a sentence: "at /a/0", or "at the root". Control characters
  /// are escaped; of what is long only the end is shown.
  [[nodiscard]] std::string text() const;

private:
  const place* up_ = nullptr;
  std::string_view name_; // Of the root: the pointer to it.
  std::size_t index_ = 0;
  bool is_element_ = false;
};

/// Returns `token` as it stands in a JSON pointer: `~` and `/` escaped.
std::string pointer_token(std::string_view token);

} // namespace turnstile::draft7
