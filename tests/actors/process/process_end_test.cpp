#include "tests/actors/process/process_world.hpp"

#include <csignal>

using namespace turnstile;
using namespace turnstile::test;
using namespace std::chrono_literals;

namespace {

std::string render(const process_exit& exit) {
  return to_string(exit) + (exit.stopped ? ", stopped" : "")
         + (exit.needed_kill ? ", needed kill" : "")
         + (exit.left_open ? ", left open" : "");
}

pid_t pid_in(const std::string& output) {
  return static_cast<pid_t>(std::stol(output));
}

} // namespace

TEST_CASE("a child's exit code or signal is told", "[actors][process]") {
  auto use_pidfd = GENERATE(true, false);
  auto [script, end] = GENERATE(table<std::string, std::string>({
    {"exit 0", "exit code 0"},
    {"exit 1", "exit code 1"},
    {"exit 75", "exit code 75"},
    {"exit 255", "exit code 255"},
    {"kill -SEGV $$", "killed by SIGSEGV"},
    {"kill -KILL $$", "killed by SIGKILL"},
    {"kill -PIPE $$", "killed by SIGPIPE"},
  }));
  CAPTURE(use_pidfd, script);
  auto world = process_world{{use_pidfd}};
  CHECK(render(world.run(shell(script))) == end);
}

TEST_CASE("stop asks first and kills after the grace", "[actors][process]") {
  auto use_pidfd = GENERATE(true, false);
  auto [script, grace, end] =
    GENERATE(table<std::string, duration, std::string>({
      {"echo; sleep 1000", 50s, "killed by SIGTERM, stopped"},
      {"trap 'exit 7' TERM; echo; sleep 1000 & wait", 50s,
       "exit code 7, stopped"},
      {"trap '' TERM; echo; sleep 1000", 50ms,
       "killed by SIGKILL, stopped, needed kill"},
      {"trap '' TERM; echo; while :; do :; done", 50ms,
       "killed by SIGKILL, stopped, needed kill"},
      {"echo; kill -STOP $$; sleep 1000", 50s, "killed by SIGTERM, stopped"},
      {"echo; sleep 1000", 0s, "killed by SIGKILL, stopped, needed kill"},
    }));
  CAPTURE(use_pidfd, script);
  auto world = process_world{{use_pidfd}};
  auto child = world.start(shell(script));
  auto pid = await(child.pid);
  await(child.speaks);
  world.host.stop(child.ticket, grace);
  CHECK(render(await(child.exit)) == end);
  CHECK(wait_until([&] { return session_is_dead(pid); }));
}

TEST_CASE("the earlier end of two stops counts", "[actors][process]") {
  auto [first, second] = GENERATE(table<duration, duration>({
    {1000s, 10ms},
    {10ms, 1000s},
    {1000s, 0s},
    {duration::max(), 10ms},
  }));
  auto world = process_world{};
  auto child = world.start(shell("trap '' TERM; echo; sleep 1000"));
  await(child.speaks);
  world.host.stop(child.ticket, first);
  world.host.stop(child.ticket, second);
  CHECK(render(await(child.exit)) == "killed by SIGKILL, stopped, needed kill");
}

TEST_CASE("stop ends the whole group", "[actors][process]") {
  auto script = GENERATE(as<std::string>{}, "sleep 1000 & echo; sleep 1000",
                         "sh -c 'sleep 1000 & echo; sleep 1000'; echo",
                         // The inner process ignores TERM and end of input.
                         "sh -c 'trap \"\" TERM; echo; "
                         "while :; do sleep 1000; done' <&- & wait",
                         // timeout(1) moves to a group of its own.
                         "timeout 1000 sh -c 'echo; sleep 1000' & wait",
                         "timeout 1000 sh -c 'trap \"\" TERM; echo; "
                         "sleep 1000' >/dev/stderr & sleep 0.1; echo; wait");
  CAPTURE(script);
  auto world = process_world{};
  auto child = world.start(shell(script));
  auto pid = await(child.pid);
  await(child.speaks);
  world.host.stop(child.ticket, 1000s);
  CHECK(render(await(child.exit)) == "killed by SIGTERM, stopped");
  CHECK(wait_until([&] { return session_is_dead(pid); }));
}

TEST_CASE("whatever a leader leaves in its group ends with it",
          "[actors][process]") {
  auto [script, end] = GENERATE(table<std::string, std::string>({
    {"sleep 1000 & echo done", "exit code 0"},
    {"sleep 1000 >/dev/null 2>&1 <&- & echo done", "exit code 0"},
    {"(trap '' TERM HUP; sleep 1000) & echo done; exit 3", "exit code 3"},
    {"sleep 1000 & echo done; kill -SEGV $$", "killed by SIGSEGV"},
    {"timeout 1000 sleep 1000 & echo done", "exit code 0"},
  }));
  CAPTURE(script);
  auto world = process_world{};
  auto exit = world.run(shell(script));
  CHECK(render(exit) == end);
  CHECK(exit.output == "done\n");
  CHECK(wait_until([&] { return session_is_dead(exit.pid); }));
}

TEST_CASE("a daemon that holds the pipes does not hold up the end",
          "[actors][process]") {
  auto folder = temporary_folder{};
  auto world = process_world{};
  auto begin = std::chrono::steady_clock::now();
  // The leader goes once its daemon has said that it is on its own.
  auto exit = world.run(in_folder(
    shell("mkfifo away; setsid sh -c 'echo $$; echo >away; exec sleep 1000' & "
          "read x <away"),
    folder.path()));
  auto took = std::chrono::steady_clock::now() - begin;
  auto daemon = pid_in(exit.output);
  CHECK(render(exit) == "exit code 0, left open");
  CHECK(is_alive(daemon)); // It is nobody's group. A guard will find it.
  CHECK(took < 10s);
  ::kill(daemon, SIGKILL);
}

TEST_CASE("output that was in the pipe when the leader exited is not lost",
          "[actors][process]") {
  auto world = process_world{};
  auto exit = world.run(command({"head", "-c", "60000", "/dev/zero"}));
  CHECK(exit.output_bytes == 60'000);
}

TEST_CASE("stop of a child that has exited changes nothing",
          "[actors][process]") {
  auto world = process_world{};
  auto child = world.start(command({"true"}));
  CHECK(render(await(child.exit)) == "exit code 0");
  world.host.stop(child.ticket, 10ms);
  world.host.stop_now(child.ticket);
  world.host.stop_now(process_ticket{12345});
  CHECK(render(world.run(command({"true"}))) == "exit code 0");
}

TEST_CASE("an exit that somebody else has taken is told as lost",
          "[actors][process]") {
  auto before = std::signal(SIGCHLD, SIG_IGN); // The kernel reaps for us.
  auto world = process_world{};
  auto exit = world.run(command({"sh", "-c", "echo out; exit 3"}));
  auto missing = world.run(command({"no-such-program"}));
  std::signal(SIGCHLD, before);
  CHECK(render(exit) == "its exit was lost");
  CHECK(exit.output == "out\n");
  CHECK(missing.failure.problem == start_problem::no_such_program);
}
