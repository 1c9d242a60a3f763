#include "tests/program/node_processes.hpp"

// A server and its workers on two machines, whose cable is cut and healed: in
// network namespaces, which only root may make.

using namespace program_tests;

namespace {

/// Two network namespaces with a cable between them, or nothing where that is
/// not allowed.
class two_machines {
public:
  explicit two_machines(const std::filesystem::path& folder) : folder_(folder) {
    const auto id = std::to_string(getpid());
    a = "turnstile-a-" + id;
    b = "turnstile-b-" + id;
    allowed =
      does("ip netns add " + a + " && ip netns add " + b
           + " && ip link add tsa netns " + a
           + " type veth peer name "
             "tsb netns "
           + b)
        == 0
      && does("ip -n " + a + " addr add 10.99.0.1/24 dev tsa && ip -n " + a
              + " link set tsa up && ip -n " + a + " link set lo up && ip -n "
              + b + " addr add 10.99.0.2/24 dev tsb && ip -n " + b
              + " link set tsb up && ip -n " + b + " link set lo up")
           == 0;
  }

  two_machines(const two_machines&) = delete;

  ~two_machines() { does("ip netns del " + a + "; ip netns del " + b); }

  int does(const std::string& script) const {
    return program::shell(folder_, "{ " + script + "; } 2>/dev/null")
      .wait()
      .code;
  }

  /// Starts programs on one of them.
  static starting on(const std::string& machine) {
    return [machine](const std::filesystem::path& folder,
                     std::vector<std::string> words) {
      std::string script = "exec ip netns exec " + machine + " $turnstile";
      for (const auto& word : words)
        script.append(" '").append(word).append("'");
      return program::shell(folder, script);
    };
  }

  std::string a;
  std::string b;
  bool allowed = false;

private:
  std::filesystem::path folder_;
};

} // namespace

TEST_CASE(
  "a cable that is cut either way and healed never has a task run twice "
  "at a time",
  "[program][nodes]") {
  plan_folder f{scripts(
    {{"a",
      "exec 9>news; if mkdir first 2>/dev/null; then echo $$ >pid; echo up "
      ">&9; exec sleep 600; fi; if kill -0 $(cat pid) 2>/dev/null; then "
      "echo '\"twice\"'; else echo '\"once\"'; fi"}})};
  two_machines both{f.path()};
  if (!both.allowed) {
    WARN("network namespaces are not allowed here: the cable is not cut");
    return;
  }
  f.write("worker.json", one_shell);
  f.write("serve.json", R"({"lost_after": "1s", "insecure": true})");
  news_pipe news{f.path()};
  server hub{f.path(),
             {"serve.json", "--no-journal"},
             "10.99.0.1:0",
             two_machines::on(both.a)};
  worker left{
    f.path(), hub.address, "left", {"--insecure"}, two_machines::on(both.b)};
  auto running =
    client(f.path(), hub.address, {"--insecure"}, two_machines::on(both.a));
  CHECK(news.line() == "up");
  worker right{
    f.path(), hub.address, "right", {"--insecure"}, two_machines::on(both.a)};
  const auto a = both.a;
  const auto b = both.b;
  const auto [cut, heal] = GENERATE_COPY(table<std::string, std::string>({
    {"ip -n " + b + " link set tsb down", "ip -n " + b + " link set tsb up"},
    {"ip -n " + b + " route add blackhole 10.99.0.1/32",
     "ip -n " + b + " route del blackhole 10.99.0.1/32"},
    {"ip -n " + a + " route add blackhole 10.99.0.2/32",
     "ip -n " + a + " route del blackhole 10.99.0.2/32"},
  }));
  CAPTURE(cut);
  REQUIRE(both.does(cut) == 0);
  CHECK(told(running.wait()) == R"(a ok "once". )");
  REQUIRE(both.does(heal) == 0);
  json seen;
  do
    seen =
      nodes(f.path(), hub.address, {"--insecure"}, two_machines::on(both.a));
  while (seen["workers"].size() < 2); // it comes back by itself
  CHECK(seen["workers_lost"] == 1);
  ends_well(left.process());
  ends_well(right.process());
  ends_well(hub.process());
}
