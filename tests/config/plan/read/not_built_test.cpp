#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"

using namespace turnstile;
using namespace turnstile::config;

TEST_CASE("what this version cannot do is refused, never ignored",
          "[config][plan]") {
  const auto [text, sentence] = GENERATE(table<std::string, std::string>({
    {with_tasks(R"({"name": "a", "prompt": "", "weight": 2})"),
     "plan.json:3:39: tasks[0].weight: not built yet: in this version all "
     "tasks weigh the same"},
    {with_tasks(R"({"name": "a", "prompt": "", "tenant": "docs"})"),
     "plan.json:3:39: tasks[0].tenant: not built yet: in this version tenants "
     "are not told apart"},
    {with_tasks(R"({"name": "a", "prompt": "", "allowlist":
               {"accept_edits": true, "allow_commands": ["ls"],
                "allow_mcp": [], "deny": []}})"),
     "plan.json:4:16: tasks[0].allowlist: not built yet: in this version no "
     "backend asks for permission"},
    {with_tasks(R"({"name": "a", "prompt": "", "mcp":
               {"name": "t", "url": "http://127.0.0.1:9000/mcp"}})"),
     "plan.json:4:16: tasks[0].mcp: not built yet: in this version no backend "
     "connects to tool servers"},
  }));
  const auto made = parsed(text);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == errc::not_built_yet);
  CHECK(made.error().detail == sentence);
}
