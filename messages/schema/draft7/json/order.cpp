#include "messages/schema/draft7/json/order.hpp"

#include "messages/schema/draft7/json/number.hpp"

#include <algorithm>
#include <string>

namespace turnstile::draft7 {

namespace {

using nlohmann::json;

// nlohmann's kinds, with all kinds of numbers as one.
int kind_of(const json& value) {
  return static_cast<int>(value.is_number() ? json::value_t::number_float
                                            : value.type());
}

std::weak_ordering compare_text(const std::string& a, const std::string& b,
                                effort& means) {
  means.spend(std::min(a.size(), b.size()) / 64);
  return a <=> b;
}

std::weak_ordering compare_elements(const json& a, const json& b,
                                    effort& means) {
  for (std::size_t i = 0; i < a.size() && !means.gave_up(); ++i)
    if (const auto order = compare(a[i], b[i], means); order != 0)
      return order;
  return std::weak_ordering::equivalent;
}

// Both are sorted by key.
std::weak_ordering compare_members(const json& a, const json& b,
                                   effort& means) {
  for (auto x = a.begin(), y = b.begin(); x != a.end() && !means.gave_up();
       ++x, ++y) {
    if (const auto order = compare_text(x.key(), y.key(), means); order != 0)
      return order;
    if (const auto order = compare(*x, *y, means); order != 0)
      return order;
  }
  return std::weak_ordering::equivalent;
}

} // namespace

std::weak_ordering compare(const json& a, const json& b, effort& means) {
  if (!means.spend())
    return std::weak_ordering::equivalent;
  if (const auto order = kind_of(a) <=> kind_of(b); order != 0)
    return order;
  if (a.is_number())
    return compare_numbers(a, b);
  if (a.is_string())
    return compare_text(a.get_ref<const std::string&>(),
                        b.get_ref<const std::string&>(), means);
  if (a.is_boolean())
    return a.get<bool>() <=> b.get<bool>();
  if (const auto order = a.size() <=> b.size(); order != 0)
    return order;
  return a.is_array()    ? compare_elements(a, b, means)
         : a.is_object() ? compare_members(a, b, means)
                         : std::weak_ordering::equivalent;
}

} // namespace turnstile::draft7
