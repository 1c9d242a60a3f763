#pragma once

#include "config/plan/load.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

// Words for tests about plans.

namespace turnstile::config {

/// Parses `text` as if it stood in `/plans/plan.json`.
inline result<plan> parsed(std::string_view text) {
  return parse_plan(text, "plan.json", "/plans");
}

/// All that is wrong with `text`, or `"fine"`.
inline std::string complaints_of(std::string_view text) {
  const auto made = parsed(text);
  return made ? "fine" : made.error().detail;
}

/// A plan with one backend, `sh`, whose tasks are `tasks`: they begin in
/// line 3.
inline std::string with_tasks(std::string_view tasks) {
  return R"({"backends": {"sh": {"kind": "process", "command": ["sh"]}},)"
         "\n\"tasks\": [\n"
         + std::string{tasks} + "\n]}";
}

/// A plan whose keys beside one task are `keys`: they begin in line 2. Without
/// a `backends` among them it has one, `sh`.
inline std::string with_keys(std::string_view keys) {
  const bool has_backends = keys.find("\"backends\"") != keys.npos;
  return "{\n" + std::string{keys} + ",\n"
         + (has_backends ? ""
                         : R"("backends": {"sh": {"kind": "process", )"
                           R"("command": ["sh"]}},)")
         + R"("tasks": [{"name": "a", "prompt": ""}]})";
}

/// An empty folder that is gone when the test is over.
class scratch_folder {
public:
  scratch_folder() {
    auto name =
      (std::filesystem::temp_directory_path() / "turnstile-plan-XXXXXX")
        .string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::filesystem::filesystem_error{
        "mkdtemp", std::error_code{errno, std::generic_category()}};
    path_ = name;
  }

  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes a file, and the folders that it is in.
  std::filesystem::path write(const std::string& name,
                              std::string_view content = "") const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream{file, std::ios::binary} << content;
    return file;
  }

  /// What is wrong with the plan `text` in this folder, without the folder's
  /// name, or `"fine"`.
  [[nodiscard]] std::string complaints_of(std::string_view text) const {
    const auto made = parse_plan(text, "plan.json", path_);
    return made ? "fine" : made.error().detail;
  }

private:
  std::filesystem::path path_;
};

} // namespace turnstile::config
