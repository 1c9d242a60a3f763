#include "actors/process/base_environment.hpp"

#include "tests/catch.hpp"

#include <cstdlib>

using namespace turnstile;

namespace {

std::string render(const process_environment& environment) {
  auto out = std::string{};
  for (const auto& [name, value] : environment)
    out += name + '=' + value + '\n';
  return out;
}

} // namespace

TEST_CASE("base_environment lets only harmless variables of ours through",
          "[actors][process]") {
  auto own = process_environment{
    {"PATH", "/bin"},        {"HOME", "/home/me"}, {"LANG", "C.UTF-8"},
    {"LC_ALL", "C"},         {"LC_TIME", "C"},     {"TMPDIR", "/tmp"},
    {"API_TOKEN", "secret"}, {"LD_PRELOAD", "x"},  {"LC", "y"},
    {"TURNSTILE_RUN", "?"},
  };
  CHECK(render(base_environment(own, {}, {"r", "t", 2, "b"}))
        == "HOME=/home/me\nLANG=C.UTF-8\nLC_ALL=C\nLC_TIME=C\nPATH=/bin\n"
           "TMPDIR=/tmp\nTURNSTILE_ATTEMPT=2\nTURNSTILE_BACKEND=b\n"
           "TURNSTILE_RUN=r\nTURNSTILE_TASK=t\n");
}

TEST_CASE("base_environment lets the task overrule us, but not say who it is",
          "[actors][process]") {
  auto own = process_environment{{"PATH", "/bin"}};
  auto task = process_environment{
    {"PATH", "/opt/bin"}, {"EMPTY", ""}, {"TURNSTILE_TASK", "another"}};
  CHECK(render(base_environment(own, task, {"r", "t", 1, "b"}))
        == "EMPTY=\nPATH=/opt/bin\nTURNSTILE_ATTEMPT=1\n"
           "TURNSTILE_BACKEND=b\nTURNSTILE_RUN=r\nTURNSTILE_TASK=t\n");
}

TEST_CASE("own_environment holds what getenv knows", "[actors][process]") {
  auto own = own_environment();
  const auto* path = std::getenv("PATH");
  REQUIRE(path != nullptr);
  CHECK(own.at("PATH") == path);
}
