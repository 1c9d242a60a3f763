#include "config/plan/read/script.hpp"

#include "config/plan/json/reads.hpp"
#include "config/plan/json/record.hpp"
#include "config/plan/read/known_keys.hpp"

#include <array>
#include <utility>

namespace turnstile::config {

namespace {

using kind = backend_error_kind;

constexpr auto kinds =
  std::to_array<kind>({kind::spawn, kind::timeout, kind::protocol,
                       kind::connection, kind::cancelled, kind::config,
                       kind::io, kind::parse, kind::execution, kind::other});

std::optional<kind> read_error_kind(const field& where) {
  std::array<std::pair<std::string_view, kind>, kinds.size()> table;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    table[i] = {to_string(kinds[i]), kinds[i]};
  return read_word(where, table);
}

script_step read_step(const field& where) {
  const record object{where, step_keys};
  script_step step;
  const auto ok = object.find("ok");
  const auto fail = object.find("fail");
  const auto hang = object.find("hang");
  const auto delay = object.find("delay");
  if (object.is_object()
      && ok.has_value() + fail.has_value() + hang.has_value() != 1)
    where.complain("expected exactly one of \"ok\", \"fail\" and \"hang\"");
  object.read("ok", step.output, read_json);
  object.read("fail", step.error, read_error_kind);
  object.read("delay", step.delay, read_duration_or_zero);
  if (fail)
    step.is = script_step::type::fail;
  if (hang) {
    step.is = script_step::type::hang;
    if (const auto said = read_boolean(*hang); said && !*said)
      hang->expected("true");
    if (delay)
      delay->complain_about_key("\"delay\" means nothing beside \"hang\"");
  }
  return step;
}

} // namespace

std::optional<std::vector<script_step>> read_script(const field& where) {
  const auto elements = read_elements(where, "an array of steps");
  if (!elements)
    return std::nullopt;
  if (elements->empty())
    where.expected("at least one step");
  std::vector<script_step> steps;
  for (const auto& element : *elements)
    steps.push_back(read_step(element));
  return steps;
}

} // namespace turnstile::config
