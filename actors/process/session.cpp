#include "actors/process/session.hpp"

#include "actors/process/unique_fd.hpp"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/syscall.h>

namespace turnstile {

namespace {

constexpr auto max_age = std::chrono::milliseconds{20};

// Reads "/proc/PID/stat": "PID (NAME) STATE PARENT GROUP SESSION ...", where
// NAME may hold anything, also ") R 1 1 1".
std::optional<process_entry> read_entry(pid_t pid) {
  auto path = "/proc/" + std::to_string(pid) + "/stat";
  auto fd = unique_fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  char text[512];
  auto size = fd ? ::read(fd.get(), text, sizeof text - 1) : -1;
  if (size <= 0)
    return std::nullopt;
  text[size] = '\0';
  const auto* after_name = std::strrchr(text, ')');
  auto entry = process_entry{pid, 0, 0};
  if (!after_name
      || std::sscanf(after_name, ") %*c %*d %d %d", &entry.group,
                     &entry.session)
           != 2)
    return std::nullopt;
  return entry;
}

std::optional<pid_t> as_pid(std::string_view name) {
  pid_t pid = 0;
  const auto* end = name.data() + name.size();
  auto [stop, error] = std::from_chars(name.data(), end, pid);
  if (error != std::errc{} || stop != end)
    return std::nullopt;
  return pid;
}

// Signals `pid` if it still is in that session. Where the kernel has handles
// for processes, a stranger that got the id meanwhile is never hit.
void signal_member(pid_t pid, pid_t session, int signal) {
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_send_signal)
  auto held = unique_fd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U))};
#else
  auto held = unique_fd{};
#endif
  auto now = read_entry(pid);
  if (!now || now->session != session)
    return;
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_send_signal)
  if (held) {
    ::syscall(SYS_pidfd_send_signal, held.get(), signal, nullptr, 0U);
    return;
  }
#endif
  ::kill(pid, signal);
}

} // namespace

std::vector<process_entry> list_processes() {
  auto out = std::vector<process_entry>{};
  auto close = [](DIR* folder) { ::closedir(folder); };
  auto folder = std::unique_ptr<DIR, decltype(close)>{::opendir("/proc")};
  if (!folder)
    return out;
  while (const auto* file = ::readdir(folder.get()))
    if (auto pid = as_pid(file->d_name))
      if (auto entry = read_entry(*pid))
        out.push_back(*entry);
  return out;
}

const std::vector<process_entry>& process_census::recent() {
  auto now = std::chrono::steady_clock::now();
  if (listed_.empty() || now - listed_at_ > max_age) {
    listed_ = list_processes();
    listed_at_ = now;
  }
  return listed_;
}

void signal_group(pid_t leader, int signal) noexcept {
  ::kill(-leader, signal);
}

void signal_stragglers(pid_t leader, int signal,
                       const std::vector<process_entry>& listed) {
  for (const auto& entry : listed)
    if (entry.session == leader && entry.group != leader)
      signal_member(entry.pid, leader, signal);
}

} // namespace turnstile
