#include "actors/process/start_failure.hpp"

namespace turnstile {

std::string_view to_string(start_problem problem) noexcept {
  switch (problem) {
  case start_problem::no_such_program:
    return "no such program";
  case start_problem::not_executable:
    return "not executable";
  case start_problem::no_workdir:
    return "no such working directory";
  case start_problem::too_many_files:
    return "too many open files";
  case start_problem::fork_refused:
    return "fork refused";
  case start_problem::invalid:
    return "invalid process";
  case start_problem::other:
    break;
  }
  return "cannot start";
}

std::string to_string(const start_failure& why) {
  auto out = std::string{to_string(why.problem)} + " \"" + why.name + '"';
  if (why.error)
    out += ": " + why.error.message();
  return out;
}

} // namespace turnstile
