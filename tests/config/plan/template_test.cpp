#include "config/plan/template.hpp"

#include "tests/catch.hpp"

using namespace turnstile::config;

TEST_CASE("a prompt is written out with what was answered", "[config][plan]") {
  using type = prompt_piece::type;
  const prompt pieces{{type::literal, "a {{b.output}} "},
                      {type::output, "b"},
                      {type::literal, ", "},
                      {type::outputs, "c"}};
  const auto text = render(pieces, [](const prompt_piece& piece) {
    return piece.is == type::output ? "{{" + piece.text + "}}"
                                    : "[" + piece.text + "]";
  });
  CHECK(text == "a {{b.output}} {{b}}, [c]");
}

TEST_CASE("a prompt without pieces is empty", "[config][plan]") {
  CHECK(render({}, [](const prompt_piece&) { return "x"; }).empty());
}
