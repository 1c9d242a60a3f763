#include "config/plan/read/not_built.hpp"

#include <array>
#include <string>

namespace turnstile::config {

namespace {

// Build the feature, remove the row: the key is read and checked already.
constexpr auto unbuilt = std::to_array<unbuilt_key>({
  {"task", "weight", "1", "all tasks weigh the same"},
  {"task", "tenant", "\"default\"", "tenants are not told apart"},
  {"task", "allowlist", "", "no backend asks for permission"},
  {"task", "mcp", "", "no backend connects to tool servers"},
});

} // namespace

std::span<const unbuilt_key> unbuilt_keys() {
  return unbuilt;
}

void refuse_unbuilt(const record& object, std::string_view kind) {
  for (const auto& row : unbuilt) {
    if (row.kind != kind)
      continue;
    const auto member = object.find(row.key);
    if (!member || member->written() == row.harmless || member->is_wrong())
      continue;
    member->complain("not built yet: in this version "
                       + std::string{row.lacking},
                     errc::not_built_yet);
  }
}

} // namespace turnstile::config
