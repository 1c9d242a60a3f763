#include "messages/schema/output_schema.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

// The test suite of the JSON Schema project, as Debian packages it, for draft
// 7: what is required of everybody but schemas from elsewhere, and the formats
// that we assert. suite_exceptions.txt lists where we answer otherwise, and
// why.

using namespace turnstile;

namespace {

namespace fs = std::filesystem;

const fs::path suite = "/usr/share/json-schema-test-suite/tests/draft7";
const auto exceptions_file =
  fs::path{__FILE__}.parent_path() / "suite_exceptions.txt";

/// Formats that draft 7 has and we do not assert.
const std::set<std::string> not_asserted = {"idn-email", "idn-hostname"};

std::vector<fs::path> files_of_the_suite() {
  std::vector<fs::path> out;
  for (const auto& folder : {suite, suite / "optional" / "format"})
    for (const auto& file : fs::directory_iterator{folder})
      if (file.path().extension() == ".json"
          && file.path().stem() != "refRemote"
          && !not_asserted.contains(file.path().stem()))
        out.push_back(file.path());
  for (const auto* name : {"bignum", "ecmascript-regex"})
    out.push_back((suite / "optional" / name).replace_extension(".json"));
  std::sort(out.begin(), out.end());
  return out;
}

/// The lines that begin with no '#': "FILE: SCHEMA: TEST".
std::set<std::string> exceptions() {
  std::ifstream in{exceptions_file};
  std::set<std::string> out;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && !line.starts_with('#'))
      out.insert(line);
  return out;
}

struct suite_result {
  int passed = 0;
  std::set<std::string> failed;
};

void run_file(const fs::path& path, suite_result& out) {
  std::ifstream in{path};
  for (const auto& group : nlohmann::json::parse(in)) {
    const auto schema = output_schema::compile(group["schema"].dump());
    for (const auto& test : group["tests"]) {
      const auto name = path.stem().string() + ": "
                        + group["description"].get<std::string>() + ": "
                        + test["description"].get<std::string>();
      const auto answer =
        schema ? schema->check(test["data"].dump()) : fail(schema.error());
      if (schema && answer.has_value() == test["valid"].get<bool>()) {
        ++out.passed;
      } else {
        out.failed.insert(name);
        UNSCOPED_INFO(
          name << (answer ? "" : " [" + answer.error().detail + ']'));
      }
    }
  }
}

std::vector<std::string> without(const std::set<std::string>& some,
                                 const std::set<std::string>& others) {
  std::vector<std::string> out;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(),
                      std::back_inserter(out));
  return out;
}

} // namespace

TEST_CASE("output_schema answers the draft's own test suite, but for what is "
          "listed",
          "[messages][output_schema]") {
  if (!fs::exists(suite)) {
    WARN("not tested: the package json-schema-test-suite is not here");
    return;
  }
  suite_result result;
  for (const auto& file : files_of_the_suite())
    run_file(file, result);

  const auto listed = exceptions();
  CHECK(without(result.failed, listed) == std::vector<std::string>{});
  CHECK(without(listed, result.failed)
        == std::vector<std::string>{}); // Mended!
  CHECK(result.passed > 500);           // The files were there, and not empty.
  CHECK(listed.size() * 50 <= static_cast<std::size_t>(result.passed));
}
