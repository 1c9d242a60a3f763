#pragma once

#include <string>

namespace turnstile {

/// What is said at the end of every refusal of a damaged journal.
inline std::string way_out(const std::string& journal) {
  std::string text{"; turnstile journal verify "};
  return text.append(journal)
    .append(" says what is wrong, turnstile journal repair ")
    .append(journal)
    .append(" saves what is left");
}

} // namespace turnstile
