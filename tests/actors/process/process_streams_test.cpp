#include "tests/actors/process/process_world.hpp"

#include <algorithm>
#include <atomic>

using namespace turnstile;
using namespace turnstile::test;

namespace {

constexpr auto megabyte = std::size_t{1} << 20;

std::string noise(std::size_t size) {
  auto out = std::string(size, '\0');
  auto state = std::uint32_t{1};
  for (auto& c : out) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>(state >> 24);
  }
  return out;
}

} // namespace

TEST_CASE("a child reads its prompt and its answer is kept",
          "[actors][process]") {
  auto world = process_world{};
  auto exit = world.run(with_input(command({"cat"}), "a prompt\n"));
  CHECK(to_string(exit) == "exit code 0");
  CHECK(exit.output == "a prompt\n");
  CHECK(exit.output_bytes == 9);
  CHECK_FALSE(exit.output_cut());
  CHECK_FALSE(exit.stopped);
  CHECK_FALSE(exit.left_open);
}

TEST_CASE("a child without a prompt finds the end of file at once",
          "[actors][process]") {
  auto world = process_world{};
  CHECK(world.run(command({"wc", "-c"})).output == "0\n");
}

TEST_CASE("ten megabytes go through a child both ways at once",
          "[actors][process]") {
  auto sent = noise(10 * megabyte);
  auto spec = with_input(command({"cat"}), sent);
  spec.max_output = 16 * megabyte;
  auto world = process_world{};
  auto exit = world.run(std::move(spec));
  CHECK(exit.output_bytes == sent.size());
  CHECK((exit.output == sent)); // Not printed if it is not.
}

TEST_CASE("a child that does not read a big prompt succeeds all the same",
          "[actors][process]") {
  auto script = GENERATE(as<std::string>{}, "echo done", "exec <&-; echo done",
                         "head -c 1000 >/dev/null; echo done");
  CAPTURE(script);
  auto world = process_world{};
  auto exit = world.run(with_input(shell(script), noise(100 * megabyte)));
  CHECK(to_string(exit) == "exit code 0");
  CHECK(exit.output == "done\n");
}

TEST_CASE("a child that never reads holds nobody up", "[actors][process]") {
  auto world = process_world{};
  auto idle =
    world.start(with_input(command({"sleep", "1000"}), noise(megabyte)));
  await(idle.pid);
  CHECK(world.run(with_input(command({"cat"}), "hello")).output == "hello");
  world.host.stop(idle.ticket, std::chrono::seconds{10});
  CHECK(to_string(await(idle.exit)) == "killed by SIGTERM");
}

TEST_CASE("a flood on both outputs is counted and takes no memory",
          "[actors][process]") {
  auto world = process_world{};
  auto before = resident_bytes();
  auto most = std::atomic<std::size_t>{0};
  auto exit = std::promise<process_exit>{};
  auto spec = shell("head -c 200000000 /dev/zero & "
                    "head -c 200000000 /dev/zero >&2; wait");
  spec.progress_interval = std::chrono::milliseconds{1};
  world.host.start(std::move(spec),
                   {[&](process_exit told) { exit.set_value(std::move(told)); },
                    [&](const process_progress&) {
                      most = std::max(most.load(), resident_bytes());
                    }});
  auto future = exit.get_future();
  auto told = await(future);
  CHECK(to_string(told) == "exit code 0");
  CHECK(told.output_bytes == 200'000'000);
  CHECK(told.log_bytes == 200'000'000);
  CHECK(told.output.size() == megabyte);
  CHECK(told.output_cut());
  CHECK(told.log.size() == 64 << 10);
  CHECK(most.load() < before + 32 * megabyte);
}

TEST_CASE("output up to the limit is whole, and one byte more is cut",
          "[actors][process]") {
  auto [limit, kept, cut] = GENERATE(table<std::size_t, std::string, bool>({
    {0, "", true},
    {4, "1234", true},
    {5, "12345", false},
    {6, "12345", false},
  }));
  CAPTURE(limit);
  auto spec = command({"printf", "12345"});
  spec.max_output = limit;
  auto world = process_world{};
  auto exit = world.run(std::move(spec));
  CHECK(exit.output == kept);
  CHECK(exit.output_bytes == 5);
  CHECK(exit.output_cut() == cut);
}

TEST_CASE("the end of standard error is kept", "[actors][process]") {
  auto spec = shell("i=0; while [ $i -lt 1000 ]; do echo line $i >&2; "
                    "i=$((i+1)); done; printf last >&2; exit 3");
  spec.max_log = 21;
  auto world = process_world{};
  auto exit = world.run(std::move(spec));
  CHECK(to_string(exit) == "exit code 3");
  CHECK(exit.log == "ine 998\nline 999\nlast");
  CHECK(exit.log_bytes == 8894);
  CHECK(exit.output.empty());
}

TEST_CASE("bytes come as they are", "[actors][process]") {
  auto world = process_world{};
  auto bytes = std::string("\0\xFF\xC3\n\0", 5);
  CHECK(world.run(with_input(command({"cat"}), bytes)).output == bytes);
}

TEST_CASE("a child can open its standard streams by name",
          "[actors][process]") {
  auto [script, output] = GENERATE(table<std::string, std::string>({
    {"wc -l /dev/stdin", "2 /dev/stdin\n"},
    {"echo out > /dev/stdout", "out\n"},
    {"echo log > /dev/stderr; cat /proc/self/fd/0", "a\nb\n"},
    {"for n in 0 1 2; do [ -p /proc/$$/fd/$n ] && echo pipe; done",
     "pipe\npipe\npipe\n"},
  }));
  CAPTURE(script);
  auto world = process_world{};
  auto exit = world.run(with_input(shell(script), "a\nb\n"));
  CHECK(exit.output == output);
  CHECK(to_string(exit) == "exit code 0");
}

TEST_CASE("progress is told when a child runs and when bytes come",
          "[actors][process]") {
  auto world = process_world{};
  auto child = world.start(shell("printf one; sleep 1000"));
  auto pid = await(child.pid);
  await(child.speaks);
  world.host.stop_now(child.ticket);
  CHECK(await(child.exit).pid == pid);
}

TEST_CASE("the last bytes are told, too, when nothing follows them",
          "[actors][process]") {
  auto world = process_world{};
  auto all = std::promise<void>{};
  auto exit = std::promise<process_exit>{};
  auto spec = shell("printf one; read gate; printf two; exec sleep 1000");
  spec.input = "go\n";
  spec.progress_interval = std::chrono::milliseconds{20};
  auto ticket = world.host.start(
    std::move(spec),
    {[&](process_exit told) { exit.set_value(std::move(told)); },
     [&, told = false](const process_progress& so_far) mutable {
       if (so_far.output_bytes == 6 && !std::exchange(told, true))
         all.set_value();
     }});
  auto seen = all.get_future();
  await(seen);
  world.host.stop_now(ticket);
  auto end = exit.get_future();
  CHECK(await(end).output == "onetwo");
}
