#include "config/plan/text/complaints.hpp"

#include "core/base/check.hpp"

#include <algorithm>
#include <utility>

namespace turnstile::config {

void complaints::add(std::size_t offset, std::string sentence, errc code) {
  all_.insert({offset, std::move(sentence), code});
  if (all_.size() > max_kept) {
    all_.erase(std::prev(all_.end()));
    more_ = true;
  }
}

bool complaints::hear(std::size_t offset) const {
  return all_.size() < max_kept || offset < all_.rbegin()->offset;
}

bool complaints::touch(std::size_t begin, std::size_t end) const {
  const auto first = std::find_if(
    all_.begin(), all_.end(), [&](auto& one) { return one.offset >= begin; });
  return first != all_.end() && first->offset < end;
}

failure complaints::to_failure() const {
  TURNSTILE_CHECK(!all_.empty());
  failure why{errc::not_built_yet, ""};
  std::size_t told = 0;
  for (const auto& [offset, sentence, code] : all_) {
    if (code != errc::not_built_yet)
      why.code = code;
    if (told == max_told)
      continue;
    if (told++ > 0)
      why.detail += '\n';
    why.detail += source_.place_of(offset) + ": " + sentence;
  }
  if (const auto left = all_.size() - told; left > 0)
    why.detail += "\nand " + std::string{more_ ? "more than " : ""}
                  + std::to_string(left) + " more";
  return why;
}

} // namespace turnstile::config
