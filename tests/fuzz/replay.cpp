#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// Stands in for libFuzzer where nothing is to be found out: feeds the files,
// and those in the folders, that it is given to one fuzzer. Needs no clang.
//
//   turnstile_fuzz_plan tests/fuzz/corpus/plan build-fuzz/crashes/plan-crash-1

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path))
    return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator{path})
    files.push_back(entry.path());
  return files;
}

} // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (const auto* path : std::vector<const char*>(argv + 1, argv + argc))
    for (const auto& file : files_of(path)) {
      std::printf("%s\n", file.c_str()); // The last line is the culprit.
      std::fflush(stdout);
      std::ifstream stream{file, std::ios::binary};
      if (!stream)
        return 2;
      const std::string bytes{std::istreambuf_iterator<char>{stream}, {}};
      LLVMFuzzerTestOneInput(
        reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++count;
    }
  std::printf("%zu inputs, all fine\n", count);
  return count > 0 ? 0 : 2;
}
