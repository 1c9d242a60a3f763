#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace turnstile::bench {

/// One benchmark: prints what it measured, as a small table.
struct benchmark {
  std::string name;
  void (*run)();
};

/// All that there are, in the order of their files.
inline std::vector<benchmark>& all() {
  static std::vector<benchmark> known;
  return known;
}

/// A file takes part by having one of these at namespace scope.
struct registered {
  registered(std::string name, void (*run)()) {
    all().push_back({std::move(name), run});
  }
};

/// Returns how many nanoseconds `call` takes.
template <class Call>
double nanoseconds(Call&& call) {
  const auto before = std::chrono::steady_clock::now();
  std::forward<Call>(call)();
  return std::chrono::duration<double, std::nano>(
           std::chrono::steady_clock::now() - before)
    .count();
}

} // namespace turnstile::bench
