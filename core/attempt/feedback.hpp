#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnstile {

/// How much of an output an agent is shown of what it has answered.
inline constexpr std::size_t max_feedback_excerpt = std::size_t{8} << 10;

/// What is wrong with an agent's answer, for the agent to read.
struct correction {
  std::string_view problem; ///< In which way it does not match.
  std::string_view answer;  ///< What it was: JSON, or the text that came.
  std::string_view schema;  ///< What was wanted.
  bool is_text = false;     ///< Text came instead of a structured answer.
};

/// The prompt of the next attempt: the original one and the correction, which
/// shows at most `max_feedback_excerpt` bytes of the answer. Always made from
/// the original, so that it does not grow from retry to retry (decision A7).
std::string corrected_prompt(std::string_view original, const correction& what);

} // namespace turnstile
