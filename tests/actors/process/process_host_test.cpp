#include "tests/actors/process/process_world.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <vector>

using namespace turnstile;
using namespace turnstile::test;
using namespace std::chrono_literals;

namespace {

bool has_no_child() {
  return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

} // namespace

TEST_CASE("ten thousand short children leave nothing behind",
          "[actors][process]") {
  const int waves = sanitized ? 20 : 200; // of fifty
  auto world = process_world{};
  world.run(command({"true"}));
  auto descriptors = open_descriptors();
  int succeeded = 0;
  for (int wave = 0; wave < waves; ++wave) {
    auto children = std::vector<started_process>{};
    for (int n = 0; n < 50; ++n)
      children.push_back(world.start(command({"true"})));
    for (auto& child : children)
      succeeded += to_string(await(child.exit)) == "exit code 0" ? 1 : 0;
  }
  CHECK(succeeded == 50 * waves);
  CHECK(has_no_child());
  CHECK(wait_until([&] { return open_descriptors() == descriptors; }));
}

TEST_CASE("process_host ends its children when it goes", "[actors][process]") {
  // libuv opens some descriptors for good at its first use.
  process_world{}.run(command({"true"}));
  auto descriptors = open_descriptors();
  auto pids = std::vector<pid_t>{};
  auto exits = std::vector<std::future<process_exit>>{};
  {
    auto world = process_world{};
    for (const auto* script : {"sleep 1000", "trap '' TERM; echo; sleep 1000",
                               "sleep 1000 & sleep 1000"}) {
      auto child =
        world.start(with_input(shell(script), std::string(1'000'000, 'x')));
      pids.push_back(await(child.pid));
      exits.push_back(std::move(child.exit));
    }
  }
  for (auto& exit : exits) {
    auto told = await(exit);
    CHECK(to_string(told) == "killed by SIGKILL");
    CHECK(told.stopped);
  }
  for (auto pid : pids)
    CHECK(wait_until([&] { return session_is_dead(pid); }));
  CHECK(has_no_child());
  CHECK(open_descriptors() == descriptors);
}

TEST_CASE("process_host answers every start, also when it goes at once",
          "[actors][process]") {
  auto stopped = std::atomic<int>{0};
  {
    auto host = process_host{};
    for (int n = 0; n < 200; ++n)
      host.start(command({"sleep", "1000"}), {[&](const process_exit& exit) {
                                                stopped += exit.stopped ? 1 : 0;
                                              },
                                              {}});
  }
  CHECK(stopped == 200);
  CHECK(has_no_child());
}

TEST_CASE("process_host serves many threads", "[actors][process]") {
  auto world = process_world{};
  auto right = std::atomic<int>{0};
  auto threads = std::vector<std::thread>{};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&world, &right, t] {
      for (int n = 0; n < 10; ++n) {
        auto text = std::to_string(t) + '/' + std::to_string(n);
        auto echo = world.start(with_input(command({"cat"}), text));
        auto idle = world.start(command({"sleep", "1000"}));
        world.host.stop(idle.ticket, 50s);
        auto idle_end = to_string(idle.exit.get());
        right += echo.exit.get().output == text ? 1 : 0;
        right += idle_end == "killed by SIGTERM" ? 1 : 0;
      }
    });
  for (auto& thread : threads)
    thread.join();
  CHECK(right == 80);
}

TEST_CASE("a callback may start the next child", "[actors][process]") {
  auto host = process_host{};
  auto ends = std::vector<std::string>{};
  auto done = std::promise<void>{};
  std::function<void(int)> start = [&](int left) {
    host.start(shell("exit " + std::to_string(left)),
               {[&, left](const process_exit& exit) {
                  ends.push_back(to_string(exit));
                  left == 0 ? done.set_value() : start(left - 1);
                },
                {}});
  };
  start(2);
  auto future = done.get_future();
  await(future);
  CHECK(
    ends
    == std::vector<std::string>{"exit code 2", "exit code 1", "exit code 0"});
}

TEST_CASE("a flood does not hold up another child", "[actors][process]") {
  auto world = process_world{};
  auto flood = world.start(shell("cat /dev/zero & cat /dev/zero >&2"));
  await(flood.speaks);
  for (int n = 0; n < 10; ++n)
    CHECK(world.run(with_input(command({"cat"}), "hello")).output == "hello");
  world.host.stop(flood.ticket, 50s);
  CHECK(await(flood.exit).output_cut());
}

TEST_CASE("nothing of a child survives a program that is killed",
          "[actors][process]") {
  // One that ignores what can be ignored, what it runs in the background, and
  // a daemon in a session of its own that has let go of our pipes.
  auto folder = temporary_folder{};
  folder.write("child",
               "#!/bin/sh\ntrap '' TERM HUP INT\nmkfifo away\n"
               "setsid sh -c 'echo $$ >>pids; echo >away; exec sleep 1000' "
               ">/dev/null 2>&1 </dev/null &\n"
               "read x <away\nsleep 1000 &\necho $! >>pids\necho $$ >>pids\n"
               "echo ready\nwait\n",
               true);
  unique_fd out;
  auto program = in_another_program(out, [&](int fd) {
    auto host = process_host{};
    auto spec = in_folder(command({"./child"}), folder.path());
    spec.progress_interval = duration::zero();
    host.start(spec,
               {[](const process_exit&) {},
                [fd](const process_progress& progress) {
                  if (progress.output_bytes > 0 && ::write(fd, "!", 1) < 0)
                    ::_exit(1);
                }});
    ::pause();
  });
  char ready = 0;
  REQUIRE(::read(out.get(), &ready, 1) == 1);
  auto keepers = children_of(program);
  REQUIRE(keepers.size() == 1);
  auto pids = std::vector<pid_t>{keepers};
  auto file = std::ifstream{folder.path() / "pids"};
  for (pid_t pid = 0; file >> pid;) {
    CHECK(is_alive(pid));
    pids.push_back(pid);
  }
  REQUIRE(pids.size() == 4);
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  for (auto pid : pids)
    CHECK(wait_until([&] { return !is_alive(pid); }));
}
