#include "config/plan/each/find_files.hpp"

#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"

using namespace turnstile;
using namespace turnstile::config;

namespace {

namespace fs = std::filesystem;

// A small tree with all that makes a search hard.
struct tree : scratch_folder {
  tree() {
    for (const auto* name :
         {"main.cpp", "src/b.cpp", "src/a.cpp", "src/a.hpp", "src/x y.cpp",
          "src/deep/er/c.cpp", "src/deep/d.cpp", "src/.hidden.cpp",
          "src/.git/e.cpp", "other/f.cpp"})
      write(name);
    fs::create_directory(path() / "src/folder.cpp");
    fs::create_directory_symlink("..", path() / "src/deep/up");
    fs::create_directory_symlink("nowhere", path() / "src/broken.cpp");
    fs::create_symlink("../main.cpp", path() / "src/link.cpp");
    fs::create_symlink("self.cpp", path() / "src/self.cpp");
  }

  // Renders what is found, or why nothing is.
  [[nodiscard]] std::string found(std::string_view pattern,
                                  const fs::path& below = "",
                                  std::size_t max_files = 100) const {
    const auto files = find_files(pattern, path() / below, max_files);
    if (!files)
      return files.error().detail;
    std::string out;
    for (const auto& file : *files)
      out += file + '|';
    return out;
  }
};

} // namespace

TEST_CASE("files are found by pattern, in the order of their bytes",
          "[config][plan]") {
  const auto [below, pattern, files] =
    GENERATE(table<std::string, std::string, std::string>({
      {"", "main.cpp", "main.cpp|"},
      {"", "src/*.cpp", "src/a.cpp|src/b.cpp|src/link.cpp|src/x y.cpp|"},
      {"", "src//?.?pp", "src/a.cpp|src/a.hpp|src/b.cpp|"},
      {"", "src/[!a-x].cpp", "no file matches \"src/[!a-x].cpp\""},
      {"", "*/f.cpp", "other/f.cpp|"},
      {"", "src/**/*.cpp",
       "src/a.cpp|src/b.cpp|src/deep/d.cpp|src/deep/er/c.cpp|src/link.cpp|"
       "src/x y.cpp|"},
      {"", "**/**/c.cpp", "src/deep/er/c.cpp|"},
      {"", "**/deep/**", "src/deep/d.cpp|src/deep/er/c.cpp|"},
      {"", "src/.*.cpp", "src/.hidden.cpp|"},
      {"", "src/.git/*", "src/.git/e.cpp|"},
      {"", "src/deep/up/a.*", "src/deep/up/a.cpp|src/deep/up/a.hpp|"},
      {"", "src/deep/*/a.hpp", "src/deep/up/a.hpp|"},
      {"src/deep", "../../other/*", "../../other/f.cpp|"},
      {"src/deep", "./d.cpp", "./d.cpp|"},
    }));
  CAPTURE(pattern);
  CHECK(tree{}.found(pattern, below) == files);
}

TEST_CASE("an absolute pattern finds absolute paths", "[config][plan]") {
  const tree files;
  const auto pattern = files.path().string() + "/src/a.?pp";
  CHECK(files.found(pattern)
        == files.path().string() + "/src/a.cpp|" + files.path().string()
             + "/src/a.hpp|");
}

TEST_CASE("a search that cannot succeed says why", "[config][plan]") {
  const auto [pattern, sentence] = GENERATE(table<std::string, std::string>({
    {"*.zig", "no file matches \"*.zig\""},
    {"src/broken.cpp", "no file matches \"src/broken.cpp\""},
    {"src/folder.cpp", "no file matches \"src/folder.cpp\""},
    {std::string(4097, '*'), "expected a pattern of at most 4KiB"},
    {"srk/*.cpp", "cannot read the folder \"srk/\": No such file or directory"},
    {"main.cpp/*", "cannot read the folder \"main.cpp/\": Not a directory"},
    {"src/[a.cpp", "\"[a.cpp\" has a \"[\" without \"]\""},
    {"", "expected a pattern of files, found \"\""},
    {"/", "expected a pattern of files, found \"/\""},
    {"src/", "expected a pattern of files, found \"src/\""},
    {"src/*/", "expected a pattern of files, found \"src/*/\""},
    {"*/../x", "\"*/../x\" has \"..\" after a wildcard or at its end"},
    {"src/..", "\"src/..\" has \"..\" after a wildcard or at its end"},
  }));
  CAPTURE(pattern);
  CHECK(tree{}.found(pattern) == sentence);
}

TEST_CASE("a search gives up when too many files match", "[config][plan]") {
  CHECK(tree{}.found("src/?.cpp", "", 2) == "src/a.cpp|src/b.cpp|");
  CHECK(tree{}.found("src/?.cpp", "", 1) == "more than 1 files match");
}

TEST_CASE("a search does not go on and on", "[config][plan]") {
  const scratch_folder folder;
  for (int i = 0; i < 100; ++i)
    fs::create_directory_symlink(".", folder.path() / std::to_string(i));
  const auto refusal = [&](std::string_view pattern) {
    const auto files = find_files(pattern, folder.path(), 100, 9'000);
    return files ? "found" : files.error().detail;
  };
  CHECK(refusal("*/*/*/*/*/x")
        == "more than 9000 files and folders to look "
           "at");
  std::string long_way;
  for (int i = 0; i < 65; ++i)
    long_way += "*/";
  CHECK(refusal(long_way + 'x')
        == "\"" + long_way.substr(0, 60)
             + "...\" has more than 64 segments from its first wildcard");
}
