#include "config/plan/text/task_text.hpp"

#include "config/plan/text/nearest.hpp"
#include "config/plan/text/quote.hpp"
#include "core/base/check.hpp"

#include <algorithm>
#include <utility>

namespace turnstile::config {

namespace {

using type = text_piece::type;

constexpr std::string_view opening = "{{";
constexpr std::string_view closing = "}}";
constexpr std::string_view escaped_opening = "{{{{";
constexpr std::size_t max_faults = 20;
constexpr std::string_view how_to_escape =
  "; write \"{{{{\" for a literal \"{{\"";

text_piece parse_template(std::string_view inside) {
  if (inside == "path")
    return {type::path, "", 0};
  if (inside == "stem")
    return {type::stem, "", 0};
  for (const auto& [ending, is] : {std::pair{".outputs", type::outputs},
                                   std::pair{".output", type::output}}) {
    const std::string_view suffix = ending;
    if (inside.size() > suffix.size() && inside.ends_with(suffix))
      return {is, std::string{inside.substr(0, inside.size() - suffix.size())},
              0};
  }
  return {type::unknown, std::string{inside}, 0};
}

std::string in_braces(std::string_view inside) {
  return std::string{opening}.append(inside).append(closing);
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string advice_for(std::string_view inside) {
  const auto meant = trimmed(inside);
  const auto dot = meant.rfind('.');
  std::vector<std::string> known{in_braces("path"), in_braces("stem")};
  if (dot != meant.npos)
    for (const auto* suffix : {".output", ".outputs"})
      known.push_back(in_braces(std::string{meant.substr(0, dot)} + suffix));
  const std::vector<std::string_view> words{known.begin(), known.end()};
  auto advice = did_you_mean(in_braces(inside), words);
  return advice.empty() ? std::string{how_to_escape} : advice;
}

std::string fault_of(const text_piece& piece, text_rules rules) {
  switch (piece.is) {
  case type::path:
  case type::stem:
    if (rules.has_each)
      return {};
    return in_quotes(in_braces(piece.is == type::path ? "path" : "stem"))
           + " means nothing in a task without \"each\"";
  case type::output:
  case type::outputs:
    return rules.is_prompt ? ""
                           : "outputs of other tasks can only stand in a "
                             "prompt";
  case type::unknown:
    return "unknown template " + in_quotes(in_braces(piece.text))
           + advice_for(piece.text);
  case type::unclosed:
    return "a \"{{\" without \"}}\"" + std::string{how_to_escape};
  default:
    return {};
  }
}

void append(prompt& out, prompt_piece::type is, std::string_view text) {
  const bool is_literal = is == prompt_piece::type::literal;
  if (is_literal && text.empty())
    return;
  if (is_literal && !out.empty() && out.back().is == is)
    out.back().text.append(text);
  else
    out.push_back({is, std::string{text}});
}

} // namespace

task_text parse_task_text(std::string_view text) {
  task_text pieces;
  const auto add = [&](text_piece piece, std::size_t begin) {
    piece.begin = begin;
    pieces.push_back(std::move(piece));
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = std::min(text.find(opening, at), text.size());
    if (begin > at)
      add({type::literal, std::string{text.substr(at, begin - at)}, 0}, at);
    if (begin == text.size())
      break;
    const auto inside = begin + opening.size();
    if (text.substr(begin).starts_with(escaped_opening)) {
      add({type::literal, std::string{opening}, 0}, begin);
      at = begin + escaped_opening.size();
      continue;
    }
    const auto end = text.find(closing, inside);
    if (end == text.npos) {
      add({type::unclosed, "", 0}, begin);
      break;
    }
    add(parse_template(text.substr(inside, end - inside)), begin);
    at = end + closing.size();
  }
  return pieces;
}

std::vector<text_fault> faults_of(const task_text& text, text_rules rules) {
  std::vector<text_fault> faults;
  for (const auto& piece : text) {
    if (faults.size() == max_faults)
      break;
    if (auto sentence = fault_of(piece, rules); !sentence.empty())
      faults.push_back({piece.begin, std::move(sentence)});
  }
  return faults;
}

matched_file matched_file::of(std::string path) {
  std::string_view stem = path;
  if (const auto slash = stem.rfind('/'); slash != stem.npos)
    stem.remove_prefix(slash + 1);
  if (const auto dot = stem.rfind('.'); dot != stem.npos && dot > 0)
    stem = stem.substr(0, dot);
  std::string copy{stem};
  return {std::move(path), std::move(copy)};
}

std::size_t bound_bytes(const task_text& text, const matched_file& file) {
  std::size_t bytes = 0;
  for (const auto& piece : text)
    bytes += piece.is == type::path   ? file.path.size()
             : piece.is == type::stem ? file.stem.size()
                                      : piece.text.size();
  return bytes;
}

prompt bind_prompt(const task_text& text, const matched_file& file) {
  using piece_type = prompt_piece::type;
  prompt out;
  for (const auto& piece : text)
    switch (piece.is) {
    case type::literal:
      append(out, piece_type::literal, piece.text);
      break;
    case type::path:
      append(out, piece_type::literal, file.path);
      break;
    case type::stem:
      append(out, piece_type::literal, file.stem);
      break;
    case type::output:
      append(out, piece_type::output, piece.text);
      break;
    case type::outputs:
      append(out, piece_type::outputs, piece.text);
      break;
    default:
      TURNSTILE_CHECK(faults_of(text, {true, true}).empty());
    }
  return out;
}

std::string bind_text(const task_text& text, const matched_file& file) {
  auto pieces = bind_prompt(text, file);
  TURNSTILE_CHECK(pieces.size() <= 1);
  return pieces.empty() ? std::string{} : std::move(pieces.front().text);
}

} // namespace turnstile::config
