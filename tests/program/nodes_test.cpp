#include "tests/program/node_processes.hpp"

#include <arpa/inet.h>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

// Servers, workers and clients as processes of their own, over real sockets.

using namespace program_tests;

TEST_CASE("a plan runs at a server's workers as it would here",
          "[program][nodes]") {
  plan_folder f{scripts({{"a", "echo '\"one\"'"}, {"b", "echo 2; exit 0"}})};
  f.write("worker.json", one_shell);
  server hub{f.path()};
  worker left{f.path(), hub.address, "left"};
  auto how = client(f.path(), hub.address).wait();
  CHECK(how.code == 0);
  CHECK(told(how) == R"(a ok "one". b ok 2. )");
  CHECK_THAT(how.err, ContainsSubstring("[2/2]"));
  ends_well(left.process());
  ends_well(hub.process());
}

TEST_CASE("a worker may come after the plan", "[program][nodes]") {
  plan_folder f{scripts({{"a", "echo 1"}})};
  f.write("worker.json", one_shell);
  server hub{f.path()};
  auto waits = client(f.path(), hub.address);
  CHECK_THAT(waits.error_line(),
             ContainsSubstring("no worker offers sh yet; its tasks wait"));
  worker left{f.path(), hub.address, "left"};
  const auto how = waits.wait();
  CHECK(told(how) == "a ok 1. ");
  ends_well(left.process());
  ends_well(hub.process());
}

TEST_CASE("what a killed worker had runs again at another one, and its "
          "children are gone",
          "[program][nodes]") {
  plan_folder f{scripts(
    {{"a", "exec 9>news; if mkdir first 2>/dev/null; then echo up >&9; exec "
           "sleep 600; fi; echo 2"}})};
  f.write("worker.json", one_shell);
  news_pipe news{f.path()};
  server hub{f.path()};
  worker left{f.path(), hub.address, "left"};
  auto running = client(f.path(), hub.address);
  CHECK(news.line() == "up");
  worker right{f.path(), hub.address, "right"};
  left.process().signal(SIGKILL);
  const auto how = running.wait();
  CHECK(told(how) == "a ok 2. ");
  CHECK(json::parse(how.out)["tasks"][0]["attempts"] == 2);
  CHECK(news.rest().empty());
  const auto seen = nodes(f.path(), hub.address);
  CHECK(seen["workers_lost"] == 1);
  CHECK(seen["works_lost"] == 1);
  REQUIRE(seen["workers"].size() == 1);
  CHECK(seen["workers"][0]["name"] == "right");
  ends_well(right.process());
  ends_well(hub.process());
}

TEST_CASE("a worker that is asked to end finishes first; asked twice it hands "
          "back",
          "[program][nodes]") {
  plan_folder f{scripts(
    {{"a", "exec 9>news; if mkdir first 2>/dev/null; then mkfifo hold; echo up "
           ">&9; read never <hold; fi; echo 2"}})};
  f.write("worker.json", one_shell);
  news_pipe news{f.path()};
  server hub{f.path()};
  worker left{f.path(), hub.address, "left"};
  auto running = client(f.path(), hub.address);
  CHECK(news.line() == "up");
  left.process().signal(SIGTERM);
  while (!nodes(f.path(), hub.address)["workers"][0]["leaving"].get<bool>()) {
  }
  SECTION("once") {
    std::ofstream{f.path() / "hold"} << "go on\n";
    CHECK(left.process().wait().code == 0);
    CHECK(told(running.wait()) == "a ok 2. ");
  }
  SECTION("twice") {
    worker right{f.path(), hub.address, "right"};
    left.process().signal(SIGTERM);
    CHECK(left.process().wait().code == 0);
    const auto how = running.wait();
    CHECK(told(how) == "a ok 2. ");
    CHECK(json::parse(how.out)["tasks"][0]["attempts"] == 2);
    ends_well(right.process());
  }
  ends_well(hub.process());
}

TEST_CASE("a run goes on without its client, and is found again by its "
          "identity",
          "[program][nodes]") {
  const std::string id = "0197f0a2-7f00-7000-8000-000000000001";
  plan_folder f{scripts({{"a", "exec 9>news; mkfifo hold; echo up >&9; read x "
                               "<hold; echo \"\\\"$x\\\"\""}})};
  f.write("worker.json", one_shell);
  news_pipe news{f.path()};
  server hub{f.path()};
  worker left{f.path(), hub.address, "left"};
  auto first = client(f.path(), hub.address, {"--run", id});
  CHECK(news.line() == "up");
  first.signal(SIGINT);
  const auto left_alone = first.wait();
  CHECK(left_alone.code == 5);
  CHECK_THAT(left_alone.err, ContainsSubstring("--run " + id));

  SECTION("the same plan") {
    auto again = client(f.path(), hub.address, {"--run", id});
    std::ofstream{f.path() / "hold"} << "go on\n";
    CHECK(told(again.wait()) == R"(a ok "go on". )");
    // The end is still there for who asks later.
    CHECK(told(client(f.path(), hub.address, {"--run", id}).wait())
          == R"(a ok "go on". )");
  }
  SECTION("another plan") {
    f.write("plan.json", scripts({{"a", "echo 1"}}));
    const auto how = client(f.path(), hub.address, {"--run", id}).wait();
    CHECK(how.code == 2);
    CHECK_THAT(how.err, ContainsSubstring("is there already, of another plan"));
    std::ofstream{f.path() / "hold"} << "go on\n";
  }
  SECTION("cancelled from elsewhere") {
    const auto how =
      program{f.path(), {"cancel", id, "--connect", hub.address}}.wait();
    CHECK(how.code == 0);
    const auto ended = client(f.path(), hub.address, {"--run", id}).wait();
    CHECK(ended.code == 3);
    CHECK(told(ended) == "a cancelled null. ");
  }
  ends_well(left.process());
  ends_well(hub.process());
}

