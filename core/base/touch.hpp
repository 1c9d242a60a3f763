#pragma once

#include <cstdint>

namespace turnstile {

#ifdef TURNSTILE_COUNT_TOUCHES

/// How many table entries were looked at or changed so far. Only the build
/// that checks our cost promises counts them; see `tests/touch`.
inline std::uint64_t touches = 0;

inline void touch() noexcept {
  ++touches;
}

#else

inline void touch() noexcept {}

#endif

} // namespace turnstile
