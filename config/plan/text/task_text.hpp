#pragma once

#include "config/plan/template.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace turnstile::config {

/// A part of a task's string as its author wrote it.
struct text_piece {
  enum class type {
    literal, ///< `text` itself.
    path,    ///< `{{path}}`, the file that `each` found.
    stem,    ///< `{{stem}}`, its name without folder and last extension.
    output,  ///< `{{NAME.output}}`, NAME is `text`.
    outputs, ///< `{{NAME.outputs}}`, NAME is `text`.
    unknown, ///< `{{text}}`, which means nothing.
    unclosed ///< A `{{` without `}}`.
  };

  type is = type::literal;
  std::string text;
  std::size_t begin = 0; ///< Its offset in the string.
};

/// A string of a task. `{{` opens a template, `{{{{` is a literal `{{`, and
/// `}}` outside a template is literal.
using task_text = std::vector<text_piece>;

/// Never fails: what makes no sense becomes a piece that says so.
task_text parse_task_text(std::string_view text);

/// Where a string stands, which decides on the templates it may have.
struct text_rules {
  bool has_each = false;  ///< `{{path}}` and `{{stem}}` mean something.
  bool is_prompt = false; ///< So do `{{NAME.output}}` and `{{NAME.outputs}}`.
};

/// A template that may not stand where it does.
struct text_fault {
  std::size_t begin = 0; ///< Its offset in the string.
  std::string sentence;
};

/// Returns the first faults of `text`, 20 at most: one mistake in a generator
/// can make millions.
std::vector<text_fault> faults_of(const task_text& text, text_rules rules);

/// A file that `each` found.
struct matched_file {
  std::string path;
  std::string stem;

  static matched_file of(std::string path);
};

/// How many bytes the text has with `file` in it, so that this is known before
/// there are too many.
std::size_t bound_bytes(const task_text& text, const matched_file& file);

/// Puts `file` in for `{{path}}` and `{{stem}}`. The text must have no faults;
/// without an `each`, any file will do.
prompt bind_prompt(const task_text& text, const matched_file& file);

/// The same for a text that is no prompt.
std::string bind_text(const task_text& text, const matched_file& file);

} // namespace turnstile::config
