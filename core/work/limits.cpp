#include "core/work/limits.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace turnstile {

scheduler_limits scheduler_limits::of(std::uint64_t max_active_requests,
                                      std::uint64_t max_queued_work) {
  scheduler_limits limits;
  limits.max_active_requests = max_active_requests;
  limits.max_queued_work = max_queued_work;
  limits.max_in_flight_global = max_active_requests;
  return limits;
}

result<scheduler_limits> validate(const scheduler_limits& limits) {
  using named = std::pair<std::string_view, std::uint64_t>;
  const auto fields = std::array{
    named{"max_active_requests", limits.max_active_requests},
    named{"max_queued_work", limits.max_queued_work},
    named{"max_new_submissions_per_turn", limits.max_new_submissions_per_turn},
    named{"max_in_flight_global", limits.max_in_flight_global},
    named{"max_in_flight_per_request", limits.max_in_flight_per_request},
    named{"execution_slice", limits.execution_slice},
    named{"max_queued_per_request", limits.max_queued_per_request},
  };
  std::string zeros;
  for (const auto& [name, value] : fields)
    if (value == 0)
      zeros.append(zeros.empty() ? "" : ", ").append(name);
  if (!zeros.empty())
    return fail(errc::invalid_limits,
                zeros
                  + " must be positive; leave a field at its default or "
                    "use `unlimited` to switch its bound off");
  return limits;
}

} // namespace turnstile
