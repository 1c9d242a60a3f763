#include "config/plan/read/known_keys.hpp"
#include "config/plan/read/not_built.hpp"
#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"
#include "tests/config/schema/schema_check.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <sstream>

// config/plan.schema.json tells editors what the loader accepts. Whatever one
// of them says here, the other is asked too.

using namespace turnstile;
using namespace turnstile::config;
using nlohmann::json;

namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ostringstream out;
  out << std::ifstream{file, std::ios::binary}.rdbuf();
  return out.str();
}

const json& schema() {
  static const auto read = json::parse(content_of("config/plan.schema.json"));
  return read;
}

// A kind of object in a plan.
struct object_kind {
  std::string name;
  std::string place; // In the schema.
  std::span<const std::string_view> keys;
  std::string_view unbuilt; // What not_built.cpp calls it.

  [[nodiscard]] const json& properties() const {
    return schema().at(json::json_pointer{place})["properties"];
  }
};

std::vector<object_kind> kinds() {
  return {
    {"plan", "", plan_keys, "plan"},
    {"retry", "/definitions/retry", retry_keys, "retry"},
    {"backend", "/definitions/backend", backend_keys, "backend"},
    {"step", "/definitions/step", step_keys, "none"},
    {"task", "/definitions/task", task_keys, "task"},
    {"allowlist", "/definitions/allowlist", policy_keys, "none"},
    {"mcp", "/definitions/mcp", endpoint_keys, "none"},
  };
}

// A plan in which one object of a kind has `key`, and little else.
json plan_with(const std::string& kind, const std::string& key,
               const json& value) {
  json plan = {
    {"backends", {{"count", {{"kind", "process"}, {"command", {"wc"}}}}}},
    {"tasks",
     {{{"name", "a"}, {"prompt", ""}}, {{"name", "lint"}, {"prompt", ""}}}}};
  auto& backend = plan["backends"]["count"];
  auto& task = plan["tasks"][0];
  json scripted = {{"kind", "scripted"}, {"script", {{{"ok", 1}}}}};
  if (kind == "backend" && (key == "script" || value == "scripted"))
    backend = scripted;
  if (kind == "step") {
    backend = scripted;
    if (key == "fail" || key == "hang")
      backend["script"][0].clear();
  }
  if (key == "prompt_file")
    task.erase("prompt");
  if (kind == "mcp")
    task["mcp"] = {{"name", "tools"}, {"url", "http://[::1]/"}};
  auto& object = kind == "plan"      ? plan
                 : kind == "retry"   ? plan["retry"]
                 : kind == "backend" ? backend
                 : kind == "step"    ? backend["script"][0]
                 : kind == "task"    ? task
                                     : task[kind];
  object[key] = value;
  return plan;
}

// What the loader says to `plan`. A plan that only lacks a feature of ours is
// as it should be.
std::string loader_says(const std::string& plan) {
  static const scratch_folder folder;
  folder.write("prompts/review.md");
  folder.write("src/main.cpp");
  const auto made = parse_plan(plan, "plan.json", folder.path());
  return made || made.error().code == errc::not_built_yet ? "fine"
                                                          : made.error().detail;
}

std::string schema_says(const std::string& plan) {
  return schema_complaint(schema(), json::parse(plan));
}

// A property, and values that it must not have.
struct refused_values {
  std::string kind;
  std::string key;
  std::vector<json> values;
};

