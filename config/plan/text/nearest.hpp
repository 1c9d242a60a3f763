#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace turnstile::config {

/// Returns the word that somebody who wrote `word` most likely meant: the one
/// the fewest edits away (insert, drop, replace, swap neighbours), the first of
/// equals, or nothing if even that would be a guess. Looks at 4,000 words at
/// most, since a plan may be full of mistakes.
std::optional<std::string_view>
nearest_word(std::string_view word, std::span<const std::string_view> known);

/// Renders the advice for `word`: `; did you mean "prompt"?`, or nothing.
std::string did_you_mean(std::string_view word,
                         std::span<const std::string_view> known);

} // namespace turnstile::config
