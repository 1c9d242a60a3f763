#pragma once

#include "core/base/result.hpp"

#include <memory>
#include <string_view>

namespace turnstile {

/// What an agent's output must look like: a JSON Schema, draft 7, checked once
/// and then asked as often as wanted.
///
/// Copies share what was compiled, and cost nothing. Any number of threads may
/// use the same one. README.md beside this says what is supported.
class output_schema {
public:
  /// Refuses with `errc::invalid_schema` what is no schema, or one that could
  /// not be followed (references to elsewhere, loops, patterns beyond RE2,
  /// limits), naming the place by JSON pointer:
  /// "schema is not a valid JSON Schema: at /properties/a/type: ...".
  static result<output_schema> compile(std::string_view json_text);

  /// Refuses with `errc::schema_validation` an output that is not what the
  /// schema wants: "output does not match schema: at /answer: wants an
  /// integer, is \"12\"; ...", at most five such violations. The same code, in
  /// other words, meets what is no JSON, or nested more than 256 deep, or
  /// too much work to check: nobody can say that it matches.
  ///
  /// Time and memory are bounded, whatever the schema and the output are.
  [[nodiscard]] status check(std::string_view output_json) const;

private:
  struct compiled;

  explicit output_schema(std::shared_ptr<const compiled> it) noexcept;

  std::shared_ptr<const compiled> compiled_;
};

} // namespace turnstile
