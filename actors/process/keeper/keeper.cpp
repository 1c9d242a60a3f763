// A keeper: the small process between a program and one child of it. It starts
// the child and outlives it by some milliseconds, to see to it that nothing
// that came of the child lives on: neither when the child ends, nor when the
// program does, whatever ended it.
//
// It is the subreaper of all that descends from the child: what loses its
// parent, also a daemon in a session of its own, becomes the keeper's. The
// program orders, and hears, through a socket (words.hpp); when the program is
// gone, the socket says so, and everything is killed.
//
// Rules: whoever is signalled is an unreaped child of ours, or checked to be
// what it was; the child's group is killed before the child is reaped.

#include "actors/process/keeper/child.hpp"
#include "actors/process/keeper/kin.hpp"
#include "actors/process/keeper/words.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <initializer_list>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace turnstile::keeper;

namespace {

pid_t the_child = 0;
bool child_has_ended = false;
bool ends = false; // Whatever lives is to be killed.

void tell(news what) {
  while (::send(socket_fd, &what, sizeof what, MSG_NOSIGNAL) < 0
         && errno == EINTR) {
  }
}

void end_all() {
  ends = true;
  if (!child_has_ended)
    ::kill(-the_child, SIGKILL);
  kill_children();
}

void ask_all_to_end() {
  if (child_has_ended)
    return;
  for (int signal : {SIGTERM, SIGCONT}) { // What is suspended cannot obey.
    ::kill(-the_child, signal);
    signal_stray_descendants(the_child, signal);
  }
}

// Returns whether the program may still say something.
bool obey() {
  char word = 0;
  const auto got = ::recv(socket_fd, &word, sizeof word, MSG_DONTWAIT);
  if (got < 0 && (errno == EINTR || errno == EAGAIN))
    return true;
  if (got == 1 && word == static_cast<char>(order::terminate)) {
    ask_all_to_end();
    return true;
  }
  end_all();
  return got > 0;
}

void note_end_of_child(const siginfo_t& how) {
  child_has_ended = true;
  const auto what =
    how.si_code == CLD_EXITED ? event::exited : event::signalled;
  tell({what, how.si_status, step::program});
  ::kill(-the_child, SIGKILL);
  ends = true;
}

// Takes leave of all who have ended. Returns false when nobody is left.
bool reap() {
  for (;;) {
    siginfo_t who = {};
    if (::waitid(P_ALL, 0, &who, WEXITED | WNOHANG | WNOWAIT) != 0)
      return errno != ECHILD;
    if (who.si_pid == 0)
      return true;
    if (who.si_pid == the_child && !child_has_ended)
      note_end_of_child(who);
    ::waitpid(who.si_pid, nullptr, WNOHANG);
    if (ends)
      kill_children(); // Also those that have just become ours.
  }
}

int signals_of_children() {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::signal(SIGCHLD, SIG_DFL); // Ignored, nobody could be waited for.
  sigset_t children;
  ::sigemptyset(&children);
  ::sigaddset(&children, SIGCHLD);
  return ::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
}

void keep(int signals) {
  pollfd watched[2] = {{socket_fd, POLLIN, 0}, {signals, POLLIN, 0}};
  while (reap()) {
    if (::poll(watched, 2, -1) < 0)
      continue;
    if (watched[0].revents != 0 && !obey())
      watched[0].fd = -1;
    signalfd_siginfo seen;
    while (::read(signals, &seen, sizeof seen) > 0) {
    }
  }
}

} // namespace

int main(int, char** argv) {
  ::setsid(); // What is sent to the program's group is not for us.
  ::prctl(PR_SET_NAME, "turnstile-keep");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::fcntl(socket_fd, F_SETFD, FD_CLOEXEC);
  const int signals = signals_of_children();
  news failed{event::not_started, errno, step::keeper};
  if (signals < 0 || !start_child(argv, the_child, failed)) {
    tell(failed);
    return 0;
  }
  tell({event::started, the_child, step::program});
  keep(signals);
  return 0;
}
