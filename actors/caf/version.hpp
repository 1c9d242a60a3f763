#pragma once

#include <caf/config.hpp>

// Which CAF we build against. Only this room and actors/testing/still_world
// may ask. `CAF_MAJOR_VERSION` exists everywhere; `CAF_VERSION` is a decimal
// number before 1.0 and an octal one in 1.1.0, so it is compared only there.
#if CAF_MAJOR_VERSION >= 1
#define TURNSTILE_OLD_CAF 0
#elif CAF_VERSION >= 1706 && CAF_VERSION < 1800
#define TURNSTILE_OLD_CAF 1
#else
#error "Turnstile needs CAF 0.17.6 or CAF 1.0 and later, not what lies between"
#endif
