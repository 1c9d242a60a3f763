#include "config/plan/each/segment_pattern.hpp"

#include "config/plan/text/quote.hpp"
#include "config/plan/text/utf8.hpp"

#include <algorithm>

namespace turnstile::config {

result<segment_pattern> segment_pattern::parse(std::string_view text) {
  using type = element::type;
  segment_pattern pattern;
  pattern.any_depth_ = text == "**";
  pattern.shows_hidden_ = text.starts_with('.');
  const auto characters = characters_of(text);
  for (std::size_t at = 0; at < characters.size();) {
    element next;
    const auto one = characters[at];
    if (one == U'*') {
      next.is = type::run;
    } else if (one == U'?') {
      next.is = type::any;
    } else if (one == U'[') {
      auto set = parse_set(characters, at);
      if (!set)
        return fail(errc::invalid_plan,
                    in_quotes(text) + " has a \"[\" without \"]\"");
      next = *std::move(set);
    } else {
      next.ranges.emplace_back(one, one);
    }
    ++at;
    pattern.name_ = pattern.name_ && next.is == type::exactly;
    pattern.elements_.push_back(std::move(next));
  }
  return pattern;
}

// Reads a set from its `[` and leaves `at` on its `]`. A `]` or a `-` that
// comes first stands for itself, as in the shell.
result<segment_pattern::element>
segment_pattern::parse_set(std::u32string_view text, std::size_t& at) {
  element set;
  set.is = element::type::set;
  auto next = at + 1;
  if (next < text.size() && (text[next] == U'!' || text[next] == U'^')) {
    set.negated = true;
    ++next;
  }
  const auto first = next;
  for (; next < text.size(); ++next) {
    if (text[next] == U']' && next > first) {
      at = next;
      return set;
    }
    const auto low = text[next];
    if (next + 2 < text.size() && text[next + 1] == U'-'
        && text[next + 2] != U']')
      next += 2;
    set.ranges.emplace_back(low, text[next]);
  }
  return fail(errc::invalid_plan, "unclosed");
}

bool segment_pattern::matches_one(const element& one, char32_t character) {
  if (one.is == element::type::any)
    return true;
  const bool listed =
    std::any_of(one.ranges.begin(), one.ranges.end(), [&](auto& range) {
      return range.first <= character && character <= range.second;
    });
  return listed != one.negated;
}

// Goes back to the last `*` only: an earlier one could not do better.
bool segment_pattern::matches(std::string_view name) const {
  if (name.starts_with('.') && !shows_hidden_)
    return false;
  constexpr auto none = static_cast<std::size_t>(-1);
  const auto characters = characters_of(name);
  const auto is_run = [this](std::size_t index) {
    return index < elements_.size()
           && elements_[index].is == element::type::run;
  };
  std::size_t next = 0;
  auto last_run = none;
  std::size_t run_end = 0;
  for (std::size_t at = 0; at < characters.size();) {
    if (is_run(next)) {
      last_run = next++;
      run_end = at;
    } else if (next < elements_.size()
               && matches_one(elements_[next], characters[at])) {
      ++next;
      ++at;
    } else if (last_run != none) {
      next = last_run + 1;
      at = ++run_end;
    } else {
      return false;
    }
  }
  while (is_run(next))
    ++next;
  return next == elements_.size();
}

} // namespace turnstile::config
