// Catch2 as this house's tests know it: version 3 (Debian 13) with its names,
// or version 2 (Debian 12) given the names of 3. Tests include only this; both
// versions bring a library with main().
#pragma once

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

using Catch::Approx; // version 2 has it globally

#else

#include <catch2/catch.hpp>

#include <string>

namespace Catch::Matchers {

inline auto ContainsSubstring(const std::string& part) {
  return Contains(part);
}

} // namespace Catch::Matchers

#endif
