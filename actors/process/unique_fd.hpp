#pragma once

#include <unistd.h>
#include <utility>

namespace turnstile {

/// Owns one file descriptor, or none, and closes it.
class unique_fd {
public:
  unique_fd() noexcept = default;
  explicit unique_fd(int fd) noexcept : fd_(fd) {}
  unique_fd(unique_fd&& other) noexcept : fd_(other.release()) {}
  ~unique_fd() { reset(); }

  unique_fd& operator=(unique_fd&& other) noexcept {
    reset(other.release());
    return *this;
  }

  /// Closes what it owns and takes `fd` instead; -1 is none.
  void reset(int fd = -1) noexcept {
    if (fd_ >= 0)
      ::close(fd_);
    fd_ = fd;
  }

  /// Gives the descriptor up to the caller.
  [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }

  [[nodiscard]] int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }

private:
  int fd_ = -1;
};

} // namespace turnstile
