#include "actors/process/utf8.hpp"

#include <algorithm>

namespace turnstile {

namespace {

constexpr auto replacement = std::string_view{"\xEF\xBF\xBD"};
constexpr auto max_length = std::size_t{4};

unsigned char at(std::string_view bytes, std::size_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

bool continues(unsigned char byte) {
  return byte >= 0x80 && byte <= 0xBF;
}

// How many bytes a code point has that begins so; zero if none does.
std::size_t length_from(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if (lead < 0xC2) // A continuation, or a longer form than needed.
    return 0;
  if (lead < 0xE0)
    return 2;
  if (lead < 0xF0)
    return 3;
  return lead < 0xF5 ? 4 : 0;
}

// The second byte rules out longer forms than needed, surrogates, and what
// lies above U+10FFFF.
bool may_follow(unsigned char lead, unsigned char second) {
  switch (lead) {
  case 0xE0:
    return second >= 0xA0 && second <= 0xBF;
  case 0xED:
    return second >= 0x80 && second <= 0x9F;
  case 0xF0:
    return second >= 0x90 && second <= 0xBF;
  case 0xF4:
    return second >= 0x80 && second <= 0x8F;
  default:
    return continues(second);
  }
}

struct piece {
  std::size_t size = 1; // At least one.
  bool whole = false;   // A code point, not only its start.
  bool starved = false; // A start that nothing contradicts but the end.
};

// The code point, or the longest start of one, at the front of `bytes`.
piece first_piece(std::string_view bytes) {
  auto lead = at(bytes, 0);
  auto wanted = length_from(lead);
  if (wanted <= 1)
    return {1, wanted == 1, false};
  std::size_t have = 1;
  while (have < wanted && have < bytes.size()) {
    auto next = at(bytes, have);
    if (have == 1 ? !may_follow(lead, next) : !continues(next))
      return {have, false, false};
    ++have;
  }
  return {have, have == wanted, have < wanted};
}

} // namespace

repaired_text repair_utf8(std::string_view bytes) {
  auto out = repaired_text{};
  out.text.reserve(bytes.size());
  while (!bytes.empty()) {
    auto [size, whole, starved] = first_piece(bytes);
    out.text += whole ? bytes.substr(0, size) : replacement;
    out.replaced += whole ? 0 : 1;
    bytes.remove_prefix(size);
  }
  return out;
}

std::string_view without_cut_end(std::string_view bytes) {
  auto last = std::min(bytes.size(), max_length - 1);
  for (std::size_t back = 1; back <= last; ++back)
    if (first_piece(bytes.substr(bytes.size() - back)).starved)
      return bytes.substr(0, bytes.size() - back);
  return bytes;
}

std::string_view without_cut_start(std::string_view bytes) {
  for (std::size_t i = 0; i < max_length - 1; ++i) {
    if (bytes.empty() || !continues(at(bytes, 0)))
      break;
    bytes.remove_prefix(1);
  }
  return bytes;
}

} // namespace turnstile
