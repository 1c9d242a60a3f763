#include "actors/process/spawn.hpp"

#include "actors/process/exec_plan.hpp"
#include "actors/process/pipe.hpp"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace turnstile {

namespace {

std::error_code system_error(int number) {
  return {number, std::generic_category()};
}

// In a function of its own, because the child runs on our stack: whatever it
// spoils is gone when this frame is. Every signal stays blocked meanwhile, or
// a handler of ours could run in the child and write to our memory.
pid_t fork_into(const exec_plan& plan, const keeper_streams& streams) {
  auto pid = ::vfork();
  if (pid == 0)
    plan.become_keeper(streams);
  return pid;
}

pid_t fork_quietly(const exec_plan& plan, const keeper_streams& streams) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  auto pid = fork_into(plan, streams);
  auto error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

start_problem problem_of(int error, start_problem otherwise) {
  return error == EMFILE || error == ENFILE ? start_problem::too_many_files
                                            : otherwise;
}

start_failure without(const char* what, std::error_code error) {
  return {problem_of(error.value(), start_problem::other), error, what};
}

} // namespace

tl::expected<spawned_child, start_failure> spawn(const process_spec& spec,
                                                 int image) {
  auto plan = exec_plan::make(spec);
  if (!plan)
    return tl::unexpected{plan.error()};
  auto input = make_pipe();
  auto output = make_pipe();
  auto log = make_pipe();
  for (auto* made : {&input, &output, &log})
    if (!*made)
      return tl::unexpected{without("pipe", made->error())};
  auto socket = make_socket_pair();
  if (!socket)
    return tl::unexpected{without("socket", socket.error())};
  auto keeper =
    fork_quietly(*plan, {input->read.get(), output->write.get(),
                         log->write.get(), socket->theirs.get(), image});
  if (keeper < 0)
    return tl::unexpected{start_failure{
      start_problem::fork_refused, system_error(errno), spec.command.front()}};
  return spawned_child{keeper, std::move(socket->ours), std::move(input->write),
                       std::move(output->read), std::move(log->read)};
}

start_failure failure_in(const keeper::news& news, const process_spec& spec) {
  const auto error = system_error(news.value);
  const auto& program = spec.command.front();
  switch (news.at) {
  case keeper::step::keeper:
    // Its arguments and variables are those of the child, and some more.
    if (news.value == E2BIG)
      break;
    return without("keeper", error);
  case keeper::step::fork:
    return {problem_of(news.value, start_problem::fork_refused), error,
            program};
  case keeper::step::streams:
    return without("standard streams", error);
  case keeper::step::workdir:
    return {start_problem::no_workdir, error, spec.workdir};
  case keeper::step::interpreter:
    return {start_problem::not_executable, error, "interpreter of " + program};
  case keeper::step::program:
    break;
  }
  if (news.value == ENOENT || news.value == ENOTDIR)
    return {start_problem::no_such_program, error, program};
  if (news.value == EACCES || news.value == ENOEXEC)
    return {start_problem::not_executable, error, program};
  return {problem_of(news.value, start_problem::other), error, program};
}

} // namespace turnstile