std::vector<refused_values> refused() {
  const json null; // `json{nullptr}` would be an array.
  return {
    {"plan", "$schema", {7, null}},
    {"plan", "run", {"", "a\nb", "\u0085", 7}},
    {"plan", "quota", {-1, 1.5, "100"}},
    {"plan", "concurrency", {0, 4294967296, "2"}},
    {"plan", "deadline", {"0s", "10", 10, "1w", "-1s", "1.5s"}},
    {"plan", "retry", {json::array(), 3}},
    {"plan", "seed", {-1, "x", null}},
    {"plan", "memo", {0, "yes"}},
    {"plan", "backends", {json::object(), json::array(), {{"", json{}}}}},
    {"plan", "tasks", {json::array(), json::object(), {1}}},
    {"retry", "max_retries", {-1, 4294967296, true}},
    {"retry", "initial_backoff", {"", "s", 500, "1 s"}},
    {"retry", "multiplier", {0.99, "2", -1}},
    {"retry", "max_backoff", {"-1s", 10}},
    {"retry", "jitter", {"Full", true}},
    {"retry", "schema_retry_max", {-1, "3"}},
    {"backend", "kind", {"proces", null}},
    {"backend", "default", {1, "true"}},
    {"backend", "concurrency", {0, "all"}},
    {"backend",
     "command",
     {json::array(), {""}, {1}, "wc -l", {std::string{"a\0", 2}}}},
    {"backend", "max_output", {"0B", 4096, "1MB", "1kiB"}},
    {"backend",
     "env",
     {json::array(),
      {{"A=B", ""}},
      {{"", ""}},
      {{"A", 1}},
      {{"TURNSTILE_TASK", ""}}}},
    {"backend", "script", {json::array(), json::object(), {json::object()}}},
    {"step", "ok", {}}, // It may be anything.
    {"step", "fail", {"spwn", 1}},
    {"step", "hang", {false, "true"}},
    {"step", "delay", {"", 1}},
    {"task", "name", {"", "a\nb", "{{path}}", "}}", 1}},
    {"task", "prompt", {1, {"x"}}},
    {"task", "prompt_file", {"", std::string{"a\0", 2}}},
    {"task", "each", {"", 1, std::string(4097, '*')}},
    {"task", "needs", {"lint", {1}, {""}}},
    {"task", "backend", {1}},
    {"task", "phase", {-1, 4294967296, "0"}},
    {"task", "workdir", {"", std::string{"a\0b", 3}}},
    {"task", "env", {json::array(), {{"TURNSTILE_RUN", ""}}, {{"A", null}}}},
    {"task", "attempt_timeout", {"0ms", "30", 30, "00s"}},
    {"task", "idle_timeout", {"0s", 10}},
    {"task", "deadline", {"0d", false}},
    {"task", "weight", {0, -1, "1"}},
    {"task", "tenant", {"", 1}},
    {"task", "model", {1}},
    {"task", "output_schema", {"object", json::array()}},
    {"task", "role", {1}},
    {"task", "description", {json::object()}},
    {"task", "thread", {1}},
    {"task", "allowlist", {json::array(), "all"}},
    {"task", "mcp", {"http://127.0.0.1:9000/mcp", json::object()}},
    {"allowlist", "accept_edits", {"yes"}},
    {"allowlist", "allow_commands", {"ls", {1}}},
    {"allowlist", "allow_mcp", {json::object()}},
    {"allowlist", "deny", {{1}}},
    {"mcp", "name", {"", 1}},
    {"mcp", "url", {"", "a\tb"}},
  };
}

// Values of a property beside those that the schema itself shows.
std::vector<json> also_accepted(const std::string& kind,
                                const std::string& key) {
  const auto is = [&](const char* a, const char* b) {
    return kind == a && key == b;
  };
  const std::string nul{"a\0", 2};
  if (is("plan", "quota") || is("plan", "seed"))
    return {0u, 18446744073709551615u};
  if (is("plan", "concurrency") || is("task", "weight"))
    return {1, 4294967295u};
  if (is("task", "phase") || is("retry", "max_retries"))
    return {0, 4294967295u};
  if (is("retry", "multiplier"))
    return {1, 1.0, 1e300};
  if (is("retry", "initial_backoff") || is("step", "delay"))
    return {"0s", "00ms", "7ns", "7us", "7ms", "7s", "7m", "7h", "7d"};
  if (is("task", "attempt_timeout"))
    return {"7ns", "007us", "7ms", "7s", "7m", "7h", "36500d"};
  if (is("backend", "max_output"))
    return {"1B", "010KiB", "7MiB", "7GiB"};
  if (is("backend", "command"))
    return {{"wc", ""}};
  if (is("task", "name") || is("plan", "run"))
    return {"a{b}c", "\u00e9 \U0001f600 /:", "a\u00a0"};
  if (is("task", "prompt"))
    return {"", nul, "\n"};
  return {};
}

