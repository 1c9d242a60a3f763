#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace turnstile::bench {

/// A folder that goes with the benchmark.
struct scratch {
  scratch() {
    std::string name = "bench-journal-XXXXXX"; // on the disk we stand on
    if (mkdtemp(name.data()) == nullptr)
      std::abort();
    path = name;
  }
  scratch(const scratch&) = delete;
  ~scratch() { std::filesystem::remove_all(path); }
  [[nodiscard]] std::string file() const { return path / "journal.db"; }
  std::filesystem::path path;
};

} // namespace turnstile::bench
