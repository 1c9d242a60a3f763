#include "actors/process/child_process.hpp"

#include "core/base/check.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace turnstile {

namespace {

using steady = std::chrono::steady_clock;

// How long pipes may stay open after the child's exit before nobody listens
// any more, and how long what came of it may resist being killed.
constexpr auto leave_after = std::chrono::milliseconds{500};
constexpr auto give_up_after = std::chrono::seconds{2};

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
    timer_(around_.loop, [this] { time_is_up(); }),
    progress_timer_(around_.loop, [this] {
      progress_waits_ = false;
      tell_progress();
    }) {}

void child_process::start() {
  if (auto child = spawn(spec_, around_.keeper_image)) {
    run(std::move(*child));
  } else {
    exit_.failure = std::move(child.error());
    finish();
  }
}

void child_process::run(spawned_child child) {
  keeper_pid_ = child.keeper;
  if (!spec_.input.empty())
    input_pipe_.emplace(around_.loop, std::move(child.input), UV_WRITABLE,
                        [this] { feed(); });
  output_pipe_.emplace(around_.loop, std::move(child.output), UV_READABLE,
                       [this] { read_output(); });
  log_pipe_.emplace(around_.loop, std::move(child.log), UV_READABLE,
                    [this] { read_log(); });
  keeper_.emplace(around_.loop, std::move(child.socket), UV_READABLE,
                  [this] { hear(); });
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
  if (!callbacks_.on_progress || exit_.pid == 0)
    return;
  if (progress_waits_)
    return;
  auto now = steady::now();
  if (progress_told_ && now - *progress_told_ < spec_.progress_interval) {
    progress_waits_ = true;
    progress_timer_.start(spec_.progress_interval - (now - *progress_told_));
    return;
  }
  progress_told_ = now;
  callbacks_.on_progress({exit_.pid, output_.seen(), log_.seen()});
}

// Takes what the keeper has told so far.
void child_process::hear() {
  while (keeper_) {
    auto news = keeper::news{};
    auto got = ::recv(keeper_->fd(), &news, sizeof news, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
      return;
    if (got == static_cast<ssize_t>(sizeof news))
      note(news);
    else
      return note_keeper_gone();
  }
}

void child_process::note(const keeper::news& news) {
  switch (news.what) {
  case keeper::event::started:
    phase_ = phase::running;
    exit_.pid = news.value;
    tell_progress();
    return;
  case keeper::event::not_started:
    exit_.failure = failure_in(news, spec_);
    return note_end(process_end::not_started, 0);
  case keeper::event::exited:
    return note_end(process_end::exited, news.value);
  case keeper::event::signalled:
    return note_end(process_end::signalled, news.value);
  }
}

void child_process::note_end(process_end how, int value) {
  phase_ = phase::draining;
  exit_.end = how;
  (how == process_end::signalled ? exit_.signal : exit_.code) = value;
  input_pipe_.reset();
  std::string{}.swap(spec_.input);
  if (hurried_)
    read_the_rest();
  else
    timer_.start(leave_after);
}

void child_process::note_keeper_gone() {
  keeper_.reset();
  ::waitpid(keeper_pid_, nullptr, 0); // Closing its socket was its last act.
  if (phase_ != phase::draining)      // It was killed, and its child with it.
    note_end(process_end::lost, 0);
  settle();
}

void child_process::time_is_up() {
  if (phase_ != phase::draining)
    return kill();
  if (std::exchange(stopped_listening_, true))
    return finish(); // Something of it cannot be killed.
  read_the_rest();
  timer_.start(give_up_after);
  settle();
}

void child_process::stop(duration grace) {
  hear(); // If it is already over, it was not our doing.
  if (phase_ == phase::draining || phase_ == phase::ended)
    return;
  exit_.stopped = true;
  if (grace <= duration::zero())
    return kill();
  say(keeper::order::terminate);
  auto kill_at = steady::now() + std::min<duration>(grace, max_grace);
  if (kill_at_ && *kill_at_ <= kill_at)
    return;
  kill_at_ = kill_at;
  timer_.start(std::min<duration>(grace, max_grace));
}

void child_process::kill() {
  hear();
  if (phase_ == phase::draining || phase_ == phase::ended)
    return;
  exit_.stopped = true;
  exit_.needed_kill = true;
  say(keeper::order::kill);
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
  if (phase_ == phase::ended)
    return;
  if (phase_ != phase::draining)
    exit_.end = process_end::lost;
  finish();
}

void child_process::say(keeper::order order) {
  if (keeper_) // If it cannot be told, its end is on the way.
    ::send(keeper_->fd(), &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void child_process::read_the_rest() {
  read_rest(output_pipe_, around_.chunk, output_);
  read_rest(log_pipe_, around_.chunk, log_);
  exit_.left_open |= output_pipe_ || log_pipe_;
  output_pipe_.reset();
  log_pipe_.reset();
}

void child_process::settle() {
  if (phase_ == phase::draining && !keeper_ && !output_pipe_ && !log_pipe_)
    finish();
}

void child_process::finish() {
  TURNSTILE_CHECK(phase_ != phase::ended);
  phase_ = phase::ended;
  timer_.stop();
  progress_timer_.stop();
  keeper_.reset();
  input_pipe_.reset();
  output_pipe_.reset();
  log_pipe_.reset();
  exit_.output_bytes = output_.seen();
  exit_.log_bytes = log_.seen();
  exit_.output = output_.finish();
  exit_.log = log_.finish();
  callbacks_.on_exit(std::move(exit_));
  ended_();
}

} // namespace turnstile
