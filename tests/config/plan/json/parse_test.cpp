#include "config/plan/json/parse.hpp"

#include "tests/catch.hpp"

using namespace turnstile;
using namespace turnstile::config;
using Catch::Matchers::ContainsSubstring;

namespace {

// What is wrong with `text`, or `"fine"`.
std::string complaints_of(std::string_view text,
                          const json_limits& limits = {}) {
  complaints wrong{source_text::of("f", text)};
  const auto value = parse_json(wrong, limits);
  return wrong.empty() ? "fine" : wrong.to_failure().detail;
}

// Renders a value with the text of each part, so that a wrong place shows.
std::string told(const json_value& value, std::string_view source) {
  const auto written = source.substr(value.begin, value.end - value.begin);
  if (value.is == json_value::type::string)
    return std::string{written} + '=' + value.text;
  if (value.is != json_value::type::array
      && value.is != json_value::type::object)
    return std::string{written};
  std::string out{written.front()};
  for (const auto& item : value.items) {
    if (value.is == json_value::type::object)
      out += item.key + '@' + std::to_string(item.key_begin) + ':';
    out += told(item, source) + ' ';
  }
  return out + written.back();
}

} // namespace

TEST_CASE("each value knows the bytes that it was written with",
          "[config][plan]") {
  const auto [text, expected] = GENERATE(table<std::string, std::string>({
    {"12", "12"},
    {" -1.50e+3 ", "-1.50e+3"},
    {"[1,2 ,3]", "[1 2 3 ]"},
    {"[1,[2],[[3]],{}]", "[1 [2 ] [[3 ] ] {} ]"},
    {"[ true , null,false]", "[true null false ]"},
    {R"(["a","\u0062\"", ""])", R"(["a"=a "\u0062\""=b" ""= ])"},
    {R"({"a":1,"b" : [ ] , "c":{"d":"e"}})",
     R"({a@1:1 b@7:[] c@19:{d@24:"e"=e } })"},
  }));
  CAPTURE(text);
  complaints wrong{source_text::of("f", text)};
  const auto value = parse_json(wrong);
  REQUIRE(wrong.empty());
  REQUIRE(value);
  CHECK(told(*value, text) == expected);
}

TEST_CASE("what is not JSON is shown where it begins", "[config][plan]") {
  const auto [text, sentence] = GENERATE(table<std::string, std::string>({
    {"", "f:1:1: nothing here: the file is empty"},
    {" \n\t ", "f:1:1: nothing here: the file is empty"},
    {"{\"a\":1,}",
     "f:1:8: not valid JSON: unexpected '}'; expected string literal"},
    {"{\"a\" 1}",
     "f:1:6: not valid JSON: unexpected number literal; expected ':'"},
    {"{\"a\" true}",
     "f:1:6: not valid JSON: unexpected true literal; expected ':'"},
    {"{\"a\"\n  \"bcd\"}",
     "f:2:3: not valid JSON: unexpected string literal; expected ':'"},
    {"[1,,2]", "f:1:4: not valid JSON: unexpected ','; expected '[', '{', or a "
               "literal"},
    {"[1 2]", "f:1:4: not valid JSON: unexpected number literal; expected ']'"},
    {"{1:2}",
     "f:1:2: not valid JSON: unexpected number literal; expected string "
     "literal"},
    {"{\"a\":1",
     "f:1:7: not valid JSON: unexpected end of input; expected '}'"},
    {"[", "f:1:2: not valid JSON: unexpected end of input; expected '[', '{', "
          "or a literal"},
    {"{}}", "f:1:3: not valid JSON: unexpected '}'; expected end of input"},
    {"{} x", "f:1:4: not valid JSON: invalid literal"},
    {"[tru]", "f:1:5: not valid JSON: invalid literal"},
    {"// no\n{}", "f:1:1: not valid JSON: invalid literal"},
    {"[01]", "f:1:3: not valid JSON: unexpected number literal; expected ']'"},
    {"[-]", "f:1:3: not valid JSON: invalid number; expected digit after '-'"},
    {"\"abc", "f:1:5: not valid JSON: invalid string: missing closing quote"},
    {"\"a\nb\"", "f:1:3: not valid JSON: invalid string: control character "
                 "U+000A (LF) must be escaped to \\u000A or \\n"},
    {"[\"\\ud800\"]", "f:1:9: not valid JSON: invalid string: surrogate "
                      "U+D800..U+DBFF must be followed by U+DC00..U+DFFF"},
    {"1e999", "f:1:1: the number is too large"},
    {"{\"a\": [0,\n -1e999 ]}", "f:2:2: a[1]: the number is too large"},
  }));
  CAPTURE(text);
  CHECK(complaints_of(text) == sentence);
}