std::vector<json> accepted(const std::string& kind, const std::string& key,
                           const json& property) {
  auto values = also_accepted(kind, key);
  if (property.contains("default"))
    values.push_back(property["default"]);
  if (property.contains("const"))
    values.push_back(property["const"]);
  for (const auto* list : {"examples", "enum"})
    for (const auto& value : property.value(list, json::array()))
      values.push_back(value);
  return values;
}

} // namespace

TEST_CASE("the plan schema has the keys that the loader knows",
          "[config][plan][schema]") {
  for (const auto& kind : kinds()) {
    CAPTURE(kind.name);
    std::set<std::string> in_schema;
    for (const auto& [key, property] : kind.properties().items())
      in_schema.insert(key);
    CHECK(in_schema
          == std::set<std::string>(kind.keys.begin(), kind.keys.end()));
    CHECK(schema().at(json::json_pointer{kind.place})["additionalProperties"]
          == false);
    CHECK(loader_says(plan_with(kind.name, "x", 1).dump()) != "fine");
    CHECK(schema_says(plan_with(kind.name, "x", 1).dump()) != "fine");
  }
}

TEST_CASE("the plan schema says which keys are not built yet",
          "[config][plan][schema]") {
  for (const auto& kind : kinds())
    for (const auto& [key, property] : kind.properties().items()) {
      CAPTURE(kind.name, key);
      const auto table = unbuilt_keys();
      const bool is_unbuilt =
        std::any_of(table.begin(), table.end(), [&](auto& row) {
          return row.kind == kind.unbuilt && row.key == key;
        });
      const auto text = property.at("description").get<std::string>();
      CHECK(is_unbuilt == text.starts_with("Not built yet"));
    }
}

TEST_CASE("what the plan schema shows or allows, the loader takes",
          "[config][plan][schema]") {
  for (const auto& kind : kinds())
    for (const auto& [key, property] : kind.properties().items()) {
      const auto values = accepted(kind.name, key, property);
      CAPTURE(kind.name, key);
      CHECK_FALSE(values.empty());
      for (const auto& value : values) {
        const auto plan = plan_with(kind.name, key, value).dump();
        CAPTURE(plan);
        CHECK(loader_says(plan) == "fine");
        CHECK(schema_says(plan) == "fine");
      }
    }
}

TEST_CASE("what the plan schema refuses, the loader refuses",
          "[config][plan][schema]") {
  std::set<std::string> tried;
  for (const auto& [kind, key, values] : refused()) {
    tried.insert(kind + '.' + key);
    for (const auto& value : values) {
      const auto plan = plan_with(kind, key, value).dump();
      CAPTURE(plan);
      CHECK(loader_says(plan) != "fine");
      CHECK(schema_says(plan) != "fine");
    }
  }
  std::set<std::string> all;
  for (const auto& kind : kinds())
    for (const auto key : kind.keys)
      all.insert(kind.name + '.' + std::string{key});
  CHECK(tried == all);
}

TEST_CASE("the defaults in the plan schema are the loader's",
          "[config][plan][schema]") {
  for (const auto& kind : kinds())
    for (const auto& [key, property] : kind.properties().items()) {
      const auto with = [&](const json& value) {
        return parsed(plan_with(kind.name, key, value).dump());
      };
      if (!property.contains("default"))
        continue;
      CAPTURE(kind.name, key);
      const auto said = with(property["default"]);
      auto silent = plan_with(kind.name, key, property["default"]);
      const auto forget = [&](auto&& object) { object.erase(key); };
      if (kind.name == "plan")
        forget(silent);
      else if (kind.name == "retry")
        forget(silent["retry"]);
      else if (kind.name == "backend")
        forget(silent["backends"]["count"]);
      else if (kind.name == "step")
        forget(silent["backends"]["count"]["script"][0]);
      else
        forget(silent["tasks"][0]);
      if (said) // Else it is not built yet.
        CHECK(*said == parsed(silent.dump()));
      else
        CHECK(said.error().code == errc::not_built_yet);
    }
}

