#include "actors/process/exec_plan.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace turnstile {

namespace {

constexpr auto failed_before_exec = 127;

// What the C library searches when there is no PATH.
constexpr auto default_path = std::string_view{"/bin:/usr/bin"};

bool has_nul(const std::string& text) {
  return text.find('\0') != std::string::npos;
}

start_failure invalid(std::string name) {
  return {start_problem::invalid, {}, std::move(name)};
}

std::vector<std::string> candidates(const std::string& program,
                                    std::string_view path) {
  if (program.find('/') != std::string::npos)
    return {program};
  auto out = std::vector<std::string>{};
  while (true) {
    auto end = std::min(path.find(':'), path.size());
    auto folder = path.substr(0, end);
    auto& file = out.emplace_back(folder.empty() ? "." : folder);
    file.append("/").append(program);
    if (end == path.size())
      return out;
    path.remove_prefix(end + 1);
  }
}

void close_from(int first) noexcept {
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, ~0U, 0U) == 0)
    return;
#endif
  // Before Linux 5.9. Ours are close-on-exec anyhow; this is for descriptors
  // of the program around us, and bounded because the limit may be huge.
  constexpr auto bound = rlim_t{65536};
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  auto end = static_cast<int>(std::min(limit.rlim_cur, bound));
  for (int fd = first; fd < end; ++fd)
    ::close(fd);
}

// Puts everything where a keeper looks for it, and closes the rest.
bool place(const keeper_streams& streams) noexcept {
  // First out of the way, so that nothing is overwritten before it was copied.
  constexpr auto aside = keeper::image_fd + 1;
  const auto socket = ::fcntl(streams.socket, F_DUPFD, aside);
  const auto image = ::fcntl(streams.image, F_DUPFD, aside);
  if (socket < 0 || image < 0 || ::dup2(streams.input, STDIN_FILENO) < 0
      || ::dup2(streams.output, STDOUT_FILENO) < 0
      || ::dup2(streams.log, STDERR_FILENO) < 0
      || ::dup2(socket, keeper::socket_fd) < 0
      || ::dup3(image, keeper::image_fd, O_CLOEXEC) < 0)
    return false;
  close_from(keeper::image_fd + 1);
  return true;
}

[[noreturn]] void give_up(int socket, keeper::step at) noexcept {
  const keeper::news why{keeper::event::not_started, errno, at};
  ::send(socket, &why, sizeof why, MSG_NOSIGNAL);
  ::_exit(failed_before_exec);
}

char* word(const std::string& text) {
  // execve promises not to write through its pointers to char.
  return const_cast<char*>(text.c_str());
}

} // namespace

tl::expected<exec_plan, start_failure>
exec_plan::make(const process_spec& spec) {
  if (spec.command.empty() || spec.command.front().empty())
    return tl::unexpected{invalid("without a command")};
  if (std::any_of(spec.command.begin(), spec.command.end(), has_nul))
    return tl::unexpected{invalid("argument with a NUL byte")};
  if (has_nul(spec.workdir))
    return tl::unexpected{invalid("workdir with a NUL byte")};
  auto plan = exec_plan{};
  for (const auto& [name, value] : spec.environment) {
    if (name.empty() || name.find('=') != std::string::npos || has_nul(name)
        || has_nul(value))
      return tl::unexpected{invalid("environment variable " + name)};
    plan.variables_.emplace_back(name).append("=").append(value);
  }
  auto path = spec.environment.find("PATH");
  plan.candidates_ =
    candidates(spec.command.front(),
               path == spec.environment.end() ? default_path : path->second);
  plan.candidates_.insert(plan.candidates_.begin(),
                          std::to_string(plan.candidates_.size()));
  static const std::string name = "turnstile-keeper";
  plan.arguments_ = {word(name), word(spec.workdir)};
  for (const auto& candidate : plan.candidates_)
    plan.arguments_.push_back(word(candidate));
  for (const auto& argument : spec.command)
    plan.arguments_.push_back(word(argument));
  for (auto& variable : plan.variables_)
    plan.environment_.push_back(variable.data());
  plan.arguments_.push_back(nullptr);
  plan.environment_.push_back(nullptr);
  return plan;
}

void exec_plan::become_keeper(const keeper_streams& streams) const noexcept {
  if (!place(streams))
    give_up(streams.socket, keeper::step::streams);
  ::syscall(SYS_execveat, keeper::image_fd, "", arguments_.data(),
            environment_.data(), AT_EMPTY_PATH);
  give_up(keeper::socket_fd, keeper::step::keeper);
}

} // namespace turnstile
