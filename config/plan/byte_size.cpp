#include "config/plan/byte_size.hpp"

#include "config/plan/text/quote.hpp"
#include "config/plan/text/unit_number.hpp"

#include <array>
#include <limits>

namespace turnstile::config {

namespace {

constexpr auto units = std::to_array<unit>({
  {"B", 1},
  {"KiB", std::uint64_t{1} << 10},
  {"MiB", std::uint64_t{1} << 20},
  {"GiB", std::uint64_t{1} << 30},
});

// What can be counted in a signed number too, as file offsets are.
constexpr std::uint64_t max_bytes = std::numeric_limits<std::int64_t>::max();

} // namespace

result<std::uint64_t> parse_byte_size(std::string_view text) {
  const auto number = parse_unit_number(text, units, max_bytes);
  if (number.value)
    return *number.value;
  if (number.too_large)
    return fail(errc::invalid_plan,
                "expected a size of less than 8EiB, found " + in_quotes(text));
  return fail(errc::invalid_plan,
              "expected a size such as \"1MiB\", found " + in_quotes(text));
}

std::string render_byte_size(std::uint64_t bytes) {
  return render_unit_number(bytes, units, "B");
}

} // namespace turnstile::config
