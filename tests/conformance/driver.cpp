// turnstile-conformance: speaks the line protocol of README.md over our core.
// Operations on standard input, one result line each on standard output.

#include "tests/conformance/harness.hpp"

#include <iostream>
#include <string>

int main() {
  std::ios::sync_with_stdio(false);
  turnstile::conformance::harness harness;
  for (std::string line; std::getline(std::cin, line);)
    if (auto answer = harness.run(line))
      std::cout << *answer << '\n';
  return 0;
}
