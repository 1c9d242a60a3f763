#include "core/base/ids.hpp"

#include "core/base/hash.hpp"
#include "tests/catch.hpp"

#include <set>

using namespace turnstile;

TEST_CASE("work_id reads as request and sequence, without its life",
          "[core][base]") {
  CHECK(to_string(request_id{7}) == "7");
  CHECK(to_string(work_id{{7}, 2, 5}) == "7/2");
  CHECK(to_string(work_id{}) == "0/0");
}

TEST_CASE("work_id orders by request, then by sequence", "[core][base]") {
  CHECK(work_id{{1}, 9} < work_id{{2}, 0});
  CHECK(work_id{{1}, 1} < work_id{{1}, 2});
}

TEST_CASE("work_id tells lives apart", "[core][base]") {
  CHECK(work_id{{1}, 1, 0} != work_id{{1}, 1, 1});
  CHECK(work_id{{1}, 1, 1} == work_id{{1}, 1, 1});
}

TEST_CASE("id_hash spreads the neighbours that callers choose",
          "[core][base]") {
  std::set<std::size_t> low_bits;
  for (std::uint64_t request = 0; request < 16; ++request)
    for (std::uint64_t sequence = 0; sequence < 16; ++sequence)
      low_bits.insert(id_hash{}(work_id{{request}, sequence, 0}) & 0xFFFF);

  CHECK(low_bits.size() > 250); // 256 that are all different, or nearly
}
