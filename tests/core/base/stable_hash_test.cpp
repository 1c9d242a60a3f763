#include "core/base/stable_hash.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <string_view>

using namespace turnstile;

TEST_CASE("stable_hash is FNV-1a as its authors publish it", "[core][base]") {
  // From http://www.isthe.com/chongo/tech/comp/fnv/
  auto [bytes, hash] = GENERATE(table<std::string_view, std::uint64_t>({
    {"", 0xCBF29CE484222325U},
    {"a", 0xAF63DC4C8601EC8CU},
    {"foobar", 0x85944171F73967E8U},
  }));
  CHECK(stable_hash(bytes) == hash);
}

TEST_CASE("stable_hash takes bytes as they are, whether char has a sign or not",
          "[core][base]") {
  CHECK(stable_hash("\xFF") == 0xAF64724C8602EB6EU);
}
