#include "actors/node/standard_streams.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace turnstile::node {

namespace {

std::string_view environment(const char* name) {
  const auto* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::size_t columns_of(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 79;
  return std::max<std::size_t>(size.ws_col, 2) - 1; // room for the cursor
}

} // namespace

void secure_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
      // The lowest free number is this one. Opened the wrong way round, so
      // that nobody believes that something was read or written.
      const int how = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
      if (open("/dev/null", how) < 0)
        open("/", O_RDONLY);
    }
}

bool write_whole(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = write(fd, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno == EAGAIN) { // somebody shares it who does not block
      pollfd room{fd, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno != EINTR)
      return false;
  }
  return true;
}

stream_look look_of(int fd) {
  const auto terminal = environment("TERM");
  if (isatty(fd) != 1 || terminal.empty() || terminal == "dumb")
    return {};
  return {columns_of(fd), environment("NO_COLOR").empty()};
}

} // namespace turnstile::node
