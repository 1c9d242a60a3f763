#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace turnstile {

/// Why a child never began.
enum class start_problem : std::uint8_t {
  no_such_program, ///< Neither this path nor any folder of PATH has it.
  not_executable,  ///< It is there, but cannot be run by us or by anyone.
  no_workdir,      ///< Its working directory is missing or closed to us.
  too_many_files,  ///< We, or the machine, are out of descriptors.
  fork_refused,    ///< No more processes, or no memory for one.
  invalid,         ///< The specification itself is wrong. Never retry.
  other,           ///< The system's error says more.
};

/// Returns the problem in words: `"no such program"`.
std::string_view to_string(start_problem problem) noexcept;

/// A child that could not be started.
struct start_failure {
  start_problem problem = start_problem::other;
  std::error_code error; ///< What the system said; empty for `invalid`.
  std::string name;      ///< The program, folder or thing concerned.
};

/// Renders as `no such program "frob": No such file or directory`.
std::string to_string(const start_failure& why);

} // namespace turnstile
