#include "core/work/place_traits.hpp"

namespace turnstile {

place_traits traits_of(work_place place) noexcept {
  switch (place) {
  case work_place::queued:
  case work_place::delayed:
    return {};
  case work_place::prepared:
    return {.branch = true, .slot = true};
  case work_place::in_flight:
  case work_place::regaining:
    return {.branch = true, .slot = true, .submitted = true};
  case work_place::abandoned_in_flight:
  case work_place::failed_in_flight:
    return {.slot = true, .submitted = true};
  case work_place::parked:
  case work_place::resuming:
    return {.branch = true, .submitted = true};
  case work_place::completing:
    return {.branch = true, .submitted = true, .waits = true};
  case work_place::abandoned_parked:
  case work_place::held:
    return {.submitted = true};
  }
  return {};
}

} // namespace turnstile
