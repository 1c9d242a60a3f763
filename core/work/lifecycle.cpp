#include "core/work/lifecycle.hpp"

#include <array>
#include <utility>

namespace turnstile {

namespace {

template <class Enum>
using name_of = std::pair<Enum, std::string_view>;

constexpr auto lifecycles = std::to_array<name_of<work_lifecycle>>({
  {work_lifecycle::queued, "queued"},
  {work_lifecycle::prepared, "prepared"},
  {work_lifecycle::submitted, "submitted"},
  {work_lifecycle::completing, "completing"},
  {work_lifecycle::committed, "committed"},
  {work_lifecycle::abandoned, "abandoned"},
  {work_lifecycle::failed, "failed"},
});

constexpr auto statuses = std::to_array<name_of<request_status>>({
  {request_status::active, "active"},
  {request_status::finished, "finished"},
  {request_status::cancelled, "cancelled"},
  {request_status::deadline_exceeded, "deadline_exceeded"},
  {request_status::failed, "failed"},
});

constexpr auto causes = std::to_array<name_of<cancellation_cause>>({
  {cancellation_cause::explicit_call, "explicit"},
  {cancellation_cause::deadline, "deadline"},
});

template <class Names, class Enum>
std::string_view name_in(const Names& names, Enum value) noexcept {
  for (const auto& [known, name] : names)
    if (known == value)
      return name;
  return "unknown"; // A newer peer sent a number that we do not know.
}

template <class Enum, class Names>
std::optional<Enum> value_in(const Names& names,
                             std::string_view name) noexcept {
  for (const auto& [value, known] : names)
    if (known == name)
      return value;
  return std::nullopt;
}

} // namespace

std::string_view to_string(work_lifecycle lifecycle) noexcept {
  return name_in(lifecycles, lifecycle);
}

std::string_view to_string(request_status status) noexcept {
  return name_in(statuses, status);
}

std::string_view to_string(cancellation_cause cause) noexcept {
  return name_in(causes, cause);
}

std::optional<work_lifecycle>
work_lifecycle_from_string(std::string_view name) noexcept {
  return value_in<work_lifecycle>(lifecycles, name);
}

std::optional<request_status>
request_status_from_string(std::string_view name) noexcept {
  return value_in<request_status>(statuses, name);
}

std::optional<cancellation_cause>
cancellation_cause_from_string(std::string_view name) noexcept {
  return value_in<cancellation_cause>(causes, name);
}

bool may_follow(work_lifecycle from, work_lifecycle to) noexcept {
  using enum work_lifecycle;
  switch (from) {
  case queued:
    return to == prepared || to == completing || to == abandoned
           || to == failed;
  case prepared:
    return to == submitted || to == completing || to == abandoned
           || to == failed;
  case submitted:
    return to == queued || to == completing || to == committed
           || to == abandoned || to == failed;
  case completing:
    return to == queued || to == committed || to == abandoned || to == failed;
  case abandoned:
    return to == completing || to == failed;
  case committed:
  case failed:
    return false;
  }
  return false;
}

} // namespace turnstile
