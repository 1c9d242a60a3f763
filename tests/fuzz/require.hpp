#pragma once

#include <cstdio>
#include <cstdlib>

namespace turnstile::fuzz {

/// What a fuzzer expects of an answer, whatever the question was: if it does
/// not hold, the process aborts, which is how a fuzzer is told of a find.
inline void require(bool holds, const char* sentence) {
  if (holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n", sentence);
  std::abort();
}

} // namespace turnstile::fuzz
