#include "actors/process/child_process.hpp"

#include "core/base/check.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace turnstile {

namespace {

using steady = std::chrono::steady_clock;

// How long pipes may stay open after the leader's exit before what has left
// its group is killed too, and then before nobody listens any more.
constexpr auto sweep_after = std::chrono::milliseconds{100};
constexpr auto leave_after = std::chrono::milliseconds{400};

// More than a pipe can hold, unless an administrator raised the limit.
constexpr auto max_rest = std::size_t{1} << 20;

constexpr auto max_grace = std::chrono::hours{24 * 365};

// Reads at most one chunk and gives it to `keep`. Returns how much it was;
// closes the pipe at its end.
template <class Keep>
std::size_t read_some(std::optional<fd_watch>& pipe, std::span<char> chunk,
                      Keep& keep) {
  auto got = ::read(pipe->fd(), chunk.data(), chunk.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  if (got <= 0) {
    pipe.reset();
    return 0;
  }
  keep.take({chunk.data(), static_cast<std::size_t>(got)});
  return static_cast<std::size_t>(got);
}

template <class Keep>
void read_rest(std::optional<fd_watch>& pipe, std::span<char> chunk,
               Keep& keep) {
  for (std::size_t read = 0; pipe && read < max_rest;) {
    auto got = read_some(pipe, chunk, keep);
    if (got == 0)
      return;
    read += got;
  }
}

} // namespace

child_process::child_process(child_surroundings around, process_spec spec,
                             process_callbacks callbacks,
                             std::function<void()> ended)
  : around_(around), spec_(std::move(spec)), callbacks_(std::move(callbacks)),
    ended_(std::move(ended)), output_(spec_.max_output), log_(spec_.max_log),
    timer_(around_.loop, [this] { time_is_up(); }) {}

void child_process::start() {
  if (auto child = spawn(spec_)) {
    run(std::move(*child));
  } else {
    exit_.failure = std::move(child.error());
    finish();
  }
}

void child_process::run(spawned_child child) {
  phase_ = phase::running;
  exit_.pid = child.pid;
  exit_.end = process_end::lost; // Until we know.
  if (!spec_.input.empty())
    input_pipe_.emplace(around_.loop, std::move(child.input), UV_WRITABLE,
                        [this] { feed(); });
  output_pipe_.emplace(around_.loop, std::move(child.output), UV_READABLE,
                       [this] { read_output(); });
  log_pipe_.emplace(around_.loop, std::move(child.log), UV_READABLE,
                    [this] { read_log(); });
  leader_.emplace(around_.loop, child.pid, around_.use_pidfd,
                  [this] { notice_exit(); });
  tell_progress();
}

// A child that closed its input, or does not read it to the end, has had
// enough. The loop's thread blocks SIGPIPE, so the write just says EPIPE.
void child_process::feed() {
  auto rest = std::string_view{spec_.input}.substr(fed_, around_.chunk.size());
  auto put = ::write(input_pipe_->fd(), rest.data(), rest.size());
  if (put < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  fed_ += put < 0 ? 0 : static_cast<std::size_t>(put);
  if (put >= 0 && fed_ < spec_.input.size())
    return;
  input_pipe_.reset();
  std::string{}.swap(spec_.input); // It may be big.
}

void child_process::read_output() {
  if (read_some(output_pipe_, around_.chunk, output_) > 0)
    tell_progress();
  settle();
}

void child_process::read_log() {
  if (read_some(log_pipe_, around_.chunk, log_) > 0)
    tell_progress();
  settle();
}

void child_process::tell_progress() {
  if (!callbacks_.on_progress)
    return;
  auto now = steady::now();
  if (progress_told_ && now - *progress_told_ < spec_.progress_interval)
    return;
  progress_told_ = now;
  callbacks_.on_progress({exit_.pid, output_.seen(), log_.seen()});
}

void child_process::notice_exit() {
  auto found = peek_exit(exit_.pid);
  if (!found || phase_ != phase::running)
    return;
  phase_ = phase::draining;
  exit_.end = found->end;
  exit_.code = found->code;
  exit_.signal = found->signal;
  leader_.reset();
  input_pipe_.reset();
  std::string{}.swap(spec_.input);
  if (exit_.end != process_end::lost) // Else its id may be a stranger's.
    signal_group(exit_.pid, SIGKILL);
  if (exit_.stopped)
    signal_all(SIGKILL);
  if (hurried_)
    read_the_rest();
  else
    timer_.start(sweep_after);
  settle();
}

void child_process::time_is_up() {
  if (phase_ == phase::running) {
    kill();
  } else if (!swept_) {
    swept_ = true;
    signal_all(SIGKILL);
    timer_.start(leave_after);
  } else {
    read_the_rest();
    settle();
  }
}

void child_process::stop(duration grace) {
  notice_exit(); // If it is already over, it was not our doing.
  if (phase_ != phase::running)
    return;
  exit_.stopped = true;
  if (grace <= duration::zero())
    return kill();
  signal_all(SIGTERM);
  signal_all(SIGCONT); // What is suspended cannot obey.
  auto kill_at = steady::now() + std::min<duration>(grace, max_grace);
  if (kill_at_ && *kill_at_ <= kill_at)
    return;
  kill_at_ = kill_at;
  timer_.start(std::min<duration>(grace, max_grace));
}

void child_process::kill() {
  notice_exit();
  if (phase_ != phase::running)
    return;
  exit_.stopped = true;
  exit_.needed_kill = true;
  signal_all(SIGKILL);
}

void child_process::stop_for_good() {
  hurried_ = true;
  kill();
  if (phase_ == phase::draining) {
    read_the_rest();
    settle();
  }
}

void child_process::abandon() {
  if (phase_ != phase::ended)
    finish();
}

void child_process::signal_all(int signal) {
  if (phase_ != phase::running && exit_.end == process_end::lost)
    return;
  signal_group(exit_.pid, signal);
  signal_stragglers(exit_.pid, signal, around_.census.recent());
}

void child_process::read_the_rest() {
  read_rest(output_pipe_, around_.chunk, output_);
  read_rest(log_pipe_, around_.chunk, log_);
  exit_.left_open = output_pipe_ || log_pipe_;
  output_pipe_.reset();
  log_pipe_.reset();
}

void child_process::settle() {
  if (phase_ == phase::draining && !output_pipe_ && !log_pipe_)
    finish();
}

void child_process::finish() {
  TURNSTILE_CHECK(phase_ != phase::ended);
  phase_ = phase::ended;
  timer_.stop();
  leader_.reset();
  input_pipe_.reset();
  output_pipe_.reset();
  log_pipe_.reset();
  if (exit_.pid != 0)
    reap(exit_.pid);
  exit_.output_bytes = output_.seen();
  exit_.log_bytes = log_.seen();
  exit_.output = output_.finish();
  exit_.log = log_.finish();
  callbacks_.on_exit(std::move(exit_));
  ended_();
}

} // namespace turnstile
