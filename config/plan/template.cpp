#include "config/plan/template.hpp"

namespace turnstile::config {

std::string render(const prompt& pieces, const prompt_answer& answer) {
  std::string out;
  for (const auto& piece : pieces)
    out += piece.is == prompt_piece::type::literal ? piece.text : answer(piece);
  return out;
}

} // namespace turnstile::config
