#include "core/attempt/feedback.hpp"

#include "core/base/utf8.hpp"

namespace turnstile {

namespace {

/// The beginning of `text`, cut between characters, with a word if it is cut.
std::string excerpt(std::string_view text) {
  if (text.size() <= max_feedback_excerpt)
    return std::string{text};
  std::size_t end = 0;
  for (;;) {
    const auto length = utf8_length(text.substr(end));
    const auto step = length == 0 ? 1 : length;
    if (end + step > max_feedback_excerpt)
      break;
    end += step;
  }
  return std::string{text.substr(0, end)} + "\n[cut; there were "
         + std::to_string(text.size()) + " bytes]";
}

std::string fenced(std::string_view kind, std::string_view text) {
  return "```" + std::string{kind} + "\n" + std::string{text} + "\n```\n";
}

} // namespace

std::string corrected_prompt(std::string_view original,
                             const correction& what) {
  auto prompt = std::string{original} + "\n\n---\n";
  if (what.is_text)
    prompt += "Your last answer was plain text. Answer by calling the "
              "`structured_output` tool, or with nothing but one JSON value "
              "that matches the schema below.\n\nYour last answer:\n"
              + fenced("", excerpt(what.answer));
  else
    prompt += "Your last answer does not match the required schema: "
              + std::string{what.problem} + "\n\nYour last answer:\n"
              + fenced("json", excerpt(what.answer));
  return prompt + "\nRequired JSON Schema:\n" + fenced("json", what.schema)
         + "\nCall the `structured_output` tool, or answer with nothing but "
           "JSON, with all required fields.\n";
}

} // namespace turnstile
