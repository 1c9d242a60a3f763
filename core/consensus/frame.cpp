#include "core/consensus/frame.hpp"

#include <algorithm>

namespace turnstile {

namespace {

/// Cuts at a character's beginning, so that UTF-8 stays UTF-8.
std::string_view cut(std::string_view text) {
  if (text.size() <= frame_text::max_bytes)
    return text;
  auto end = frame_text::max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return text.substr(0, end);
}

} // namespace

std::string_view to_string(frame_kind kind) noexcept {
  switch (kind) {
  case frame_kind::observation:
    return "observation";
  case frame_kind::schedule:
    return "schedule";
  case frame_kind::disposition:
    return "disposition";
  case frame_kind::poisoned:
    return "poisoned";
  case frame_kind::formation:
    return "formation";
  }
  return "unknown";
}

void put(frame& into, std::uint64_t word, std::string_view why) {
  into.texts.push_back({into.words.size(), std::string{cut(why)}});
  into.words.push_back(word);
}

std::string_view text_of(const frame& of, std::uint64_t place) {
  const auto found =
    std::find_if(of.texts.begin(), of.texts.end(),
                 [&](const frame_text& text) { return text.word == place; });
  return found == of.texts.end() ? "it did not say why"
                                 : std::string_view{found->text};
}

result<std::optional<std::vector<frame>>>
mirror_group::gather(const frame& local) {
  std::vector<frame> all(ranks_, local);
  for (std::size_t rank = 0; rank < ranks_; ++rank)
    all[rank].rank = rank;
  return all;
}

} // namespace turnstile
