#pragma once

#include <functional>
#include <string>
#include <vector>

namespace turnstile::config {

/// A part of a prompt: text, or the place of what other tasks will have said.
struct prompt_piece {
  enum class type {
    literal, ///< `text` itself.
    output,  ///< The output of the task whose name is `text`.
    outputs, ///< The outputs of all tasks of the group whose name is `text`.
  };

  type is = type::literal;
  std::string text;

  friend bool operator==(const prompt_piece&, const prompt_piece&) = default;
};

/// A prompt whose templates are understood and checked: every task that it
/// speaks of exists and is needed by the task that has the prompt. Literals are
/// not empty and never stand side by side.
using prompt = std::vector<prompt_piece>;

/// Says what stands for an `output` or `outputs` piece.
using prompt_answer = std::function<std::string(const prompt_piece&)>;

/// Writes the prompt out. `answer` is asked once for each piece that is no
/// literal, from left to right; what it says is taken as it is, also when it
/// looks like a template.
std::string render(const prompt& pieces, const prompt_answer& answer);

} // namespace turnstile::config
