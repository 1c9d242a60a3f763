#include "messages/schema/draft7/json/number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace turnstile::draft7 {

namespace {

using nlohmann::json;

template <class A, class B>
std::weak_ordering compare_integers(A a, B b) {
  return std::cmp_less(a, b)    ? std::weak_ordering::less
         : std::cmp_equal(a, b) ? std::weak_ordering::equivalent
                                : std::weak_ordering::greater;
}

template <class Integer>
std::weak_ordering compare_with_double(Integer a, double b) {
  if (b >= 0x1p64)
    return std::weak_ordering::less;
  if (b < -0x1p63)
    return std::weak_ordering::greater;
  const double whole = std::floor(b); // Fits one of the two.
  const auto order = whole < 0
                       ? compare_integers(a, static_cast<std::int64_t>(whole))
                       : compare_integers(a, static_cast<std::uint64_t>(whole));
  return order == 0 && whole < b ? std::weak_ordering::less : order;
}

// Calls `f` with the number as what it is held as.
template <class F>
auto with_number(const json& number, F f) {
  if (number.is_number_unsigned())
    return f(number.get<std::uint64_t>());
  if (number.is_number_integer())
    return f(number.get<std::int64_t>());
  return f(number.get<double>());
}

// digits * 10^exponent, without its sign.
struct decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

// "1.25e-07" has 17 digits at most, so they fit.
decimal decimal_of(double value) {
  std::array<char, 32> text{};
  const auto end =
    std::to_chars(text.data(), text.data() + text.size(), std::fabs(value),
                  std::chars_format::scientific)
      .ptr;
  const std::string_view all{text.data(), end};
  const auto e = all.find('e');
  decimal out;
  const auto sign = all[e + 1] == '+' ? e + 2 : e + 1; // from_chars takes no +
  std::from_chars(all.data() + sign, end, out.exponent);
  for (const char c : all.substr(0, e))
    if (c != '.')
      out.digits = out.digits * 10 + static_cast<std::uint64_t>(c - '0');
  if (e > 2)
    out.exponent -= static_cast<int>(e - 2);
  return out;
}

decimal decimal_of(std::uint64_t value) {
  return {value, 0};
}

decimal decimal_of(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return {value < 0 ? 0 - bits : bits, 0};
}

// (a + b) % m of a, b < m, where a + b might not fit.
std::uint64_t sum_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t m) {
  return a >= m - b ? a - (m - b) : a + b;
}

} // namespace

std::weak_ordering compare_numbers(const json& a, const json& b) {
  return with_number(a, [&](auto x) {
    return with_number(b, [&](auto y) {
      constexpr bool x_is_double = std::is_same_v<decltype(x), double>;
      constexpr bool y_is_double = std::is_same_v<decltype(y), double>;
      if constexpr (x_is_double && y_is_double)
        return x < y   ? std::weak_ordering::less
               : x > y ? std::weak_ordering::greater
                       : std::weak_ordering::equivalent;
      else if constexpr (y_is_double)
        return compare_with_double(x, y);
      else if constexpr (x_is_double)
        return 0 <=> compare_with_double(y, x);
      else
        return compare_integers(x, y);
    });
  });
}

bool is_whole(const json& number) {
  if (!number.is_number_float())
    return true;
  const auto value = number.get<double>();
  return std::trunc(value) == value;
}

bool is_multiple(const json& number, const json& divisor) {
  const auto decimals = [](auto value) { return decimal_of(value); };
  auto [digits, exponent] = with_number(number, decimals);
  const auto by = with_number(divisor, decimals);
  exponent -= by.exponent;
  // Digits beyond the divisor's last one must be zeros.
  for (; exponent < 0 && digits != 0; ++exponent, digits /= 10)
    if (digits % 10 != 0)
      return false;
  auto rest = digits % by.digits;
  for (; exponent > 0 && rest != 0; --exponent) {
    const auto twice = sum_modulo(rest, rest, by.digits);
    const auto four = sum_modulo(twice, twice, by.digits);
    const auto five = sum_modulo(four, rest, by.digits);
    rest = sum_modulo(five, five, by.digits);
  }
  return rest == 0;
}

} // namespace turnstile::draft7