TEST_CASE("bytes that no JSON has are named by their offset",
          "[config][plan]") {
  const auto [text, sentence] = GENERATE(table<std::string, std::string>({
    {"{\n \"\xc3\xa9\": \"\xe9\"}",
     "f:2:8: byte 10 of the file is not UTF-8: \"\\xE9\""},
    {"\xef\xbb\xbf{\"a\": \"\xff\"}",
     "f:1:8: byte 10 of the file is not UTF-8: \"\\xFF\""},
    {"\xff\xfe{", "f:1:1: byte 0 of the file is not UTF-8: \"\\xFF\""},
    {std::string{"{}\0{", 4},
     "f:1:3: byte 2 of the file is NUL, which no JSON has"},
    {"\xef\xbb\xbf\xef\xbb\xbf{}",
     "f:1:1: byte 3 of the file is a second byte order mark"},
  }));
  CHECK(complaints_of(text) == sentence);
}

TEST_CASE("a byte order mark in front is no part of the text",
          "[config][plan]") {
  CHECK(complaints_of("\xef\xbb\xbf{}") == "fine");
  CHECK(complaints_of("\xef\xbb\xbf[1 2]")
        == "f:1:4: not valid JSON: unexpected number literal; expected ']'");
}

TEST_CASE("a key that appears twice is shown with its first place",
          "[config][plan]") {
  CHECK(complaints_of("{\"a\": 1,\n \"b\": [{\"c\": 2, \"c\": 3}],\n \"a\": 4}")
        == "f:2:17: b[0].c: the key \"c\" appears twice; the first is at 2:9\n"
           "f:3:2: a: the key \"a\" appears twice; the first is at 1:2");
  complaints wrong{source_text::of("f", R"({"a": 1, "a": 2})")};
  CHECK(parse_json(wrong).has_value());
}

TEST_CASE("a key that appears again and again costs no more than others",
          "[config][plan]") {
  std::string text = R"({"long": ")" + std::string(400'000, 'x') + "\"";
  for (int i = 0; i < 200'000; ++i) // To tell a line all before it is read.
    text += R"(,"a":1)";
  CHECK_THAT(complaints_of(text + '}'),
             ContainsSubstring("the key \"a\" appears twice")
               && ContainsSubstring("and more than 180 more"));
}

TEST_CASE("depth and number of values are bounded", "[config][plan]") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(complaints_of(nested(64)) == "fine");
  CHECK(complaints_of(nested(65))
        == "f:1:65: more than 64 objects and arrays inside each other");
  CHECK(complaints_of(nested(100'000))
        == "f:1:65: more than 64 objects and arrays inside each other");
  CHECK(complaints_of("[1,2,3]", {64, 4}) == "fine");
  CHECK(complaints_of("[1,2,3,4]", {64, 3}) == "f:1:8: more than 3 values");
}

TEST_CASE("compact JSON keeps everything but the space between tokens",
          "[config][plan]") {
  CHECK(compact_json("{ \"b\\\" \" : [ 1.50 ,\n\t-0 ],\r\n \"a\" : \"\\\\\" }")
        == "{\"b\\\" \":[1.50,-0],\"a\":\"\\\\\"}");
}

TEST_CASE("a path quotes the keys that would be hard to read in it",
          "[config][plan]") {
  CHECK(member_path("", "tasks") == "tasks");
  CHECK(element_path("tasks", 3) == "tasks[3]");
  CHECK(member_path("tasks[3]", "env") == "tasks[3].env");
  CHECK(member_path("env", "a.b") == "env[\"a.b\"]");
  CHECK(member_path("env", "") == "env[\"\"]");
  CHECK(member_path("env", std::string(1'000'000, 'a'))
        == "env[\"" + std::string(60, 'a') + "...\"]");
}
