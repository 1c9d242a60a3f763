#pragma once

#include "config/plan/json/field.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace turnstile::config {

/// An object whose keys are known: each is read by name, and those that nobody
/// knows are complaints. A value that is no object is one complaint, and then
/// it reads like an empty object.
class record {
public:
  /// Complains about every key of `where` that is not in `known`.
  record(field where, std::span<const std::string_view> known);

  [[nodiscard]] const field& where() const noexcept { return where_; }

  /// Returns whether there is an object to read at all.
  [[nodiscard]] bool is_object() const {
    return where_.is(json_value::type::object);
  }

  /// Returns the member of this name. Where a name appears twice, which is a
  /// complaint of the parser, the first counts.
  [[nodiscard]] std::optional<field> find(std::string_view key) const;

  /// The same, but complains if it is missing.
  [[nodiscard]] std::optional<field> require(std::string_view key) const;

  /// Sets `target` to what `reader(member, arguments...)` makes of the member.
  /// Leaves it alone if there is none or the reader had to complain.
  template <class T, class Reader, class... Arguments>
  void read(std::string_view key, T& target, Reader&& reader,
            const Arguments&... arguments) const {
    if (const auto member = find(key))
      if (auto value = reader(*member, arguments...))
        target = *std::move(value);
  }

private:
  field where_;
};

} // namespace turnstile::config
