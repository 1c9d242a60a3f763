#include "config/plan/json/record.hpp"

#include "config/plan/text/quote.hpp"

#include <algorithm>
#include <string>

namespace turnstile::config {

namespace {

std::string advice_for(const field& where,
                       std::span<const std::string_view> known) {
  if (auto meant = where.advice(where.value().key, known); !meant.empty())
    return meant;
  std::string all = "; known keys are";
  for (const auto one : known)
    all.append(one == known.front() ? " " : ", ").append(one);
  return all;
}

} // namespace

record::record(field where, std::span<const std::string_view> known)
  : where_(std::move(where)) {
  if (!is_object()) {
    where_.expected("an object");
    return;
  }
  for (std::size_t i = 0; i < where_.value().items.size(); ++i) {
    const auto& key = where_.value().items[i].key;
    if (std::find(known.begin(), known.end(), key) != known.end())
      continue;
    const auto member = where_.at(i);
    member.complain_about_key("unknown key " + in_quotes(key)
                              + advice_for(member, known));
  }
}

std::optional<field> record::find(std::string_view key) const {
  if (!is_object())
    return std::nullopt;
  const auto& members = where_.value().items;
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](auto& one) { return one.key == key; });
  if (found == members.end())
    return std::nullopt;
  return where_.at(static_cast<std::size_t>(found - members.begin()));
}

std::optional<field> record::require(std::string_view key) const {
  auto found = find(key);
  if (!found && is_object())
    where_.complain("missing key " + in_quotes(key));
  return found;
}

} // namespace turnstile::config
