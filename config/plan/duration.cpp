#include "config/plan/duration.hpp"

#include "config/plan/text/quote.hpp"
#include "config/plan/text/unit_number.hpp"
#include "core/base/duration_text.hpp"

#include <array>

namespace turnstile::config {

namespace {

constexpr std::uint64_t second = 1'000'000'000;

constexpr auto units = std::to_array<unit>({
  {"ns", 1},
  {"us", 1'000},
  {"ms", 1'000'000},
  {"s", second},
  {"m", 60 * second},
  {"h", 3'600 * second},
  {"d", 86'400 * second},
});

} // namespace

result<duration> parse_duration(std::string_view text) {
  const auto number = parse_unit_number(
    text, units, static_cast<std::uint64_t>(max_duration.count()));
  if (number.value)
    return duration{static_cast<duration::rep>(*number.value)};
  if (number.too_large)
    return fail(errc::invalid_plan, "expected a duration of at most "
                                      + render_duration(max_duration)
                                      + ", found " + in_quotes(text));
  std::string advice;
  if (!text.empty() && text.find_first_not_of("0123456789") == text.npos)
    advice = "; write " + in_quotes(std::string{text} + 's');
  return fail(errc::invalid_plan, "expected a duration such as \"30s\", found "
                                    + in_quotes(text) + advice);
}

std::string render_duration(duration length) {
  return duration_text(length);
}

} // namespace turnstile::config
