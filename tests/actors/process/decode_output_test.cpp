#include "actors/process/decode_output.hpp"

#include "tests/catch.hpp"

using namespace turnstile;
using namespace std::string_literals;

namespace {

std::string render(const decoded_output& output) {
  return (output.is_json ? "json " : "text ") + std::to_string(output.replaced)
         + " [" + output.text + "]";
}

} // namespace

TEST_CASE("decode_output tells JSON from text", "[actors][process]") {
  auto [bytes, decoded] = GENERATE(table<std::string, std::string>({
    {"", "text 0 []"},
    {"hello\n", "text 0 [hello]"},
    {"hello\n\n", "text 0 [hello\n]"},
    {"hello", "text 0 [hello]"},
    {"\n", "text 0 []"},
    {"42\n", "json 0 [42\n]"},
    {" {\"a\": [1, 2.5e3, null]} \n", "json 0 [ {\"a\": [1, 2.5e3, null]} \n]"},
    {"\"text\"", "json 0 [\"text\"]"},
    {"\xEF\xBB\xBF{}", "json 0 [{}]"},
    {"\xEF\xBB\xBF\xEF\xBB\xBF{}", "text 0 [\xEF\xBB\xBF\xEF\xBB\xBF{}]"},
    {"{} {}", "text 0 [{} {}]"},
    {"{\"a\": 1,}", "text 0 [{\"a\": 1,}]"},
    {"// note\n1", "text 0 [// note\n1]"},
    {"NaN", "text 0 [NaN]"},
    {"1e999", "text 0 [1e999]"},
    {"'a'", "text 0 ['a']"},
    {"{}\0rest"s, "text 0 [{}\0rest]"s},
    {"a\0b\n"s, "text 0 [a\0b]"s},
    {"\"\xFF\"", "json 1 [\"\xEF\xBF\xBD\"]"},
  }));
  CHECK(render(decode_output(bytes, false)) == decoded);
}

TEST_CASE("decode_output replaces what is not UTF-8 and counts it",
          "[actors][process]") {
  auto bad = "\xEF\xBF\xBD"s;
  auto [bytes, text, replaced] =
    GENERATE_COPY(table<std::string, std::string, std::size_t>({
      {"\x80", bad, 1},
      {"a\xFF"s + "b", "a" + bad + "b", 1},
      {"\xC0\xAF", bad + bad, 2},           // '/' in two bytes
      {"\xE0\x80\x80", bad + bad + bad, 3}, // and in three
      {"\xED\xA0\x80", bad + bad + bad, 3}, // half of a surrogate pair
      {"\xF4\x90\x80\x80", bad + bad + bad + bad, 4}, // above the last one
      {"\xE2\x82", bad + bad, 2},                     // a euro that ends early
      {"\xE2\x82"
       "A",
       bad + bad + "A", 2},
      {"\xF0\x9F\x98", bad + bad + bad, 3},
      {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80", 0},
      {"\xE2\x82\xAC\xC3\xA9", "\xE2\x82\xAC\xC3\xA9", 0},
    }));
  auto decoded = decode_output(bytes, false);
  CHECK(decoded.text == text);
  CHECK(decoded.replaced == replaced);
}

TEST_CASE("decode_output takes cut output for text and mends the cut",
          "[actors][process]") {
  auto [bytes, decoded] = GENERATE(table<std::string, std::string>({
    {"42", "text 0 [42]"},
    {"42\n", "text 0 [42\n]"},
    {"a\xE2\x82\xAC", "text 0 [a\xE2\x82\xAC]"},
    {"a\xE2\x82", "text 0 [a]"},
    {"a\xE2", "text 0 [a]"},
    {"a\xF0\x9F\x98", "text 0 [a]"},
    {"a\x80", "text 1 [a\xEF\xBF\xBD]"},
  }));
  CHECK(render(decode_output(bytes, true)) == decoded);
}

TEST_CASE("decode_output does not drown in brackets", "[actors][process]") {
  auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(decode_output(nested(max_json_depth), false).is_json);
  CHECK_FALSE(decode_output(nested(max_json_depth + 1), false).is_json);
  CHECK_FALSE(decode_output(nested(100'000), false).is_json);
  CHECK_FALSE(decode_output(std::string(100'000, '{'), false).is_json);
  // Brackets in a string are only text, also after an escaped quote.
  CHECK(decode_output("\"\\\"" + nested(1000) + '"', false).is_json);
}
