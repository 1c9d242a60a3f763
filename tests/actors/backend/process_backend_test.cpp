#include "messages/utf8.hpp"
#include "tests/actors/backend/process_backend_world.hpp"

#include <string>

using namespace turnstile;
using world = turnstile::test::process_backend_world;

TEST_CASE("process_backend gives the prompt and takes the text as answer",
          "[actors][backend]") {
  world w{"cat"};
  auto task = world::task();
  task.set_prompt("say \"hi\"\n");
  auto outcome = w.run(task);
  REQUIRE(outcome.has_result());
  CHECK(outcome.result().output_json() == R"("say \"hi\"")");
  CHECK(outcome.result().agent_id() == "agent-1");
  CHECK(outcome.result().status() == wire::AGENT_STATUS_OK);
}

TEST_CASE("process_backend takes one JSON value as it is, compacted",
          "[actors][backend]") {
  world w{"cat"};
  auto task = world::task();
  task.set_output_schema_json("{}");
  task.set_prompt("{ \"b\" : [1, 1.50],\n \"a\": \"x \\\" y\" }\n");
  CHECK(w.output_of(task) == R"({"b":[1,1.50],"a":"x \" y"})");
}

TEST_CASE("process_backend says that text is no JSON if there is a schema",
          "[actors][backend]") {
  world w{"echo hello"};
  auto task = world::task();
  task.set_output_schema_json("{}");
  CHECK(w.output_of(task) == R"({"_agent_fallback_text":true,"text":"hello"})");
}

TEST_CASE("process_backend takes output that was cut as text",
          "[actors][backend]") {
  auto settings = world::shell("echo 123456");
  settings.max_output = 3;
  world w{settings};
  const auto result = w.run(world::task()).result();
  CHECK(result.output_json() == R"("123")");
  CHECK(result.output_cut_bytes() == 4);
}

TEST_CASE("process_backend says what it had to replace in an output",
          "[actors][backend]") {
  world w{R"(printf 'a\377b\376')"};
  const auto result = w.run(world::task()).result();
  CHECK(result.output_json()
        == "\"a\xEF\xBF\xBD"
           "b\xEF\xBF\xBD\"");
  CHECK(result.output_replaced_bytes() == 2);
}

TEST_CASE("process_backend gives the end of what a child said beside",
          "[actors][backend]") {
  auto [script, tail, bytes] =
    GENERATE(table<std::string, std::string, std::uint64_t>({
      {"echo said >&2", "said\n", 5},
      {"echo said >&2; exit 3", "said\n", 5},
      // Cut in the middle of a character, which is left out.
      {"yes \xC3\xA9 | head -c 6001 >&2", "cut", 6001},
    }));
  world w{script};
  const auto outcome = w.run(world::task());
  const auto& log =
    outcome.has_result() ? outcome.result().logs() : outcome.logs();
  CHECK(log.bytes() == bytes);
  if (tail != "cut") {
    CHECK(log.tail() == tail);
    return;
  }
  CHECK(log.tail().size() > 4000);
  CHECK(log.tail().size() <= 4096 + 3);
  CHECK(to_utf8(log.tail()) == log.tail());
}

TEST_CASE("process_backend's failures have a kind and the child's last words",
          "[actors][backend]") {
  auto [script, expected] = GENERATE(table<std::string, backend_error>({
    {"exit 75", {backend_error_kind::spawn, "exit code 75"}},
    {"kill -9 $$", {backend_error_kind::spawn, "killed by SIGKILL"}},
    {"echo lost; echo one >&2; echo two >&2; exit 3",
     {backend_error_kind::execution, "exit code 3: one\ntwo"}},
  }));
  world w{script};
  CHECK(w.error_of(world::task()) == expected);
}

TEST_CASE("process_backend's program may be missing, or be none",
          "[actors][backend]") {
  process_backend_settings settings;
  settings.command = {"/no/such/program"};
  world missing{settings};
  auto error = missing.error_of(world::task());
  CHECK(error.kind == backend_error_kind::spawn);
  CHECK_THAT(error.text, Catch::Matchers::ContainsSubstring("no such program"));

  settings.command.clear();
  world none{settings};
  CHECK(none.error_of(world::task()).kind == backend_error_kind::config);
}

TEST_CASE("process_backend tells its children for whom they work",
          "[actors][backend]") {
  auto settings =
    world::shell(R"(echo "$TURNSTILE_RUN $TURNSTILE_TASK $TURNSTILE_ATTEMPT)"
                 R"( $TURNSTILE_BACKEND $OURS $THEIRS")");
  settings.env = {{"OURS", "settings"}, {"THEIRS", "settings"}};
  world w{settings};
  auto task = world::task();
  (*task.mutable_env())["THEIRS"] = "task";
  CHECK(w.run(task, 2).result().output_json()
        == R"("run-1 agent-1 2 shell settings task")");
  task.set_name("build");
  CHECK(w.run(task, 3).result().output_json()
        == R"("run-1 build 3 shell settings task")");
}

TEST_CASE("process_backend starts children where the task says",
          "[actors][backend]") {
  world w{"pwd"};
  auto task = world::task();
  task.set_workdir("/usr");
  CHECK(w.output_of(task) == R"("/usr")");
  task.set_workdir_override("/");
  CHECK(w.output_of(task) == R"("/")");
}

TEST_CASE("process_backend refuses a payload that is no task",
          "[actors][backend]") {
  world w{"cat"};
  auto order = world::order(world::task());
  order.set_payload("\xff");
  auto ended = w.answered<wire::Completed>(w.ask(order));
  CHECK(from_wire(ended.failure()).value().code == errc::invalid_argument);
  CHECK(ended.submission() == 1);
}

TEST_CASE("process_backend says what it is able to do", "[actors][backend]") {
  world w{"cat"};
  auto able = w.answered<wire::BackendCapabilities>(
    w.ask(wire::BackendCapabilitiesQuery{}));
  CHECK(able.backend() == "shell");
  CHECK(able.physically_preemptible());
}
