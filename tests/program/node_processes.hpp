#pragma once

#include "tests/program/program.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

// Servers, workers and clients as processes.

namespace program_tests {

using json = nlohmann::json;
using Catch::Matchers::ContainsSubstring;

/// A worker's settings: it offers "sh", which takes its prompt for a script.
inline constexpr auto one_shell = R"({"backends": {"sh": {"kind": "process",
  "command": ["sh", "-s"], "concurrency": 2}}})";

/// A plan whose tasks, by name, run these scripts at "sh", wherever that is.
inline std::string
scripts(const std::vector<std::pair<std::string, std::string>>& all,
        const std::string& keys = "") {
  std::string tasks;
  for (const auto& [name, script] : all)
    tasks.append(tasks.empty() ? "" : ",")
      .append(json{{"name", name}, {"prompt", script}}.dump());
  return shell_plan(tasks, keys);
}

/// How a node's process is started: as it is, or somewhere else.
using starting = std::function<program(const std::filesystem::path&,
                                       std::vector<std::string>)>;

inline program start_here(const std::filesystem::path& folder,
                          std::vector<std::string> words) {
  return {folder, std::move(words)};
}

/// A server in a folder, at a port that it has found free.
class server {
public:
  explicit server(const std::filesystem::path& folder,
                  std::vector<std::string> flags = {"--no-journal"},
                  const std::string& at = "127.0.0.1:0",
                  const starting& start = start_here)
    : process_(start(folder, words(std::move(flags), at))) {
    const auto said = process_.line();
    INFO(said);
    REQUIRE(said.starts_with("hub serves at "));
    address = said.substr(said.rfind(' ') + 1);
  }

  program& process() { return process_; }
  [[nodiscard]] std::string port() const {
    return address.substr(address.rfind(':') + 1);
  }

private:
  static std::vector<std::string> words(std::vector<std::string> flags,
                                        const std::string& at) {
    flags.insert(flags.begin(), {"serve", "--listen", at, "--name", "hub"});
    return flags;
  }

  program process_;

public:
  std::string address;
};

/// A worker with the settings in worker.json, which has connected.
class worker {
public:
  worker(const std::filesystem::path& folder, const std::string& address,
         const std::string& name, std::vector<std::string> flags = {},
         const starting& start = start_here)
    : process_(start(folder, words(address, name, std::move(flags)))) {
    std::string said;
    do
      said = process_.error_line();
    while (said.find(" info connected name=" + name) == std::string::npos);
  }

  program& process() { return process_; }

private:
  static std::vector<std::string> words(const std::string& address,
                                        const std::string& name,
                                        std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"worker", "worker.json", "--connect", address,
                                 "--name", name, "--log-level", "info"});
    return flags;
  }

  program process_;
};

inline program client(const std::filesystem::path& folder,
                      const std::string& address,
                      std::vector<std::string> flags = {},
                      const starting& start = start_here) {
  flags.insert(flags.begin(),
               {"run", "plan.json", "--connect", address, "--json"});
  return start(folder, std::move(flags));
}

/// `a ok "its output". b ...`, by what a client has printed.
inline std::string told(const ending& how) {
  INFO(how.err);
  REQUIRE(json::accept(how.out));
  std::string all;
  const auto run = json::parse(how.out);
  for (const auto& task : run["tasks"])
    all.append(task["name"].get<std::string>())
      .append(" ")
      .append(task["status"].get<std::string>())
      .append(" ")
      .append(task["output"].dump())
      .append(". ");
  return all;
}

/// How a server says that it stands.
inline json nodes(const std::filesystem::path& folder,
                  const std::string& address,
                  std::vector<std::string> flags = {},
                  const starting& start = start_here) {
  flags.insert(flags.begin(), {"nodes", "--connect", address, "--json"});
  const auto how = start(folder, std::move(flags)).wait();
  INFO(how.err);
  REQUIRE(how.code == 0);
  return json::parse(how.out);
}

inline void ends_well(program& process) {
  process.signal(SIGINT);
  CHECK(process.wait().code == 0);
}

} // namespace program_tests
