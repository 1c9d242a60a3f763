#pragma once

#include "actors/process/unique_fd.hpp"

#include <system_error>
#include <tl/expected.hpp>

namespace turnstile {

/// The two ends of a pipe.
struct pipe_ends {
  unique_fd read;
  unique_fd write;
};

/// Makes a pipe that no child inherits by accident. Both ends are above 2, so
/// that a child can put one in the place of a standard stream even if this
/// program runs with its own standard streams closed.
tl::expected<pipe_ends, std::error_code> make_pipe();

/// The two ends of a socket.
struct socket_ends {
  unique_fd ours;
  unique_fd theirs;
};

/// Makes a socket that keeps packets apart, as `make_pipe` does pipes.
tl::expected<socket_ends, std::error_code> make_socket_pair();

} // namespace turnstile
