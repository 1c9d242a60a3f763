#include "config/plan/read/references.hpp"

#include "config/plan/text/quote.hpp"

#include <string>
#include <string_view>
#include <unordered_set>

namespace turnstile::config {

namespace {

using type = prompt_piece::type;

std::string written(const prompt_piece& piece, type is) {
  return in_quotes("{{" + piece.text
                   + (is == type::output ? ".output}}" : ".outputs}}"));
}

// Returns what is wrong with `piece` in a task that wants `names`, or nothing.
std::string fault_of(const prompt_piece& piece, const task_index& index,
                     const std::unordered_set<std::string_view>& names,
                     const field& where) {
  const auto meant = index.find(piece.text);
  if (!meant)
    return written(piece, piece.is) + ": no task is called "
           + in_quotes(piece.text) + where.advice(piece.text, index.names());
  const bool is_needed =
    names.contains(piece.text)
    || (meant->count > 0 && names.contains(index.entry_of(meant->first)));
  if (!is_needed)
    return written(piece, piece.is) + " speaks of a task that is not in "
           + "\"needs\"; add " + in_quotes(piece.text) + " there";
  if (piece.is == type::output && index.is_of_many(piece.text))
    return written(piece, type::output) + ": " + in_quotes(piece.text)
           + " stands for many tasks; write " + written(piece, type::outputs);
  if (piece.is == type::outputs && !index.is_entry(piece.text))
    return written(piece, type::outputs) + ": " + in_quotes(piece.text)
           + " is one of many tasks; write " + written(piece, type::output);
  return {};
}

} // namespace

void resolve_references(const task_index& index,
                        const std::vector<expanded_task>& tasks) {
  for (const auto& [draft, task, wanted] : tasks) {
    std::unordered_set<std::string_view> names;
    for (const auto& want : wanted)
      names.insert(want.name);
    if (!draft->prompt)
      continue;
    const auto& where = draft->prompt->where;
    for (const auto& piece : task.prompt)
      if (piece.is != type::literal)
        if (const auto fault = fault_of(piece, index, names, where);
            !fault.empty())
          where.complain(fault);
  }
}

} // namespace turnstile::config
