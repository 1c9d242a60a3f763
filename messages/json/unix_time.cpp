#include "messages/json/unix_time.hpp"

#include <charconv>
#include <chrono>
#include <limits>

namespace turnstile::detail {

namespace {

using std::chrono::days;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr std::int64_t ns_per_second = 1'000'000'000;

std::string padded(std::int64_t number, std::size_t width) {
  auto digits = std::to_string(number);
  return std::string(width - digits.size(), '0') + digits;
}

/// Takes a time apart, from the left. What does not fit makes it bad.
class time_text {
public:
  explicit time_text(std::string_view text) : rest_{text} {}

  bool take(char c) {
    if (!rest_.starts_with(c))
      return false;
    rest_.remove_prefix(1);
    return true;
  }

  void want(char c) { good_ = take(c) && good_; }

  /// Takes exactly `width` digits.
  int number(std::size_t width, int least, int most) {
    int value = 0;
    const auto digits = take_digits(width);
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    good_ = good_ && digits.size() == width && least <= value && value <= most;
    return value;
  }

  /// Takes up to nine decimals.
  std::int64_t nanoseconds() {
    auto digits = std::string{take_digits(9)};
    good_ = good_ && !digits.empty();
    digits.resize(9, '0');
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }

  /// Whether all of it was taken, and fitted.
  [[nodiscard]] bool done() const { return good_ && rest_.empty(); }

private:
  std::string_view take_digits(std::size_t most) {
    auto digits = rest_.substr(0, most);
    digits = digits.substr(0, digits.find_first_not_of("0123456789"));
    rest_.remove_prefix(digits.size());
    return digits;
  }

  std::string_view rest_;
  bool good_ = true;
};

// The seconds by which a local time is ahead of UTC.
int take_offset(time_text& text) {
  if (text.take('Z') || text.take('z'))
    return 0;
  const int sign = text.take('-') ? -1 : 1;
  if (sign == 1)
    text.want('+');
  const auto hours = text.number(2, 0, 23);
  text.want(':');
  return sign * (hours * 3600 + text.number(2, 0, 59) * 60);
}

// Sums up, if that fits. `ns` is less than a second.
std::optional<std::int64_t> sum(std::int64_t whole, std::int64_t ns) {
  using bounds = std::numeric_limits<std::int64_t>;
  if (whole < 0) { // Towards zero, so that the first instant of all fits.
    ++whole;
    ns -= ns_per_second;
  }
  if (whole < bounds::min() / ns_per_second
      || whole > bounds::max() / ns_per_second)
    return std::nullopt;
  whole *= ns_per_second;
  if (ns < 0 ? whole < bounds::min() - ns : whole > bounds::max() - ns)
    return std::nullopt;
  return whole + ns;
}

} // namespace

std::string to_rfc3339(std::int64_t unix_ns) {
  const auto since = nanoseconds{unix_ns};
  const auto whole = std::chrono::floor<seconds>(since);
  const auto day = std::chrono::floor<days>(whole);
  const auto date = std::chrono::year_month_day{std::chrono::sys_days{day}};
  const auto in_day = (whole - day).count();
  return padded(static_cast<int>(date.year()), 4) + '-'
         + padded(static_cast<unsigned>(date.month()), 2) + '-'
         + padded(static_cast<unsigned>(date.day()), 2) + 'T'
         + padded(in_day / 3600, 2) + ':' + padded(in_day / 60 % 60, 2) + ':'
         + padded(in_day % 60, 2) + '.'
         + padded((unix_ns % ns_per_second + ns_per_second) % ns_per_second, 9)
         + 'Z';
}

std::optional<std::int64_t> from_rfc3339(std::string_view text) {
  time_text parts{text};
  const auto year = std::chrono::year{parts.number(4, 0, 9999)};
  parts.want('-');
  const auto month = parts.number(2, 1, 12);
  parts.want('-');
  const auto day = parts.number(2, 1, 31);
  if (!parts.take('t'))
    parts.want('T');
  auto in_day = parts.number(2, 0, 23) * 3600;
  parts.want(':');
  in_day += parts.number(2, 0, 59) * 60;
  parts.want(':');
  in_day += parts.number(2, 0, 60); // A leap second ends in the next minute.
  const auto ns = parts.take('.') ? parts.nanoseconds() : 0;
  const auto offset = take_offset(parts);
  const auto date = year / month / day;
  if (!parts.done() || !date.ok())
    return std::nullopt;
  const auto midnight =
    seconds{std::chrono::sys_days{date}.time_since_epoch()}.count();
  return sum(midnight + in_day - offset, ns);
}

} // namespace turnstile::detail
