#include "config/plan/json/reads.hpp"

#include "config/plan/byte_size.hpp"
#include "config/plan/duration.hpp"
#include "config/plan/text/utf8.hpp"

#include <charconv>
#include <cmath>

namespace turnstile::config {

namespace {

using type = json_value::type;

bool is_whole(std::string_view number) {
  return number.find_first_not_of("0123456789") == number.npos;
}

// Complains in the words of a parser of our own.
template <class T>
std::optional<T> taken_or_complained(const field& where, result<T> parsed) {
  if (parsed)
    return *std::move(parsed);
  where.complain(parsed.error().detail);
  return std::nullopt;
}

} // namespace

std::optional<bool> read_boolean(const field& where) {
  if (where.is(type::boolean))
    return where.written() == "true";
  where.expected("true or false");
  return std::nullopt;
}

std::optional<std::string> read_string(const field& where) {
  if (where.is(type::string))
    return where.value().text;
  where.expected("a string");
  return std::nullopt;
}

std::string_view name_like(std::string_view wrong) {
  return wrong.empty() ? "a name" : "a name without control characters";
}

std::optional<std::string> read_name(const field& where) {
  if (where.is(type::string) && is_plain_name(where.value().text))
    return where.value().text;
  where.expected(name_like(where.value().text));
  return std::nullopt;
}

std::optional<std::string> read_system_string(const field& where) {
  auto text = read_string(where);
  if (!text || text->find('\0') == text->npos)
    return text;
  where.expected("a string without NUL");
  return std::nullopt;
}

std::optional<std::uint64_t>
read_whole_number(const field& where, std::uint64_t least, std::uint64_t most) {
  const auto text = where.written();
  if (where.is(type::number) && is_whole(text)) {
    std::uint64_t number = 0;
    const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && number >= least && number <= most)
      return number;
  }
  where.expected("a whole number from " + std::to_string(least) + " to "
                 + std::to_string(most));
  return std::nullopt;
}

std::optional<double> read_factor(const field& where) {
  const auto text = where.written();
  double number = 0;
  if (where.is(type::number)) {
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (std::isfinite(number) && number >= 1)
      return number;
  }
  where.expected("a number of at least 1");
  return std::nullopt;
}

std::optional<duration> read_duration_or_zero(const field& where) {
  if (where.is(type::string))
    return taken_or_complained(where, parse_duration(where.value().text));
  const bool only_lacks_a_unit =
    where.is(type::number) && is_whole(where.written());
  where.expected("a duration such as \"30s\"",
                 only_lacks_a_unit
                   ? "; write \"" + std::string{where.written()} + "s\""
                   : std::string{});
  return std::nullopt;
}

std::optional<duration> read_duration(const field& where) {
  const auto length = read_duration_or_zero(where);
  if (length != duration::zero())
    return length;
  where.expected("a duration above zero");
  return std::nullopt;
}

std::optional<std::uint64_t> read_byte_size(const field& where) {
  if (!where.is(type::string)) {
    where.expected("a size such as \"1MiB\"");
    return std::nullopt;
  }
  const auto size =
    taken_or_complained(where, parse_byte_size(where.value().text));
  if (size != 0u)
    return size;
  where.expected("a size above zero");
  return std::nullopt;
}

std::optional<std::string> read_json(const field& where) {
  return compact_json(where.written());
}

std::optional<std::vector<field>> read_elements(const field& where,
                                                std::string_view what) {
  if (!where.is(type::array)) {
    where.expected(what);
    return std::nullopt;
  }
  std::vector<field> elements;
  elements.reserve(where.value().items.size());
  for (std::size_t i = 0; i < where.value().items.size(); ++i)
    elements.push_back(where.at(i));
  return elements;
}

} // namespace turnstile::config
