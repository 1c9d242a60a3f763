#include "config/node/settings.hpp"

#include "tests/catch.hpp"

#include <chrono>

using namespace turnstile;
using namespace turnstile::config;
using Catch::Matchers::ContainsSubstring;
using namespace std::chrono_literals;

namespace {

std::string wrong_serve(std::string_view text) {
  const auto made = parse_serve_settings(text, "serve.json", "/etc");
  return made ? "fine" : made.error().detail;
}

std::string wrong_worker(std::string_view text) {
  const auto made = parse_worker_settings(text, "worker.json", "/etc");
  return made ? "fine" : made.error().detail;
}

std::string address_of(std::string_view text) {
  const auto where = parse_address(text);
  return where ? to_string(*where) : where.error().detail;
}

} // namespace

TEST_CASE("a server needs no settings at all", "[config][node]") {
  const auto made = parse_serve_settings("{}", "serve.json", "/etc");
  REQUIRE(made);
  CHECK(*made == serve_settings{});
  CHECK(to_string(made->address) == "127.0.0.1:4747");
  CHECK(made->lost_after == 5s);
}

TEST_CASE("settings of a server are read", "[config][node]") {
  const auto made = parse_serve_settings(
    R"({"name": "hub", "listen": "0.0.0.0:80", "insecure": true,
        "concurrency": 7, "max_runs": 8, "max_nodes": 9, "lost_after": "2s",
        "grace": "1s", "journal": "runs.db",
        "tls": {"certificate": "a", "key": "/b", "authority": "c"},
        "backends": {"sh": {"kind": "process", "command": ["sh"]}}})",
    "serve.json", "/etc");
  REQUIRE(made);
  CHECK(made->name == "hub");
  CHECK(made->address == address{"0.0.0.0", 80});
  CHECK(made->insecure);
  CHECK(made->concurrency == 7);
  CHECK(made->max_runs == 8);
  CHECK(made->max_nodes == 9);
  CHECK(made->lost_after == 2s);
  CHECK(made->grace == 1s);
  CHECK(made->journal == "/etc/runs.db");
  CHECK(made->tls == tls_settings{"/etc/a", "/b", "/etc/c"});
  CHECK(made->backends.size() == 1);
}

TEST_CASE("a journal is switched off by false", "[config][node]") {
  const auto made =
    parse_serve_settings(R"({"journal": false})", "serve.json", "/etc");
  REQUIRE(made);
  CHECK(made->journal == "");
  CHECK_FALSE(wrong_serve(R"({"journal": true})") == "fine");
}

TEST_CASE("mistakes in settings are told with their places", "[config][node]") {
  CHECK(wrong_serve(R"({"concurrency": 0})")
        == "serve.json:1:17: concurrency: expected a whole number from 1 to "
           "4294967295, found 0");
  CHECK_THAT(wrong_serve(R"({"listen": "here:x"})"),
             Catch::Matchers::EndsWith(
               "listen: expected HOST:PORT, found \"here:x\": the port is a "
               "number from 0 to 65535"));
  CHECK_THAT(wrong_serve(R"({"tls": {"certificate": "a"}})"),
             ContainsSubstring("\"key\""));
  CHECK_THAT(wrong_worker("{}"), ContainsSubstring("\"backends\""));
  CHECK_THAT(wrong_worker(R"({"backends": {}})"),
             ContainsSubstring("an object of at least one backend"));
  CHECK_THAT(wrong_worker(R"({"listen": "x"})"), ContainsSubstring("listen"));
}

TEST_CASE("an address is a host and a port", "[config][node]") {
  CHECK(address_of("here:1") == "here:1");
  CHECK(address_of("here") == "here:4747");
  CHECK(address_of(":0") == "127.0.0.1:0");
  CHECK(address_of("[::1]:5") == "[::1]:5");
  CHECK(address_of("[::1]") == "[::1]:4747");
  for (const auto* wrong :
       {"", "::1", "[::1", "[]:1", "[::1]5", "a:70000", "a:-1", "a:", "a b:1"})
    CHECK_THAT(address_of(wrong),
               Catch::Matchers::StartsWith("expected HOST:PORT, found "));
}

TEST_CASE("beyond the loopback a node wants certificates or the word insecure",
          "[config][node]") {
  node_settings node;
  for (const auto* inside : {"127.0.0.1", "127.1.2.3", "localhost", "::1"}) {
    node.address.host = inside;
    CHECK(may_open(node));
  }
  for (const auto* outside : {"0.0.0.0", "10.0.0.1", "::", "example.org"}) {
    node.address.host = outside;
    CHECK_FALSE(may_open(node));
  }
  node.insecure = true;
  CHECK(may_open(node));
  node.insecure = false;
  node.tls = {"a", "b", "c"};
  CHECK(may_open(node));
  node.tls.key = "";
  REQUIRE_FALSE(may_open(node));
  CHECK_THAT(may_open(node).error().detail,
             ContainsSubstring("the key is missing"));
}
