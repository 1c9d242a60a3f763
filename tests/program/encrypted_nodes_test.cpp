#include "tests/program/node_processes.hpp"

// Nodes that prove to each other who they are.

using namespace program_tests;

namespace {

void make_certificates(const std::filesystem::path& folder,
                       const std::string& name) {
  const auto how =
    program::shell(folder, TURNSTILE_MAKE_CERTS " " + name).wait();
  INFO(how.err);
  REQUIRE(how.code == 0);
}

json tls_of(const std::string& folder, const std::string& who) {
  return {{"certificate", folder + "/" + who + ".crt"},
          {"key", folder + "/" + who + ".key"},
          {"authority", folder + "/authority.crt"}};
}

std::vector<std::string> proof(const std::string& folder) {
  return {"--certificate", folder + "/client.crt",
          "--key",         folder + "/client.key",
          "--authority",   folder + "/authority.crt"};
}

} // namespace

TEST_CASE("nodes with certificates of one authority work together, and nobody "
          "else gets in",
          "[program][nodes]") {
  plan_folder f{scripts({{"a", "echo 1"}})};
  make_certificates(f.path(), "certs");
  make_certificates(f.path(), "others");
  auto settings = json::parse(one_shell);
  settings["tls"] = tls_of("certs", "worker");
  f.write("worker.json", settings.dump());
  f.write("serve.json", json{{"tls", tls_of("certs", "server")}}.dump());
  server hub{f.path(), {"serve.json", "--no-journal"}};
  worker left{f.path(), hub.address, "left"};
  const auto how = client(f.path(), hub.address, proof("certs")).wait();
  CHECK(told(how) == "a ok 1. ");

  auto asks = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"nodes", "--connect", hub.address});
    return program{f.path(), std::move(flags)}.wait().code;
  };
  CHECK(asks(proof("certs")) == 0);
  CHECK(asks(proof("others")) == 2);
  CHECK(asks({}) == 2);
  CHECK(nodes(f.path(), hub.address, proof("certs"))["clients"] == 1);
  ends_well(left.process());
  ends_well(hub.process());
}

TEST_CASE("certificates that cannot be used are refused before anything begins",
          "[program][nodes]") {
  plan_folder f{scripts({{"a", "echo 1"}})};
  make_certificates(f.path(), "certs");
  auto says = [&](const json& tls) {
    f.write("serve.json", json{{"tls", tls}}.dump());
    const auto how =
      program{f.path(), {"serve", "serve.json", "--no-journal"}}.wait();
    CHECK(how.code == 2);
    return how.err;
  };
  auto tls = tls_of("certs", "server");
  tls["key"] = "certs/client.key";
  CHECK_THAT(says(tls),
             ContainsSubstring("certs/client.key: is not the key of "));
  tls["key"] = "certs/nothing.key";
  CHECK_THAT(says(tls), ContainsSubstring("certs/nothing.key: "));
  tls.erase("key");
  CHECK_THAT(says(tls), ContainsSubstring("tls: missing key \"key\""));
}
