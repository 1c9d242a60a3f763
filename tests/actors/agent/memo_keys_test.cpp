#include "actors/agent/memo_keys.hpp"

#include "actors/agent/sha256.hpp"
#include "tests/catch.hpp"

#include <functional>
#include <set>
#include <vector>

// What a key of a memo stands for.

using namespace turnstile;

namespace {

wire::AgentTask question() {
  wire::AgentTask task;
  task.set_prompt("why?");
  task.set_backend("oracle");
  task.set_workdir("/delphi");
  return task;
}

std::string key_of(const wire::AgentTask& task) {
  return memo_keys{}.next(task);
}

} // namespace

TEST_CASE("sha256 answers as FIPS 180-4 says", "[actors][agent]") {
  CHECK(sha256_hex("abc")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("").size() == 32);
}

TEST_CASE("a memo key stands for everything that a backend is told",
          "[actors][agent]") {
  const std::vector<std::function<void(wire::AgentTask&)>> changes{
    [](auto& task) { task.set_prompt("why? "); },
    [](auto& task) { task.set_name("n"); },
    [](auto& task) { task.set_backend("other"); },
    [](auto& task) { task.set_backend_version("2"); },
    [](auto& task) { task.set_model(""); },
    [](auto& task) { task.set_model("m"); },
    [](auto& task) { task.set_output_schema_json("{}"); },
    [](auto& task) { task.set_phase_id(1); },
    [](auto& task) { task.set_workdir("/"); },
    [](auto& task) { task.set_workdir_override("/tmp"); },
    [](auto& task) { (*task.mutable_env())["A"] = "B"; },
    [](auto& task) { (*task.mutable_env())["AB"] = ""; },
    [](auto& task) { task.set_thread_id("t"); },
    [](auto& task) { task.mutable_mcp_endpoint()->set_url("u"); },
    [](auto& task) { task.mutable_mcp_endpoint()->set_name("u"); },
    [](auto& task) { task.mutable_allowlist(); },
    [](auto& task) { task.mutable_allowlist()->set_accept_edits(true); },
    [](auto& task) { task.mutable_allowlist()->add_allow_commands("x"); },
    [](auto& task) { task.mutable_allowlist()->add_allow_mcp("x"); },
    [](auto& task) { task.mutable_allowlist()->add_deny("x"); },
  };
  std::set<std::string> keys{key_of(question())};
  for (const auto& change : changes) {
    auto task = question();
    change(task);
    keys.insert(key_of(task));
  }
  CHECK(keys.size() == changes.size() + 1);
}

TEST_CASE(
  "a memo key does not depend on limits, other runs and what people read",
  "[actors][agent]") {
  auto task = question();
  task.set_agent_id("a");
  task.set_run_id("r");
  task.set_role("r");
  task.set_description("d");
  task.set_agent_seq(7);
  task.set_attempt_timeout_ns(1);
  task.set_idle_timeout_ns(1);
  task.set_deadline_ns(1);
  CHECK(key_of(task) == key_of(question()));
}

TEST_CASE("equal tasks of one run have keys of their own, in their order",
          "[actors][agent]") {
  memo_keys one;
  memo_keys other;
  const auto first = one.next(question());
  const auto second = one.next(question());
  CHECK(first != second);
  CHECK(other.next(question()) == first);
  CHECK(other.next(question()) == second);
}

TEST_CASE("what a memo key stands for is never changed", "[actors][agent]") {
  CHECK(sha256_hex(key_of(question()))
        == "fda6c73b07ead388bd3e3a73fafb3d4fc15cb5d5bcd34f7327348d066960f09d");
}
