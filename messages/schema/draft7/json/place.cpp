#include "messages/schema/draft7/json/place.hpp"

#include "messages/schema/draft7/json/excerpt.hpp"

namespace turnstile::draft7 {

std::string pointer_token(std::string_view token) {
  std::string out;
  for (const char c : token)
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  return out;
}

std::string place::pointer() const {
  std::string out;
  const auto* at = this;
  for (; at->up_ != nullptr; at = at->up_)
    out.insert(0, '/'
                    + (at->is_element_ ? std::to_string(at->index_)
                                       : pointer_token(at->name_)));
  return out.insert(0, at->name_);
}

std::string place::text() const {
  constexpr std::size_t enough = 200;
  std::string out;
  const auto* at = this;
  for (; at->up_ != nullptr && out.size() < enough; at = at->up_) {
    auto step = std::to_string(at->index_);
    if (!at->is_element_) { // Without the quotes.
      step = in_quotes(pointer_token(at->name_));
      step = step.substr(1, step.size() - 2);
    }
    out.insert(0, '/' + step);
  }
  if (at->up_ != nullptr)
    return "at ..." + out;
  out.insert(0, shortened(at->name_, enough));
  return out.empty() ? "at the root" : "at " + out;
}

} // namespace turnstile::draft7
