#include "actors/node/signals.hpp"

#include "actors/node/exit_code.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace turnstile::node {

namespace {

sigset_t both() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

} // namespace

void exit_on_interrupts() {
  for (int number : {SIGINT, SIGTERM})
    std::signal(number, [](int) { _exit(exit_interrupted); });
}

void block_interrupts() {
  const auto set = both();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

interrupts::interrupts(std::function<void(int)> on_interrupt)
  : on_interrupt_(std::move(on_interrupt)) {
  const auto set = both();
  wake_ = eventfd(0, EFD_CLOEXEC);
  news_ = signalfd(-1, &set, SFD_CLOEXEC);
  if (wake_ < 0 || news_ < 0)
    throw std::system_error{errno, std::generic_category(), "signalfd"};
  thread_ = std::thread{[this] {
    int count = 0;
    pollfd fds[] = {{news_, POLLIN, 0}, {wake_, POLLIN, 0}};
    for (;;) {
      if (poll(fds, 2, -1) < 0 && errno != EINTR)
        return;
      if ((fds[1].revents & POLLIN) != 0)
        return;
      signalfd_siginfo info{};
      if ((fds[0].revents & POLLIN) != 0
          && read(news_, &info, sizeof info) == sizeof info)
        on_interrupt_(++count);
    }
  }};
}

interrupts::~interrupts() {
  const std::uint64_t one = 1;
  if (write(wake_, &one, sizeof one) == sizeof one)
    thread_.join();
  else
    thread_.detach();
  close(news_);
  close(wake_);
}

} // namespace turnstile::node
