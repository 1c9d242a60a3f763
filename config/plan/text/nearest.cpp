#include "config/plan/text/nearest.hpp"

#include "config/plan/text/quote.hpp"
#include "config/plan/text/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace turnstile::config {

namespace {

constexpr std::size_t max_characters = 64;
constexpr std::size_t max_words = 4'000;

// The optimal string alignment distance, row by row.
std::size_t edits_between(const std::u32string& a, const std::u32string& b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::size_t difference(std::size_t a, std::size_t b) {
  return a < b ? b - a : a - b;
}

} // namespace

std::optional<std::string_view>
nearest_word(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() > 4 * max_characters)
    return std::nullopt;
  const auto wrong = characters_of(word);
  if (wrong.size() > max_characters)
    return std::nullopt;
  std::optional<std::string_view> nearest;
  auto fewest = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const auto candidate : known.first(std::min(known.size(), max_words))) {
    const auto right = characters_of(candidate.substr(0, 4 * max_characters));
    if (difference(wrong.size(), right.size()) >= fewest)
      continue;
    const auto edits = edits_between(wrong, right);
    const auto longest = std::max(wrong.size(), right.size());
    if (edits < fewest && edits < longest) { // Something must be the same.
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view word,
                         std::span<const std::string_view> known) {
  const auto nearest = nearest_word(word, known);
  return nearest ? "; did you mean " + in_quotes(*nearest) + '?'
                 : std::string{};
}

} // namespace turnstile::config
