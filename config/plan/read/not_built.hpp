#pragma once

#include "config/plan/json/record.hpp"

#include <span>
#include <string_view>

namespace turnstile::config {

/// A key of the plan format that asks for what this version cannot do.
struct unbuilt_key {
  std::string_view kind; ///< Of the object: "plan", "retry", "backend", "task".
  std::string_view key;
  std::string_view harmless; ///< A value that asks for nothing, as written.
  std::string_view lacking;  ///< What is missing, as a sentence.
};

/// The one table of such keys.
std::span<const unbuilt_key> unbuilt_keys();

/// Refuses what the plan format has but this version cannot do: every member of
/// `object` that the table lists under `kind`. Call it after reading the
/// object: a member that is wrong anyway gets no second complaint.
void refuse_unbuilt(const record& object, std::string_view kind);

} // namespace turnstile::config
