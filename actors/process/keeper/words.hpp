#pragma once

// What a program and the keeper of one of its children say to each other, over
// a socket that keeps packets apart. Both come from the same build, so no other
// version ever reads this.

namespace turnstile::keeper {

/// The descriptors that a keeper begins with, beside its child's streams.
inline constexpr int socket_fd = 3; ///< To its program. Closed: it is gone.
inline constexpr int image_fd = 4;  ///< The keeper itself; closed by its exec.

// Its arguments: a name for lists of processes, the child's workdir or nothing,
// the number of files that the child's program may be, these files, and the
// arguments of the child. Its environment is the child's.
inline constexpr int workdir_argument = 1;
inline constexpr int count_argument = 2;
inline constexpr int first_candidate = 3;

/// One byte from the program.
enum class order : char {
  terminate = 'T', ///< Ask all of the child to end.
  kill = 'K',      ///< End all of it.
};

/// How far a child came on its way to its program.
enum class step : int {
  keeper,      ///< Its keeper could not be run.
  fork,        ///< The system refused another process.
  streams,     ///< Its standard streams could not be put in place.
  workdir,     ///< It could not enter its working directory.
  interpreter, ///< The program is there, but what it names to run it is not.
  program,     ///< The program could not be run.
};

/// What happened.
enum class event : int {
  started,     ///< The program runs; `value` is its process.
  not_started, ///< It does not; `value` is the system's error, at `at`.
  exited,      ///< By itself; `value` is its exit code.
  signalled,   ///< Killed; `value` is the signal.
};

/// One packet from the keeper. After the last one, once nothing of the child
/// lives, the keeper exits and the socket says so.
struct news {
  event what = event::not_started;
  int value = 0;
  step at = step::program;
};

} // namespace turnstile::keeper
