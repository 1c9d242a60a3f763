#include "actors/process/pipe.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>

namespace turnstile {

namespace {

std::error_code last_error() {
  return {errno, std::generic_category()};
}

bool lift(unique_fd& fd) {
  if (fd.get() <= STDERR_FILENO)
    fd = unique_fd{::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
  return static_cast<bool>(fd);
}

} // namespace

tl::expected<pipe_ends, std::error_code> make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0)
    return tl::unexpected{last_error()};
  auto ends = pipe_ends{unique_fd{fds[0]}, unique_fd{fds[1]}};
  if (!lift(ends.read) || !lift(ends.write))
    return tl::unexpected{last_error()};
  return ends;
}

tl::expected<socket_ends, std::error_code> make_socket_pair() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
    return tl::unexpected{last_error()};
  auto ends = socket_ends{unique_fd{fds[0]}, unique_fd{fds[1]}};
  if (!lift(ends.ours) || !lift(ends.theirs))
    return tl::unexpected{last_error()};
  return ends;
}

} // namespace turnstile