TEST_CASE("the plan schema and the loader agree on keys that go together",
          "[config][plan][schema]") {
  const auto backend = [](const std::string& text) {
    return R"({"backends": {"b": )" + text
           + R"(}, "tasks": [{"name": "a", "prompt": ""}]})";
  };
  const auto [plan, is_fine] = GENERATE_COPY(table<std::string, bool>({
    {backend(R"({"kind": "process", "command": ["a"]})"), true},
    {backend(R"({"command": ["a"]})"), false},
    {backend(R"({"kind": "process"})"), false},
    {backend(R"({"kind": "scripted"})"), false},
    {backend(R"({"kind": "scripted", "command": ["a"]})"), false},
    {backend(R"({"kind": "process", "script": [{"ok": 1}]})"), false},
    {backend(R"({"kind": "scripted", "script": [{"ok": 1}]})"), true},
    {backend(R"({"kind": "scripted", "script": [{"ok": 1}], "env": {}})"),
     false},
    {backend(R"({"kind": "scripted", "script": [{"ok": 1, "fail": "io"}]})"),
     false},
    {backend(R"({"kind": "scripted", "script": [{"hang": true}]})"), true},
    {backend(R"({"kind": "scripted",
                 "script": [{"hang": true, "delay": "1s"}]})"),
     false},
    {backend(R"({"kind": "scripted", "script": [{"delay": "1s"}]})"), false},
    {with_tasks(R"({"name": "a"})"), false},
    {with_tasks(R"({"prompt": "a"})"), false},
    {with_tasks(R"({"name": "a", "prompt": "", "prompt_file": "x"})"), false},
    {with_tasks(R"({"name": "a", "prompt": "", "mcp": {"name": "x"}})"), false},
    {R"({"tasks": [{"name": "a", "prompt": ""}]})", false},
    {R"({"backends": {"b": {"kind": "process", "command": ["a"]}}})", false},
    {R"([])", false},
  }));
  CAPTURE(plan);
  CHECK((loader_says(plan) == "fine") == is_fine);
  CHECK((schema_says(plan) == "fine") == is_fine);
}

TEST_CASE("plans that people have conform to the plan schema",
          "[config][plan][schema]") {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator{"examples/plans"})
    if (entry.path().extension() == ".json") {
      CAPTURE(entry.path());
      ++count;
      CHECK(schema_says(content_of(entry.path())) == "fine");
    }
  CHECK(count >= 2);

  // All of the format in one plan.
  const std::string all = R"({
    "run": "line-counts",
    "quota": 100,
    "concurrency": 2,
    "deadline": "10m",
    "retry": {"max_retries": 2, "initial_backoff": "500ms", "multiplier": 2.0,
              "max_backoff": "10s", "jitter": "full", "schema_retry_max": 3},
    "backends": {
      "count": {"kind": "process", "command": ["sh", "-c", "wc -l"],
                "default": true},
      "probe": {"kind": "scripted", "script": [
        {"fail": "spawn"}, {"ok": {"answer": 42}, "delay": "20ms"}]}
    },
    "tasks": [
      {"name": "readme", "prompt": "text for the backend", "backend": "count",
       "phase": 0, "attempt_timeout": "30s", "idle_timeout": "10s",
       "deadline": "2m", "weight": 1, "tenant": "docs", "workdir": ".",
       "env": {"LANG": "C"},
       "output_schema": {"type": "object", "required": ["answer"]},
       "model": "any-name", "needs": ["another task's name"],
       "role": "reviewer", "description": "what a person reads",
       "thread": "id of a conversation to go on with",
       "allowlist": {"accept_edits": false, "allow_commands": [],
                     "allow_mcp": [], "deny": []},
       "mcp": {"name": "tools", "url": "http://127.0.0.1:9000/mcp"}},
      {"name": "another task's name", "prompt_file": "prompts/review.md"}
    ]
  })";
  CHECK(schema_says(all) == "fine");
  CHECK(loader_says(all) == "fine");
}

TEST_CASE("a plan may name its schema, which nobody looks for",
          "[config][plan][schema]") {
  const auto made = parsed(with_keys(R"("$schema": "nowhere/plan.json")"));
  REQUIRE(made);
  CHECK(*made == parsed(with_keys(R"("memo": false)")));
}
