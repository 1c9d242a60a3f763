#include "config/plan/text/nearest.hpp"

#include "tests/catch.hpp"

#include <array>

using namespace turnstile::config;

TEST_CASE("the nearest word is the one with the fewest edits",
          "[config][plan]") {
  constexpr auto known = std::to_array<std::string_view>(
    {"prompt", "prompt_file", "phase", "name", "needs"});
  const auto [word, nearest] = GENERATE(table<std::string, std::string>({
    {"promt", "prompt"},   // One is missing.
    {"prompts", "prompt"}, // One too many.
    {"phsae", "phase"},    // Two swapped.
    {"prompt_fiel", "prompt_file"},
    {"nmae", "name"},
    {"need", "needs"},
    {"x", "nothing"},
    {"timeout", "nothing"},
    {"", "nothing"},
    {std::string(1000, 'p'), "nothing"},
  }));
  CAPTURE(word);
  CHECK(nearest_word(word, known).value_or("nothing") == nearest);
}

TEST_CASE("advice names the nearest word or is empty", "[config][plan]") {
  constexpr auto known = std::to_array<std::string_view>({"none", "full"});
  CHECK(did_you_mean("ful", known) == "; did you mean \"full\"?");
  CHECK(did_you_mean("42", known).empty());
  CHECK(did_you_mean("a", {}).empty());
}
