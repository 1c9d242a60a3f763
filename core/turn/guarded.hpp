#pragma once

#include "core/base/result.hpp"

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace turnstile {

/// Calls the user's `call`, which returns a `result`, and lets no exception
/// past: what it throws becomes a failure with `code` that says where it
/// happened. A failure that it returns keeps its sentence and gets `code`,
/// except `errc::conflict`, which the scheduler reacts to.
template <class Call>
std::invoke_result_t<Call> guarded(errc code, const char* where, Call&& call) {
  auto thrown = [&](std::string what) {
    return fail(code, std::string{where} + " threw: " + std::move(what));
  };
  try {
    auto answer = std::forward<Call>(call)();
    if (!answer && answer.error().code != errc::conflict)
      answer.error().code = code;
    return answer;
  } catch (const std::exception& e) {
    return thrown(e.what());
  } catch (...) {
    return thrown("something that is not a std::exception");
  }
}

} // namespace turnstile
