#include "messages/translate/limits.hpp"

#include "messages/translate/refusal.hpp"

#include <array>
#include <cstdint>

namespace turnstile {

namespace {

struct limit_row {
  std::string_view name;
  std::uint64_t scheduler_limits::*value;
  bool (wire::Limits::*has)() const;
  std::uint64_t (wire::Limits::*get)() const;
  void (wire::Limits::*set)(std::uint64_t);
};

#define TURNSTILE_LIMIT(name)                                                  \
  limit_row {                                                                  \
#name, &scheduler_limits::name, &wire::Limits::has_##name,                 \
      &wire::Limits::name, &wire::Limits::set_##name                           \
  }

constexpr auto rows = std::array{
  TURNSTILE_LIMIT(max_active_requests),
  TURNSTILE_LIMIT(max_queued_work),
  TURNSTILE_LIMIT(max_new_submissions_per_turn),
  TURNSTILE_LIMIT(max_in_flight_global),
  TURNSTILE_LIMIT(max_in_flight_per_request),
  TURNSTILE_LIMIT(execution_slice),
  TURNSTILE_LIMIT(max_queued_per_request),
};

#undef TURNSTILE_LIMIT

// Every limit is a row.
static_assert(sizeof(scheduler_limits) == rows.size() * sizeof(std::uint64_t));

} // namespace

wire::Limits to_wire(const scheduler_limits& limits) {
  wire::Limits message;
  for (const auto& row : rows)
    (message.*row.set)(limits.*row.value);
  return message;
}

result<scheduler_limits> from_wire(const wire::Limits& message,
                                   std::string_view field) {
  scheduler_limits limits;
  for (const auto& row : rows) {
    if (!(message.*row.has)())
      return missing(inside(field, row.name));
    limits.*row.value = (message.*row.get)();
  }
  return limits;
}

} // namespace turnstile
