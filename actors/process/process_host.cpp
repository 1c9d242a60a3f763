#include "actors/process/process_host.hpp"

#include "actors/process/process_loop.hpp"

#include <csignal>

namespace turnstile {

namespace {

// Starts the thread with every signal blocked that could interrupt it: the
// program's handlers run elsewhere, and a broken pipe is an error code. What
// a fault of ours raises is left alone, for the sake of whoever reports it.
std::thread start_quiet_thread(process_loop& loop) {
  sigset_t quiet;
  sigset_t before;
  ::sigfillset(&quiet);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    ::sigdelset(&quiet, fault);
  ::pthread_sigmask(SIG_SETMASK, &quiet, &before);
  struct restore {
    const sigset_t& mask;
    ~restore() { ::pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
  } at_end{before};
  return std::thread{[&loop] { loop.run(); }};
}

} // namespace

process_host::process_host()
  : loop_(std::make_unique<process_loop>()),
    thread_(start_quiet_thread(*loop_)) {}

process_host::~process_host() {
  loop_->close();
  thread_.join();
}

process_ticket process_host::start(process_spec spec,
                                   process_callbacks callbacks) {
  auto ticket = process_ticket{++last_number_};
  loop_->post(
    start_order{ticket.number, std::move(spec), std::move(callbacks)});
  return ticket;
}

void process_host::stop(process_ticket ticket, duration grace) {
  loop_->post(stop_order{ticket.number, grace});
}

void process_host::stop_now(process_ticket ticket) {
  loop_->post(stop_order{ticket.number, duration::zero()});
}

} // namespace turnstile
