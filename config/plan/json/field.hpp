#pragma once

#include "config/plan/json/value.hpp"
#include "config/plan/text/complaints.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace turnstile::config {

/// A value of the plan, the way to it, and where to complain about it. Cheap
/// to pass on; the value and the complaints must outlive it.
class field {
public:
  /// The whole plan: its path is empty.
  field(const json_value& root, complaints& wrong)
    : value_(&root), wrong_(&wrong) {}

  [[nodiscard]] const json_value& value() const noexcept { return *value_; }
  [[nodiscard]] bool is(json_value::type type) const noexcept {
    return value_->is == type;
  }

  /// The text that the value is a part of.
  [[nodiscard]] const source_text& source() const noexcept {
    return wrong_->source();
  }

  /// The way from the root, as in `"tasks[3].prompt"`.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// The value as it stands in the source.
  [[nodiscard]] std::string_view written() const;

  /// The value as a complaint shows it: `30`, `"abc"`, `an empty array`.
  [[nodiscard]] std::string described() const;

  /// The `index`-th member of this object or element of this array.
  [[nodiscard]] field at(std::size_t index) const;

  /// Complains about this value, at its place and with its path in front.
  void complain(std::string_view sentence,
                errc code = errc::invalid_plan) const;

  /// Complains about this member's name instead, at the place of the name.
  void complain_about_key(std::string_view sentence) const;

  /// Complains: `expected WHAT, found THIS`, and some advice if there is any.
  void expected(std::string_view what, std::string_view advice = {}) const;

  /// Renders `; did you mean "..."?` with one of the `known` words, or nothing
  /// if none is near or there are too many complaints already.
  [[nodiscard]] std::string
  advice(std::string_view word, std::span<const std::string_view> known) const;

  /// Returns whether there is a complaint about this value already.
  [[nodiscard]] bool is_wrong() const;

private:
  field(const json_value& value, std::string path, complaints& wrong)
    : value_(&value), path_(std::move(path)), wrong_(&wrong) {}

  void complain_at(std::size_t offset, std::string_view sentence,
                   errc code) const;

  const json_value* value_;
  std::string path_;
  complaints* wrong_;
};

} // namespace turnstile::config
