#include "config/plan/read/environment.hpp"

#include "config/plan/json/reads.hpp"
#include "config/plan/text/quote.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace turnstile::config {

namespace {

// Every child gets these from the program, so a plan's own would be lost.
constexpr auto reserved = std::to_array<std::string_view>({
  "TURNSTILE_RUN",
  "TURNSTILE_TASK",
  "TURNSTILE_ATTEMPT",
  "TURNSTILE_BACKEND",
});

bool is_variable_name(std::string_view name) {
  return !name.empty() && name.find('=') == name.npos
         && name.find('\0') == name.npos;
}

} // namespace

std::vector<std::pair<std::string, field>> read_variables(const field& where) {
  std::vector<std::pair<std::string, field>> variables;
  if (!where.is(json_value::type::object)) {
    where.expected("an object");
    return variables;
  }
  for (std::size_t i = 0; i < where.value().items.size(); ++i) {
    auto member = where.at(i);
    const auto& name = member.value().key;
    if (!is_variable_name(name))
      where.at(i).complain_about_key(in_quotes(name)
                                     + " cannot name a variable");
    else if (std::find(reserved.begin(), reserved.end(), name)
             != reserved.end())
      member.complain_about_key(in_quotes(name)
                                + " is set by turnstile itself");
    else
      variables.emplace_back(name, std::move(member));
  }
  return variables;
}

} // namespace turnstile::config
