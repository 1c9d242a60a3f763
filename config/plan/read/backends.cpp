#include "config/plan/read/backends.hpp"

#include "config/plan/json/reads.hpp"
#include "config/plan/json/record.hpp"
#include "config/plan/read/environment.hpp"
#include "config/plan/read/known_keys.hpp"
#include "config/plan/read/not_built.hpp"
#include "config/plan/read/script.hpp"
#include "config/plan/text/quote.hpp"
#include "config/plan/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace turnstile::config {

namespace {

using type = backend_settings::type;

constexpr auto backend_types =
  std::to_array<std::pair<std::string_view, type>>({
    {"process", type::process},
    {"scripted", type::scripted},
  });

// Which keys belong to one kind only.
constexpr auto own_keys = std::to_array<std::pair<std::string_view, type>>({
  {"command", type::process},
  {"max_output", type::process},
  {"env", type::process},
  {"script", type::scripted},
});

std::optional<std::vector<std::string>> read_command(const field& where) {
  const auto elements = read_elements(where, "an array of strings");
  if (!elements)
    return std::nullopt;
  std::vector<std::string> command;
  for (const auto& element : *elements)
    command.push_back(read_system_string(element).value_or(""));
  if (command.empty())
    where.expected("a program and its arguments");
  else if (command.front().empty() && !elements->front().is_wrong())
    elements->front().expected("a program");
  return command;
}

std::optional<environment> read_env(const field& where) {
  environment env;
  for (const auto& [name, member] : read_variables(where))
    if (auto value = read_system_string(member))
      env.emplace(name, *std::move(value));
  return env;
}

void complain_about_foreign_keys(const record& object, type is) {
  for (const auto& [key, owner] : own_keys)
    if (const auto member = object.find(key); member && owner != is)
      member->complain_about_key(
        in_quotes(key) + " is for a "
        + std::string{is == type::process ? "scripted" : "process"}
        + " backend");
}

backend_settings read_backend(const field& where) {
  const record object{where, backend_keys};
  backend_settings backend;
  backend.name = where.value().key;
  if (!is_plain_name(backend.name))
    where.complain_about_key("expected " + std::string{name_like(backend.name)}
                             + ", found " + in_quotes(backend.name));
  object.read("default", backend.is_default, read_boolean);
  object.read("concurrency", backend.concurrency, read_number<std::uint32_t>,
              1u);
  object.read("command", backend.command, read_command);
  object.read("max_output", backend.max_output, read_byte_size);
  object.read("env", backend.env, read_env);
  object.read("script", backend.script, read_script);
  if (const auto kind = object.require("kind"))
    if (const auto is = read_word(*kind, backend_types)) {
      backend.is = *is;
      complain_about_foreign_keys(object, *is);
      (void)object.require(*is == type::process ? "command" : "script");
    }
  refuse_unbuilt(object, "backend");
  return backend;
}

// Finds the one default, or complains about all but the first.
void settle_default(const field& where,
                    std::vector<backend_settings>& backends) {
  const backend_settings* chosen = nullptr;
  for (std::size_t i = 0; i < backends.size(); ++i) {
    if (!backends[i].is_default)
      continue;
    if (chosen)
      where.at(i).complain_about_key("only one backend can be the default, and "
                                     + in_quotes(chosen->name)
                                     + " is it already");
    else
      chosen = &backends[i];
  }
  if (!chosen && !backends.empty())
    backends.front().is_default = true;
}

} // namespace

std::vector<backend_settings> read_backends(const field& where) {
  std::vector<backend_settings> backends;
  if (!where.is(json_value::type::object) || where.value().items.empty()) {
    where.expected("an object of at least one backend");
    return backends;
  }
  for (std::size_t i = 0; i < where.value().items.size(); ++i)
    backends.push_back(read_backend(where.at(i)));
  settle_default(where, backends);
  return backends;
}

} // namespace turnstile::config