TEST_CASE("a server that was killed goes on with its runs, and nobody misses "
          "anything",
          "[program][nodes]") {
  plan_folder f{scripts({{"a", "echo ran >>log; echo 1"},
                         {"b", "exec 9>news; if mkdir first 2>/dev/null; then "
                               "echo up >&9; exec sleep 600; fi; echo 2"}},
                        R"("concurrency": 1,)")};
  f.write("worker.json", one_shell);
  news_pipe news{f.path()};
  auto hub = std::make_unique<server>(
    f.path(), std::vector<std::string>{"--concurrency", "1"});
  worker left{f.path(), hub->address, "left"};
  auto running = client(f.path(), hub->address);
  CHECK(news.line() == "up");
  const auto address = hub->address;
  const auto killed = GENERATE(true, false);
  if (killed) {
    hub->process().signal(SIGKILL);
    CHECK(hub->process().wait().code == -SIGKILL);
  } else {
    ends_well(hub->process());
  }
  CHECK(news.rest().empty()); // its worker has stopped what it had
  hub = std::make_unique<server>(f.path(), std::vector<std::string>{}, address);
  const auto how = running.wait();
  CHECK(how.code == 0);
  CHECK(told(how) == "a ok 1. b ok 2. ");
  CHECK(content_of(f.path() / "log") == "ran\n");
  ends_well(left.process());
  ends_well(hub->process());
}

namespace {

/// Says something to a port of this machine as somebody who is no node.
class stranger {
public:
  explicit stranger(const std::string& port)
    : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(fd_, reinterpret_cast<sockaddr*>(&where), sizeof(where))
            == 0);
  }

  stranger(const stranger&) = delete;
  ~stranger() { close(fd_); }

  void say(const std::string& bytes) const {
    (void)send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  /// Waits until nobody listens any more.
  void wait_for_the_end() const {
    std::string heard;
    pollfd fds[] = {{fd_, POLLIN, 0}};
    while (poll(fds, 1, patience{}.left()) > 0 && read_some(fd_, heard))
      ;
  }

private:
  int fd_;
};

} // namespace

TEST_CASE("garbage on the port harms nobody", "[program][nodes]") {
  plan_folder f{scripts({{"a", "echo 1"}})};
  f.write("worker.json", one_shell);
  server hub{f.path()};
  worker left{f.path(), hub.address, "left"};
  const std::vector<std::string> all{
    "GET / HTTP/1.1\r\n\r\n", std::string(4096, '\0'),
    std::string(100'000, '\xff'), "", std::string("\x00\x00", 2)};
  for (const auto& garbage : all)
    stranger{hub.port()}.say(garbage);
  CHECK(told(client(f.path(), hub.address).wait()) == "a ok 1. ");
  ends_well(left.process());
  ends_well(hub.process());
}

TEST_CASE("a frame that claims to be huge is not believed",
          "[program][nodes]") {
  plan_folder f{scripts({{"a", "echo 1"}})};
  server hub{f.path()};
  // CAF's header: operation, reserved, flags, length; it answers a handshake.
  for (const char operation : {'\0', '\1', '\4', '\5'}) {
    const stranger liar{hub.port()};
    liar.say(std::string{operation} + std::string(3, '\0') + "\xff\xff\xff\xf0"
             + std::string(124, '\0'));
    liar.wait_for_the_end();
  }
  CHECK(nodes(f.path(), hub.address)["clients"] == 1);
  CHECK(hub.process().peak_memory() < 200'000'000);
  ends_well(hub.process());
}

TEST_CASE("what is wrong with a node's settings is said before it begins",
          "[program][nodes]") {
  plan_folder f{scripts({{"a", "echo 1"}})};
  f.write("worker.json", R"({"backends": {}, "conect": "x"})");
  auto says = [&](std::vector<std::string> words) {
    const auto how = program{f.path(), std::move(words)}.wait();
    CHECK(how.code == 2);
    return how.err;
  };
  CHECK_THAT(
    says({"worker", "worker.json"}),
    ContainsSubstring("worker.json:1:18: conect: unknown key \"conect\"; "
                      "did you mean \"connect\"?"));
  CHECK_THAT(says({"serve", "--listen", "0.0.0.0:1", "--no-journal"}),
             ContainsSubstring("would let in everybody"));
  CHECK_THAT(says({"serve", "--listen", "1.2.3.4:99999"}),
             ContainsSubstring("the port is a number from 0 to 65535"));
  CHECK_THAT(says({"run", "plan.json", "--run", "x"}),
             ContainsSubstring("--run goes with --connect"));
  CHECK_THAT(says({"nodes"}), ContainsSubstring("--connect HOST:PORT is"));
  CHECK_THAT(says({"nodes", "--connect", "127.0.0.1:1"}),
             ContainsSubstring("127.0.0.1:1: "));
}
