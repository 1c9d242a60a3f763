#pragma once

#include "actors/process/keeper/words.hpp"
#include "actors/process/process_spec.hpp"
#include "actors/process/start_failure.hpp"

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace turnstile {

/// The descriptors a keeper begins with. All are above 2.
struct keeper_streams {
  int input = -1;
  int output = -1;
  int log = -1;
  int socket = -1;
  int image = -1;
};

/// A specification in the form in which its keeper can be run between fork and
/// exec, where one may neither allocate nor take a lock. Refers to the
/// specification it was made of, which must outlive it.
class exec_plan {
public:
  /// Refuses what the system's calls cannot say: no program, a variable
  /// without a proper name, a NUL byte.
  static tl::expected<exec_plan, start_failure> make(const process_spec& spec);

  exec_plan(exec_plan&&) = default;
  exec_plan& operator=(exec_plan&&) = default;

  /// Turns the calling process into a keeper that will run the program:
  /// `streams` are its streams, and it has no other descriptor of ours. If
  /// that fails, it says so into the socket and ends. Makes only
  /// async-signal-safe calls.
  [[noreturn]] void become_keeper(const keeper_streams& streams) const noexcept;

private:
  exec_plan() = default;

  // Their number, then where the program may be, in the order of PATH. (Texts
  // stay where they are when the plan moves, because they are in vectors.)
  std::vector<std::string> candidates_;
  std::vector<std::string> variables_;

  // Point into those above and the specification; end with a null.
  std::vector<char*> arguments_;
  std::vector<char*> environment_;
};

} // namespace turnstile
