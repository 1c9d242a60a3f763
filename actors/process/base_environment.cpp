#include "actors/process/base_environment.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

namespace turnstile {

namespace {

constexpr auto inherited =
  std::array<std::string_view, 4>{"PATH", "HOME", "LANG", "TMPDIR"};

bool is_inherited(std::string_view name) {
  return name.starts_with("LC_")
         || std::find(inherited.begin(), inherited.end(), name)
              != inherited.end();
}

} // namespace

process_environment own_environment() {
  auto out = process_environment{};
  for (auto* const* entry = ::environ; entry && *entry; ++entry) {
    auto text = std::string_view{*entry};
    if (auto equals = text.find('='); equals != std::string_view::npos)
      out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

process_environment base_environment(const process_environment& own,
                                     const process_environment& task,
                                     const process_identity& identity) {
  auto out = process_environment{};
  for (const auto& [name, value] : own)
    if (is_inherited(name))
      out.emplace(name, value);
  for (const auto& [name, value] : task)
    out.insert_or_assign(name, value);
  out["TURNSTILE_RUN"] = identity.run;
  out["TURNSTILE_TASK"] = identity.task;
  out["TURNSTILE_ATTEMPT"] = std::to_string(identity.attempt);
  out["TURNSTILE_BACKEND"] = identity.backend;
  return out;
}

} // namespace turnstile
