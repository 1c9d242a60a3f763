#pragma once

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <sched.h>
#include <spawn.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>

extern char** environ;

namespace turnstile::bench {

/// Keeps this thread, and those that it starts, on one core.
class pinned {
public:
  explicit pinned(int core) {
    sched_getaffinity(0, sizeof(before_), &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof(one), &one);
  }
  pinned(const pinned&) = delete;
  ~pinned() { sched_setaffinity(0, sizeof(before_), &before_); }

private:
  cpu_set_t before_{};
};

/// What this program can be when it is started as somebody's peer.
struct peer_kind {
  using body = void (*)(std::uint16_t port);

  peer_kind(const char* called, body what) : name(called) {
    known()[called] = what;
  }

  static std::map<std::string, body>& known() {
    static std::map<std::string, body> all;
    return all;
  }

  const char* name;
};

/// This program once more, as a process on the second core, which is told where
/// to connect to and killed in the end, whatever end this program takes.
class peer {
public:
  peer(const peer_kind& kind, std::uint16_t port) {
    auto name = std::string{kind.name};
    auto where = std::to_string(port);
    std::array<char*, 5> words{const_cast<char*>("turnstile_bench"),
                               const_cast<char*>("--peer"), name.data(),
                               where.data(), nullptr};
    posix_spawn(&pid_, "/proc/self/exe", nullptr, nullptr, words.data(),
                environ);
  }
  peer(const peer&) = delete;
  ~peer() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  /// What the program does if its words ask for a peer. @returns whether so
  static bool was_asked(int argc, char** argv) {
    if (argc != 4 || std::string{argv[1]} != "--peer")
      return false;
    pinned here{1};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    peer_kind::known().at(argv[2])(
      static_cast<std::uint16_t>(std::atoi(argv[3])));
    return true;
  }

private:
  pid_t pid_ = -1;
};

} // namespace turnstile::bench
