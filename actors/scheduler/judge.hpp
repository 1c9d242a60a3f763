#pragma once

#include "actors/scheduler/flights.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "core/turn/guarded.hpp"

#include <string_view>
#include <utility>

namespace turnstile {

/// How a flight ended, as its program sees it. An outcome that is no message
/// of the program's is a failed completion.
template <hosted_program P>
attempt_end<P> read_end(flight ended, result<std::string_view> how,
                        instant now) {
  auto read = [&]() -> result<typename P::outcome_message> {
    if (!how)
      return fail(how.error());
    typename P::outcome_message outcome;
    if (!outcome.ParseFromArray(how->data(), static_cast<int>(how->size())))
      return fail(errc::completion,
                  "the backend's outcome is no " + outcome.GetTypeName());
    return outcome;
  };
  return {read(),           ended.timed_out, std::move(ended.backend_name),
          ended.submission, ended.started,   now};
}

/// What follows if nobody but the scheduler is asked.
template <hosted_program P>
result<result_of_program<P>> plain_result(attempt_end<P>&& end) {
  if (end.timed_out)
    return fail(errc::completion, *end.timed_out == attempt_timeout::idle
                                    ? "the attempt was idle for too long"
                                    : "the attempt took too long");
  if (!end.how)
    return fail(std::move(end.how.error()));
  if constexpr (std::same_as<result_of_program<P>, typename P::outcome_message>)
    return std::move(end.how);
  else
    return fail(errc::completion, "the program does not judge its attempts");
}

/// Decides what follows the end of an attempt of `work`: the program, if it
/// judges attempts.
template <hosted_program P>
next_of_attempt<P> judge(P& program, terms_of_program<P>& terms,
                         hosted_work<P>& work, attempt_end<P>&& end) {
  if constexpr (judges_attempts<P>) {
    auto next = caught(errc::completion, "after_attempt",
                       [&]() -> result<next_of_attempt<P>> {
                         return program.after_attempt(
                           terms, work.message, work.attempts, std::move(end));
                       });
    if (next)
      return std::move(*next);
    return result<result_of_program<P>>{fail(std::move(next.error()))};
  } else {
    static_cast<void>(program), static_cast<void>(terms),
      static_cast<void>(work);
    return plain_result<P>(std::move(end));
  }
}

} // namespace turnstile
