#pragma once

#include "actors/process/process_host.hpp"
#include "actors/process/unique_fd.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <cstdlib>
#include <dirent.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

// Real processes for tests. Nothing here waits for time to pass: it waits for
// something to happen, and gives up when that takes absurdly long.
namespace turnstile::test {

inline constexpr auto absurdly_long = std::chrono::seconds{60};

inline bool wait_until(const std::function<bool()>& condition) {
  auto end = std::chrono::steady_clock::now() + absurdly_long;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  return true;
}

template <class T>
T await(std::future<T>& future) {
  REQUIRE(future.wait_for(absurdly_long) == std::future_status::ready);
  return future.get();
}

/// A child that was started, and what will be known of it.
struct started_process {
  process_ticket ticket;
  std::future<process_exit> exit;
  std::future<pid_t> pid;   ///< Known when its program runs.
  std::future<void> speaks; ///< Ready at its first byte of output.
};

/// A host and a way to wait for its children.
struct process_world {
  started_process start(process_spec spec) {
    struct promises {
      std::promise<process_exit> exit;
      std::promise<pid_t> pid;
      std::promise<void> speaks;
      bool pid_known = false;
      bool spoke = false;
    };
    auto told = std::make_shared<promises>();
    auto out = started_process{{},
                               told->exit.get_future(),
                               told->pid.get_future(),
                               told->speaks.get_future()};
    auto callbacks = process_callbacks{};
    callbacks.on_exit = [told](process_exit exit) {
      told->exit.set_value(std::move(exit));
    };
    callbacks.on_progress = [told](const process_progress& progress) {
      if (!std::exchange(told->pid_known, true))
        told->pid.set_value(progress.pid);
      if (progress.output_bytes > 0 && !std::exchange(told->spoke, true))
        told->speaks.set_value();
    };
    spec.progress_interval = duration::zero();
    out.ticket = host.start(std::move(spec), std::move(callbacks));
    return out;
  }

  process_exit run(process_spec spec) {
    auto started = start(std::move(spec));
    return await(started.exit);
  }

  process_host host;
};

inline process_spec command(std::vector<std::string> words) {
  auto spec = process_spec{};
  spec.command = std::move(words);
  spec.environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}};
  return spec;
}

inline process_spec shell(std::string script) {
  return command({"sh", "-c", std::move(script)});
}

inline process_spec with_input(process_spec spec, std::string input) {
  spec.input = std::move(input);
  return spec;
}

inline process_spec in_folder(process_spec spec,
                              const std::filesystem::path& folder) {
  spec.workdir = folder.string();
  return spec;
}

/// Whether the process exists and has not ended: zombies are dead.
inline bool is_alive(pid_t pid) {
  auto file = std::ifstream{"/proc/" + std::to_string(pid) + "/stat"};
  auto text = std::string{};
  std::getline(file, text);
  auto name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= text.size())
    return false;
  auto state = text[name_end + 2];
  return state != 'Z' && state != 'X';
}

/// One process of this machine, as /proc shows it.
struct process_entry {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
};

/// Returns the processes that live now, whose names may hold anything.
inline std::vector<process_entry> list_processes() {
  std::vector<process_entry> out;
  for (const auto& file : std::filesystem::directory_iterator{"/proc"}) {
    std::string text;
    std::getline(std::ifstream{file.path() / "stat"} >> std::ws, text);
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos)
      continue;
    process_entry entry;
    char state = 0;
    pid_t group = 0;
    std::istringstream{text} >> entry.pid;
    std::istringstream{text.substr(name_end + 1)} >> state >> entry.parent
      >> group >> entry.session;
    if (state != 'Z' && state != 'X')
      out.push_back(entry);
  }
  return out;
}

inline bool session_is_dead(pid_t session) {
  for (const auto& entry : list_processes())
    if (entry.session == session)
      return false;
  return true;
}

/// Returns the children that `parent` has and that live.
inline std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> out;
  for (const auto& entry : list_processes())
    if (entry.parent == parent)
      out.push_back(entry.pid);
  return out;
}

/// Whether a sanitizer watches us, which needs memory and descriptors itself.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

inline std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator{"/proc/self/fd"})
    ++count;
  return count;
}

inline std::size_t resident_bytes() {
  auto file = std::ifstream{"/proc/self/statm"};
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// A folder of its own, gone with this object.
class temporary_folder {
public:
  temporary_folder() {
    auto pattern =
      (std::filesystem::temp_directory_path() / "process-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }

  ~temporary_folder() {
    auto ignored = std::error_code{};
    std::filesystem::remove_all(path_, ignored);
  }

  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  void write(const std::string& name, const std::string& text,
             bool executable) const {
    std::ofstream{path_ / name} << text;
    auto mode =
      executable ? std::filesystem::perms{0755} : std::filesystem::perms{0644};
    std::filesystem::permissions(path_ / name, mode);
  }

private:
  std::filesystem::path path_;
};

/// A lower limit of this process, until this object is gone.
class lowered_limit {
public:
  lowered_limit(int resource, rlim_t limit) : resource_(resource) {
    ::getrlimit(which(), &before_);
    auto lowered = before_;
    lowered.rlim_cur = limit;
    ::setrlimit(which(), &lowered);
  }

  ~lowered_limit() { ::setrlimit(which(), &before_); }

  lowered_limit(const lowered_limit&) = delete;
  lowered_limit& operator=(const lowered_limit&) = delete;

private:
  [[nodiscard]] __rlimit_resource_t which() const {
    return static_cast<__rlimit_resource_t>(resource_);
  }

  int resource_;
  rlimit before_ = {};
};

/// Runs `body` in a copy of this program and returns the copy's id. The body
/// may write to the descriptor that it is given; `out` reads it.
inline pid_t in_another_program(unique_fd& out,
                                const std::function<void(int)>& body) {
  int fds[2];
  REQUIRE(::pipe(fds) == 0);
  auto pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    ::close(fds[0]);
    body(fds[1]);
    ::_exit(0);
  }
  ::close(fds[1]);
  out = unique_fd{fds[0]};
  return pid;
}

} // namespace turnstile::test
