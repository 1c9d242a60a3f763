#pragma once

#include "actors/process/loop_handles.hpp"
#include "actors/process/process_callbacks.hpp"
#include "actors/process/process_spec.hpp"
#include "actors/process/spawn.hpp"
#include "actors/process/stream_keep.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace turnstile {

/// What the children of one host share.
struct child_surroundings {
  uv_loop_t& loop;
  std::span<char> chunk; ///< To read into; bounds one read, and so one turn.
  int keeper_image = -1;
};

/// One child from its start to the news of its exit, as its keeper tells it.
///
///     starting --> running --it exits--> draining --keeper gone--> ended
///         '--- it cannot be started ---------'      pipes closed
///
/// Its end is that of the process we started: when that exits, its keeper
/// kills whatever came of it, and what is still in the pipes is read. When the
/// keeper itself exits, nothing of the child lives any more.
///
/// Invariant: `on_exit` is called once, and then `ended`, which takes this
/// object away some time after it has returned.
class child_process {
public:
  child_process(child_surroundings around, process_spec spec,
                process_callbacks callbacks, std::function<void()> ended);

  /// Starts it. If that fails, it ends at once.
  void start();

  /// Sends TERM to all of it, and KILL after `grace`. Called again, the
  /// earlier KILL counts. Does nothing once it has exited.
  void stop(duration grace);

  /// Sends KILL to all of it and does not wait for its pipes.
  void stop_for_good();

  /// Ends it as `lost`, whatever it does.
  void abandon();

private:
  enum class phase { starting, running, draining, ended };

  void run(spawned_child child);
  void feed();
  void read_output();
  void read_log();
  void tell_progress();
  void hear();
  void note(const keeper::news& news);
  void note_end(process_end how, int value);
  void note_keeper_gone();
  void time_is_up();
  void kill();
  void say(keeper::order order);
  void read_the_rest();
  void settle();
  void finish();

  child_surroundings around_;
  process_spec spec_;
  process_callbacks callbacks_;
  std::function<void()> ended_;

  phase phase_ = phase::starting;
  process_exit exit_;
  stream_head output_;
  stream_tail log_;
  std::size_t fed_ = 0; // Of spec_.input.

  std::optional<fd_watch> input_pipe_;
  std::optional<fd_watch> output_pipe_;
  std::optional<fd_watch> log_pipe_;
  std::optional<fd_watch> keeper_; // Until it is gone.
  pid_t keeper_pid_ = 0;

  // While running: when to kill. While draining: when to give up.
  loop_timer timer_;
  loop_timer progress_timer_; ///< Armed while there is progress to tell.
  bool progress_waits_ = false;
  std::optional<std::chrono::steady_clock::time_point> kill_at_;
  bool stopped_listening_ = false;
  bool hurried_ = false;
  std::optional<std::chrono::steady_clock::time_point> progress_told_;
};

} // namespace turnstile
