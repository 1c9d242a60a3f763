#include "messages/schema/draft7/evaluate/amount.hpp"
#include "messages/schema/draft7/evaluate/evaluator.hpp"
#include "messages/schema/draft7/json/excerpt.hpp"

#include <algorithm>

namespace turnstile::draft7 {

namespace {

// The bytes of valid UTF-8 that begin a character.
std::uint64_t characters_in(const std::string& text) {
  return static_cast<std::uint64_t>(
    std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

} // namespace

bool evaluator::check_string(const string_rules& rules, const std::string& text,
                             const place& at) {
  if (!means_.spend(text.size() / 16))
    return false;
  bool holds = true;
  const auto amount = complaint_about_amount(
    characters_in(text), rules.min_length, rules.max_length, "characters");
  if (!amount.empty())
    holds = violated(at, [&] { return amount; });
  if (rules.has && !rules.has->is_in(text, means_))
    holds = violated(at, [&] {
      return "wants what matches " + in_quotes(rules.has->text()) + ", is "
             + in_quotes(text);
    });
  if (rules.format != nullptr && means_.spend(text.size())
      && !rules.format(text, means_))
    holds = violated(at, [&] {
      return "wants the format " + in_quotes(rules.format_name) + ", is "
             + in_quotes(text);
    });
  return holds;
}

} // namespace turnstile::draft7
