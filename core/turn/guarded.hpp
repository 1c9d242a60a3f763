#pragma once

#include "core/base/result.hpp"

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace turnstile {

/// Calls the user's `call`, which returns a `result`, and lets no exception
/// past: what it throws becomes a failure with `code` that says where it
/// happened. A failure that it returns stays as it is.
template <class Call>
std::invoke_result_t<Call> caught(errc code, const char* where, Call&& call) {
  auto thrown = [&](std::string what) {
    return fail(code, std::string{where} + " threw: " + std::move(what));
  };
  try {
    return std::forward<Call>(call)();
  } catch (const std::exception& e) {
    return thrown(e.what());
  } catch (...) {
    return thrown("something that is not a std::exception");
  }
}

/// The same for what core itself asks of a program: a failure that `call`
/// returns keeps its sentence and gets `code`; only a commit `may_conflict`,
/// which the scheduler reacts to.
template <class Call>
std::invoke_result_t<Call> guarded(errc code, const char* where, Call&& call,
                                   bool may_conflict = false) {
  auto answer = caught(code, where, std::forward<Call>(call));
  if (!answer && !(may_conflict && answer.error().code == errc::conflict))
    answer.error().code = code;
  return answer;
}

/// Asks the user's values something that cannot fail. Should it throw, the
/// answer is the `careful` one.
template <class T, class Question>
T asked(T careful, Question&& question) noexcept {
  try {
    return std::forward<Question>(question)();
  } catch (...) {
    return careful;
  }
}

} // namespace turnstile
