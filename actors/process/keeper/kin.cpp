#include "actors/process/keeper/kin.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Plain C library, because a keeper is small and there may be thousands.

namespace turnstile::keeper {

namespace {

struct kin {
  pid_t parent = 0;
  pid_t group = 0;
};

// Reads "/proc/PID/stat": "PID (NAME) STATE PARENT GROUP ...", where NAME may
// hold anything, also ") R 1 1".
bool read_kin(pid_t pid, kin& out) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(pid));
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  char text[512];
  const auto size = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (size <= 0)
    return false;
  text[size] = '\0';
  const char* after_name = std::strrchr(text, ')');
  return after_name != nullptr
         && std::sscanf(after_name, ") %*c %d %d", &out.parent, &out.group)
              == 2;
}

pid_t as_pid(const char* name) {
  char* end = nullptr;
  const auto number = std::strtol(name, &end, 10);
  return end == name || *end != '\0' ? 0 : static_cast<pid_t>(number);
}

// Reads one thread's list of children. False if there is no such list.
bool read_list(const char* path, void (*visit)(void*, pid_t), void* context) {
  auto* file = std::fopen(path, "re");
  if (file == nullptr)
    return false;
  for (int pid = 0; std::fscanf(file, "%d", &pid) == 1;)
    visit(context, pid);
  std::fclose(file);
  return true;
}

// For kernels that keep no lists of children.
void search_all(pid_t parent, void (*visit)(void*, pid_t), void* context) {
  auto* folder = ::opendir("/proc");
  if (folder == nullptr)
    return;
  while (const auto* entry = ::readdir(folder)) {
    kin found;
    const auto pid = as_pid(entry->d_name);
    if (pid > 0 && read_kin(pid, found) && found.parent == parent)
      visit(context, pid);
  }
  ::closedir(folder);
}

// Signals `pid` if its parent still is `parent`. Where the kernel has handles
// for processes, a stranger that got the id meanwhile is never hit.
void signal_child_of(pid_t parent, pid_t pid, int signal) {
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_send_signal)
  const auto held = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U));
#else
  const int held = -1;
#endif
  kin now;
  if (read_kin(pid, now) && now.parent == parent) {
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_send_signal)
    if (held >= 0)
      ::syscall(SYS_pidfd_send_signal, held, signal, nullptr, 0U);
    else
#endif
      ::kill(pid, signal);
  }
  if (held >= 0)
    ::close(held);
}

struct search {
  pid_t leader = 0;
  pid_t parent = 0;
  int signal = 0;
  int depth = 0;
};

// Deeper families are killed level by level, but not asked first.
constexpr int max_depth = 64;

void signal_below(const search& where) {
  if (where.depth == max_depth)
    return;
  auto visit = [](void* context, pid_t pid) {
    auto below = *static_cast<const search*>(context);
    signal_below({below.leader, pid, below.signal, below.depth + 1});
    kin found;
    if (read_kin(pid, found) && found.group != below.leader)
      signal_child_of(below.parent, pid, below.signal);
  };
  auto copy = where;
  each_child(where.parent, visit, &copy);
}

} // namespace

void each_child(pid_t parent, void (*visit)(void*, pid_t), void* context) {
  if (parent == 0)
    parent = ::getpid();
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task", static_cast<int>(parent));
  auto* threads = ::opendir(path);
  if (threads == nullptr)
    return; // It has ended.
  auto listed = true;
  while (const auto* entry = ::readdir(threads)) {
    const auto thread = as_pid(entry->d_name);
    if (thread == 0)
      continue;
    char list[64];
    std::snprintf(list, sizeof list, "/proc/%d/task/%d/children",
                  static_cast<int>(parent), static_cast<int>(thread));
    listed = read_list(list, visit, context) || errno == ENOENT;
  }
  ::closedir(threads);
  static const bool kernel_lists =
    ::access("/proc/thread-self/children", F_OK) == 0;
  if (!kernel_lists || !listed)
    search_all(parent, visit, context);
}

void kill_children() {
  each_child(
    0, [](void*, pid_t pid) { ::kill(pid, SIGKILL); }, nullptr);
}

void signal_stray_descendants(pid_t child, int signal) {
  signal_below({child, child, signal, 0});
}

} // namespace turnstile::keeper
