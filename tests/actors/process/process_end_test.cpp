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
  auto [script, end] = GENERATE(table<std::string, std::string>({
    {"exit 0", "exit code 0"},
    {"exit 1", "exit code 1"},
    {"exit 75", "exit code 75"},
    {"exit 255", "exit code 255"},
    {"kill -SEGV $$", "killed by SIGSEGV"},
    {"kill -KILL $$", "killed by SIGKILL"},
    {"kill -PIPE $$", "killed by SIGPIPE"},
  }));
  CAPTURE(script);
  auto world = process_world{};
  CHECK(render(world.run(shell(script))) == end);
}

TEST_CASE("stop asks first and kills after the grace", "[actors][process]") {
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
  CAPTURE(script);
  auto world = process_world{};
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

TEST_CASE("a daemon ends with the child that left it behind",
          "[actors][process]") {
  // The child goes once its daemon has said that it is on its own.
  auto [daemon, end] = GENERATE(table<std::string, std::string>({
    {"exec sleep 1000", "exit code 0"},
    {"exec sleep 1000 >/dev/null 2>&1 </dev/null", "exit code 0"},
    {"trap '' TERM HUP; sleep 1000; sleep 1000", "exit code 0"},
    {"setsid setsid sh -c 'sleep 1000 & sleep 1000' & sleep 1000",
     "exit code 0"},
  }));
  CAPTURE(daemon);
  auto folder = temporary_folder{};
  folder.write("daemon", "#!/bin/sh\necho $$; echo >away\n" + daemon, true);
  auto world = process_world{};
  auto begin = std::chrono::steady_clock::now();
  auto exit = world.run(in_folder(
    shell("mkfifo away; setsid ./daemon & read x <away"), folder.path()));
  auto took = std::chrono::steady_clock::now() - begin;
  CHECK(render(exit) == end);
  CHECK_FALSE(is_alive(pid_in(exit.output)));
  CHECK(children_of(::getpid()).empty());
  CHECK(took < 10s);
}

TEST_CASE("a child that is stopped takes its daemons with it",
          "[actors][process]") {
  auto grace = GENERATE(as<duration>{}, 0s, 50ms, 1000s);
  auto world = process_world{};
  auto child = world.start(shell("setsid sh -c 'setsid sleep 1000 & echo $$; "
                                 "exec sleep 1000' & wait; wait"));
  await(child.speaks);
  world.host.stop(child.ticket, grace);
  auto exit = await(child.exit);
  CHECK(exit.stopped);
  CHECK_FALSE(is_alive(pid_in(exit.output)));
  CHECK(children_of(::getpid()).empty());
}

TEST_CASE("a child whose keeper is killed is lost, and ends",
          "[actors][process]") {
  auto world = process_world{};
  auto child = world.start(command({"sleep", "1000"}));
  auto pid = await(child.pid);
  auto keepers = children_of(::getpid());
  REQUIRE(keepers.size() == 1);
  ::kill(keepers.front(), SIGKILL);
  CHECK(render(await(child.exit)) == "its exit was lost");
  CHECK(wait_until([&] { return !is_alive(pid); }));
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

TEST_CASE("an exit is told though this program ignores SIGCHLD",
          "[actors][process]") {
  auto before = std::signal(SIGCHLD, SIG_IGN); // The kernel reaps for us.
  auto world = process_world{};
  auto exit = world.run(command({"sh", "-c", "echo out; exit 3"}));
  auto missing = world.run(command({"no-such-program"}));
  std::signal(SIGCHLD, before);
  CHECK(render(exit) == "exit code 3");
  CHECK(exit.output == "out\n");
  CHECK(missing.failure.problem == start_problem::no_such_program);
}
