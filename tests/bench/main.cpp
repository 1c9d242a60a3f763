// turnstile_bench [NAME]: runs the benchmarks whose name begins so, or all.
#include "tests/bench/bench.hpp"
#include "tests/bench/peer.hpp"

#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  if (turnstile::bench::peer::was_asked(argc, argv))
    return 0;
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  for (const auto& one : turnstile::bench::all()) {
    if (!one.name.starts_with(wanted))
      continue;
    std::printf("%s\n", one.name.c_str());
    one.run();
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}
