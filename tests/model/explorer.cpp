// turnstile-model-explorer FROM COUNT STEPS [brief]: compares core and model in
// so many random sequences, seed after seed, and stops at the first difference.
// With a count of 1 it repeats the seed that a test printed. When it is to be
// brief it does not look for a shorter script.
#include "tests/model/explore.hpp"

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  auto number = [&](int at, std::uint64_t otherwise) -> std::uint64_t {
    return at < argc ? std::stoull(argv[at]) : otherwise;
  };
  const auto from = number(1, 1);
  const auto count = number(2, 1000);
  const auto steps = number(3, 60);
  const auto brief = argc > 4;
  for (auto seed = from; seed < from + count; ++seed)
    for (auto polled : {true, false})
      if (auto differs =
            turnstile::model::explore(seed, steps, polled, !brief)) {
        std::fputs(differs->c_str(), stderr);
        return 1;
      }
  return 0;
}
