#include "messages/token_usage.hpp"

#include <array>
#include <limits>

namespace turnstile {

namespace {

std::uint64_t saturating_sum(std::uint64_t left, std::uint64_t right) noexcept {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return left > most - right ? most : left + right;
}

struct token_unit {
  std::uint64_t tenth; // How many tokens are a tenth of it.
  char letter;

  // Rounds half up.
  [[nodiscard]] constexpr std::uint64_t
  tenths_in(std::uint64_t count) const noexcept {
    return count / tenth + (count % tenth >= tenth / 2 ? 1 : 0);
  }
};

constexpr auto units = std::array{
  token_unit{100, 'k'},
  token_unit{100'000, 'M'},
  token_unit{100'000'000, 'B'},
  token_unit{100'000'000'000, 'T'},
};

} // namespace

std::uint64_t total(const wire::TokenUsage& usage) noexcept {
  return saturating_sum(usage.input(), usage.output());
}

void add(wire::TokenUsage& sum, const wire::TokenUsage& more) {
  sum.set_input(saturating_sum(sum.input(), more.input()));
  sum.set_output(saturating_sum(sum.output(), more.output()));
  sum.set_cache_read(saturating_sum(sum.cache_read(), more.cache_read()));
  sum.set_cache_write(saturating_sum(sum.cache_write(), more.cache_write()));
}

std::string display_tokens(std::uint64_t count) {
  if (count < 1000)
    return std::to_string(count);
  const auto* unit = units.data();
  // What would read as 1000 of a unit is 1 of the next.
  while (unit->tenths_in(count) >= 10'000 && unit != &units.back())
    ++unit;
  auto tenths = unit->tenths_in(count);
  auto text = std::to_string(tenths / 10);
  if (tenths % 10 != 0)
    text += '.' + std::to_string(tenths % 10);
  return text + unit->letter;
}

std::string display(const wire::TokenUsage& usage) {
  auto text =
    "↑" + display_tokens(usage.input()) + " ↓" + display_tokens(usage.output());
  if (usage.cache_read() > 0)
    text += ", " + display_tokens(usage.cache_read()) + " cached";
  return text;
}

} // namespace turnstile
