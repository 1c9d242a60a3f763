#pragma once

#include "actors/process/process_spec.hpp"
#include "actors/process/start_failure.hpp"

#include <string>
#include <sys/types.h>
#include <tl/expected.hpp>
#include <vector>

namespace turnstile {

/// How far a child came on its way to its program.
enum class exec_step : int {
  streams,     ///< Its standard streams could not be put in place.
  workdir,     ///< It could not enter its working directory.
  interpreter, ///< The program is there, but what it names to run it is not.
  program,     ///< The program could not be run.
};

/// What a child that fails before its program runs tells us.
struct exec_report {
  exec_step step = exec_step::program;
  int error = 0;
};

/// The descriptors a child begins with. All are above 2.
struct child_streams {
  int input = -1;
  int output = -1;
  int log = -1;
  int report = -1; ///< Closed by a successful exec, else an `exec_report`.
};

/// A specification in the form in which a child can use it between fork and
/// exec, where it may neither allocate nor take a lock. Refers to the
/// specification it was made of, which must outlive it.
class exec_plan {
public:
  /// Refuses what the system's calls cannot say: no program, a variable
  /// without a proper name, a NUL byte.
  static tl::expected<exec_plan, start_failure> make(const process_spec& spec);

  exec_plan(exec_plan&&) = default;
  exec_plan& operator=(exec_plan&&) = default;

  /// Turns the calling process, a child of process `parent`, into the leader
  /// of a session and group of its own that runs the program: `streams` as
  /// its standard streams and no other descriptor of ours, every signal as in
  /// a fresh process, killed if the thread that forked it goes away. Makes
  /// only async-signal-safe calls.
  [[noreturn]] void become(const child_streams& streams,
                           pid_t parent) const noexcept;

private:
  exec_plan() = default;

  [[nodiscard]] exec_report run() const noexcept;

  // Where the program may be, in the order of PATH.
  std::vector<std::string> candidates_;
  std::vector<std::string> variables_;
  const char* workdir_ = nullptr;

  // Point into the three above and the specification; end with a null.
  std::vector<char*> arguments_;
  std::vector<char*> environment_;
};

} // namespace turnstile
