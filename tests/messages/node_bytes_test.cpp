#include "messages/deterministic.hpp"
#include "messages/json.hpp"
#include "messages/node.pb.h"
#include "tests/catch.hpp"

#include <string>
#include <string_view>

// What nodes of protocol 1 have sent. Every later version reads these bytes as
// they are meant here, or speaks another protocol.

using namespace turnstile;

namespace {

std::string bytes_in(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(
      static_cast<char>(std::stoi(std::string{hex.substr(i, 2)}, nullptr, 16)));
  return bytes;
}

/// Reads an envelope of protocol 1, which must come out again as it was.
wire::Envelope read(std::string_view hex) {
  wire::Envelope letter;
  REQUIRE(letter.ParseFromString(bytes_in(hex)));
  CHECK(deterministic_bytes(letter) == bytes_in(hex));
  CHECK(letter.protocol() == 1);
  CHECK(letter.link() == 0x0102030405060708);
  return letter;
}

} // namespace

TEST_CASE("a worker's Hello and its Welcome are read as they were sent",
          "[messages][node]") {
  const auto hello = read("08011108070605040302011a24080112046c656674190900000"
                          "0000000002205302e312e302a080a060a02736818023003")
                       .hello();
  CHECK(hello.role() == wire::NODE_ROLE_WORKER);
  CHECK(hello.name() == "left");
  CHECK(hello.incarnation() == 9);
  CHECK(hello.version() == "0.1.0");
  REQUIRE(hello.backends_size() == 1);
  CHECK(hello.backends(0).terms().name() == "sh");
  CHECK(hello.backends(0).terms().concurrency() == 2);
  CHECK(hello.fenced() == 3);
  const auto welcome =
    read("0801110807060504030201221a0a03687562110500000000000"
         "000208094ebdc032880bcc1960b")
      .welcome();
  CHECK(welcome.name() == "hub");
  CHECK(welcome.incarnation() == 5);
  CHECK(welcome.beat_ns() == 1'000'000'000);
  CHECK(welcome.lease_ns() == 3'000'000'000);
}

TEST_CASE("an order to a worker and its answer are read as they were sent",
          "[messages][node]") {
  const auto order =
    read("08011108070605040302018201160a02736812100a080a0208071"
         "001180210011a02646f")
      .dispatch();
  CHECK(order.backend() == "sh");
  CHECK(to_json(order.what().work_id())
        == R"({"request":7,"sequence":1,"life":2})");
  CHECK(order.what().submission() == 1);
  CHECK(order.what().payload() == "do");
  const auto done =
    read("08011108070605040302019201120a080a0208071001180210011a"
         "04646f6e65")
      .completed();
  CHECK(to_json(done.work_id()) == R"({"request":7,"sequence":1,"life":2})");
  CHECK(done.outcome() == "done");
}

TEST_CASE("a client's run and its news are read as they were sent",
          "[messages][node]") {
  const auto order =
    read("08011108070605040302018202060a0172120170").submit_run();
  CHECK(order.run_id() == "r");
  CHECK(order.plan() == "p");
  const auto news =
    read("0801110807060504030201a202110a017210011a06080112026f6b2"
         "a023805")
      .run_news();
  CHECK(news.run_id() == "r");
  CHECK(news.from() == 1);
  REQUIRE(news.ends_size() == 1);
  CHECK(news.ends(0).place() == 1);
  CHECK(news.ends(0).status() == "ok");
  CHECK(news.summary().elapsed_ns() == 5);
}

TEST_CASE("a Goodbye is read as it was sent", "[messages][node]") {
  const auto goodbye =
    read("0801110807060504030201320a0a0808291204676f6e65").goodbye();
  CHECK(goodbye.why().code() == 41);
  CHECK(goodbye.why().detail() == "gone");
}
