#pragma once

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <cstdint>

namespace turnstile {

// The requests that tests talk of, and their time.

constexpr request_id alice{1};
constexpr request_id bob{2};

constexpr instant at(std::int64_t ns) {
  return instant{duration{ns}};
}

} // namespace turnstile
