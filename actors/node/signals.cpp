#include "actors/node/signals.hpp"

#include "actors/node/exit_code.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <limits>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace turnstile::node {

namespace {

bool is_ignored(int number) {
  struct sigaction now = {};
  return sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

std::vector<int> heeded() {
  if (is_ignored(SIGINT))
    return {SIGTERM};
  return {SIGINT, SIGTERM};
}

sigset_t heeded_set() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : heeded())
    sigaddset(&set, number);
  return set;
}

// The longest that poll() can wait, if that is less.
int poll_time(duration length) {
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(length).count();
  return static_cast<int>(
    std::min<std::int64_t>(ms, std::numeric_limits<int>::max()));
}

} // namespace

void exit_on_interrupts() {
  for (int number : heeded())
    std::signal(number, [](int) { _exit(exit_interrupted); });
}

void block_interrupts() {
  const auto set = heeded_set();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

interrupts::interrupts(interrupt_plan plan) : plan_(std::move(plan)) {
  const auto set = heeded_set();
  wake_ = eventfd(0, EFD_CLOEXEC);
  news_ = signalfd(-1, &set, SFD_CLOEXEC);
  if (wake_ < 0 || news_ < 0)
    throw std::system_error{errno, std::generic_category(), "signalfd"};
  thread_ = std::thread{[this] { watch(); }};
}

void interrupts::watch() const {
  int count = 0;
  bool impatient = false;
  pollfd fds[] = {{news_, POLLIN, 0}, {wake_, POLLIN, 0}};
  for (;;) {
    const auto patient = count == 1 && !impatient;
    const auto events = poll(fds, 2, patient ? poll_time(plan_.patience) : -1);
    if (events < 0) {
      if (errno != EINTR)
        return;
      continue;
    }
    if (events == 0) {
      impatient = true;
      plan_.on_impatience();
    }
    if ((fds[1].revents & POLLIN) != 0)
      return;
    signalfd_siginfo info{};
    if ((fds[0].revents & POLLIN) != 0
        && read(news_, &info, sizeof info) == sizeof info)
      plan_.on_interrupt(++count);
  }
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
