#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace turnstile::draft7 {

/// What to do with what ECMA-262 has and RE2 cannot do: back-references and
/// assertions that look around.
enum class beyond_re2 {
  refuse,
  approximate, ///< Enough to learn whether the rest is a regular expression.
};

/// Writes a regular expression of ECMA-262 (with its flag `u`), in UTF-8, in
/// RE2's words with the same meaning, or says why that cannot be. What is left
/// wrong in it, RE2 finds: parentheses, ranges, repetitions.
tl::expected<std::string, std::string>
re2_of_ecma(std::string_view pattern, beyond_re2 what = beyond_re2::refuse);

} // namespace turnstile::draft7
