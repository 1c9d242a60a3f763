#include "messages/schema/output_schema.hpp"

#include "tests/catch.hpp"
#include "tests/messages/schema/answers.hpp"

#include <thread>
#include <vector>

using namespace turnstile;

TEST_CASE("output_schema says what is wrong with an output, and where",
          "[messages][output_schema]") {
  const auto [schema, output, said] =
    GENERATE(table<std::string, std::string, std::string>({
      {"true", "[1]", "fine"},
      {"{}", "null", "fine"},
      {"false", "1", "no: at the root: nothing may be here"},
      {R"({"type": "integer"})", R"("12")",
       R"(no: at the root: wants an integer, is "12")"},
      {R"({"type": ["integer", "null"]})", "[1]",
       "no: at the root: wants null or an integer, is an array"},
      {R"({"const": {"a": 1}})", R"({"a": 2})",
       "no: at the root: wants an object, is an object that differs"},
      {R"({"enum": ["red", 1, null]})", R"("blue")",
       R"(no: at the root: wants one of "red", 1, null, is "blue")"},
      {R"({"items": {"minimum": 3}})", "[3, 2.5]",
       "no: at /1: wants at least 3, is 2.5"},
      {R"({"exclusiveMaximum": 3})", "3",
       "no: at the root: wants less than 3, is 3"},
      {R"({"maxLength": 2})", R"("äöü")",
       "no: at the root: wants at most 2 characters, has 3"},
      {R"({"maxLength": 2})", R"("😀\ud83d\ude00")", "fine"},
      {R"({"pattern": "^x"})", R"("yx")",
       R"(no: at the root: wants what matches "^x", is "yx")"},
      {R"({"format": "date"})", R"("2023-02-29")",
       R"(no: at the root: wants the format "date", is "2023-02-29")"},
      {R"({"format": "colour"})", R"("?")", "fine"},
      {R"({"minItems": 1})", "[]",
       "no: at the root: wants at least 1 items, has 0"},
      {R"({"uniqueItems": true})", R"([{"a": 1, "b": 2}, {"b": 2.0, "a": 1}])",
       "no: at the root: wants no item twice, has two that are an object"},
      {R"({"contains": {"const": 1}})", "[2]",
       R"(no: at the root: wants an item that matches "contains", has none)"},
      {R"({"required": ["answer"]})", "{}",
       R"(no: at the root: the required property "answer" is missing)"},
      {R"({"properties": {"a/b~c": {"type": "null"}}})", R"({"a/b~c": 0})",
       "no: at /a~1b~0c: wants null, is 0"},
      {R"({"propertyNames": {"maxLength": 1}})", R"({"ab": 0})",
       R"(no: at the root: the name "ab" may not be used: wants at most 1 )"
       "characters, has 2"},
      {R"({"dependencies": {"a": ["b"]}})", R"({"a": 0})",
       R"(no: at the root: the property "b" is missing, which "a" needs)"},
      {R"({"anyOf": [{"type": "string"}, {"required": ["a"]}]})", R"({"b": 1})",
       R"(no: at the root: matches none of "anyOf": wants a string, is an )"
       R"(object, or the required property "a" is missing)"},
      {R"({"oneOf": [{"minimum": 1}, {"minimum": 2}]})", "3",
       R"(no: at the root: matches more than one of "oneOf")"},
      {R"({"not": {"type": "null"}})", "null",
       R"(no: at the root: null matches what "not" excludes)"},
      {R"({"if": {"type": "string"}, "then": {"minLength": 2}})", R"("a")",
       "no: at the root: wants at least 2 characters, has 1"},
      {R"({"properties": {"a": {"type": "null"}, "b": false}})",
       R"({"a": 1, "b": 2})",
       "no: at /a: wants null, is 1; at /b: nothing may be here"},
      {R"({"items": {"type": "null"}})", "[1, 2, 3, 4, 5, 6, 7]",
       "no: at /0: wants null, is 1; at /1: wants null, is 2; "
       "at /2: wants null, is 3; at /3: wants null, is 4; "
       "at /4: wants null, is 5"},
      {R"({"properties": {"a\u001b": false}})", R"({"a\u001b": "\u009b"})",
       R"(no: at /a\u001b: nothing may be here)"},
    }));
  CAPTURE(schema, output);

  CHECK(answer(schema, output) == said);
}

TEST_CASE("output_schema says of what is no JSON that it does not match",
          "[messages][output_schema]") {
  const auto [output, said] = GENERATE(table<std::string, std::string>({
    {"", "no: byte 1 is not valid JSON: unexpected end of input"},
    {"{\"a\": }", "no: byte 7 is not valid JSON: unexpected '}'"},
    {"1 2", "no: byte 3 is not valid JSON: unexpected number literal"},
    {"1e999", "no: byte 5 is not valid JSON: the number is too large"},
    {"\"\xff\"",
     "no: byte 2 is not valid JSON: invalid string: ill-formed UTF-8 byte"},
    {R"("\ud800")", "no: byte 8 is not valid JSON: invalid string: surrogate "
                    "U+D800..U+DBFF must be followed by U+DC00..U+DFFF"},
    {R"({"a": 1, "a": 2})", R"(no: the key "a" comes twice)"},
    {std::string{"1\0 2", 4}, "no: it holds a NUL, which no JSON has"},
    {"\xef\xbb\xbf{}", "no: it begins with a byte order mark"},
  }));
  CAPTURE(output);

  CHECK(answer("{}", output) == said);
}

TEST_CASE("output_schema says what is wrong with a schema, and where",
          "[messages][output_schema]") {
  const auto [schema, said] = GENERATE(table<std::string, std::string>({
    {"[]", "at the root: wants a boolean or an object, is an empty array"},
    {"null", "at the root: wants a boolean or an object, is null"},
    {"{", "byte 2 is not valid JSON: unexpected end of input"},
    {R"({"properties": {"a": {"type": "text"}}})",
     R"(at /properties/a/type: matches none of "anyOf": wants one of "array", )"
     R"("boolean", "integer", "null", "number", "object", "string", is )"
     R"("text", or wants an array, is "text")"},
    {R"({"minLength": -1})", "at /minLength: wants at least 0, is -1"},
    {R"({"multipleOf": 0})", "at /multipleOf: wants more than 0, is 0"},
    {R"({"required": "a"})", R"(at /required: wants an array, is "a")"},
    {R"({"$ref": "#/nowhere"})",
     R"(at /$ref: "#/nowhere" is no schema inside this one, and only such are )"
     "followed"},
    {R"({"items": [{"$ref": "http://example.com/a.json"}]})",
     R"(at /items/0/$ref: "http://example.com/a.json" is no schema inside this )"
     "one, and only such are followed"},
    {R"({"definitions": {"a": {"$ref": "other.json"}}})",
     R"(at /definitions/a/$ref: "other.json" is no schema inside this one, and )"
     "only such are followed"},
    {R"({"$ref": "#/enum/0/a", "enum": [{"a": {"type": 5}}]})",
     R"(at /enum/0/a/type: matches none of "anyOf": wants one of "array", )"
     R"("boolean", "integer", "null", "number", "object", "string", is 5, or )"
     "wants an array, is 5"},
    {R"({"$ref": "#/enum/0", "enum": ["text"]})",
     R"(at /enum/0: wants a boolean or an object, is "text")"},
    {R"({"items": [{"$id": "#a"}, {"$id": "#a"}]})",
     R"(at /items/1/$id: another schema is "#a", too)"},
    {R"j({"properties": {"a": {"pattern": "(?=a)"}}})j",
     "at /properties/a/pattern: this is no pattern that can be used here: "
     "looking around, as (?=...) and (?<!...) do, is not supported"},
    {R"({"patternProperties": {"(a)\\1": true}})",
     R"(at /patternProperties/(a)\\1: this is no pattern that can be used )"
     "here: referring to what a group matched is not supported"},
    {R"({"pattern": "("})", R"(at /pattern: wants the format "regex", is "(")"},
  }));
  CAPTURE(schema);

  CHECK(compiles(schema) == "no schema: " + said);
}

TEST_CASE("output_schema refuses with a code for schemas and one for outputs",
          "[messages][output_schema]") {
  CHECK(output_schema::compile("5").error().code == errc::invalid_schema);
  CHECK(output_schema::compile("false")->check("5").error().code
        == errc::schema_validation);
}

TEST_CASE("output_schema takes numbers for what they are",
          "[messages][output_schema]") {
  const auto [schema, output, fine] =
    GENERATE(table<std::string, std::string, bool>({
      {R"({"type": "integer"})", "1.0", true},
      {R"({"type": "integer"})", "1e300", true},
      {R"({"type": "integer"})", "1.5", false},
      {R"({"type": "integer"})", "123456789012345678901234567890", true},
      {R"({"maximum": 9007199254740992})", "9007199254740993", false},
      {R"({"maximum": 9007199254740992.0})", "9007199254740993", false},
      {R"({"maximum": 18446744073709551615})", "18446744073709551615", true},
      {R"({"maximum": 18446744073709551614})", "18446744073709551615", false},
      {R"({"maximum": 18446744073709551615})", "18446744073709551616", false},
      {R"({"minimum": -9223372036854775808})", "-9223372036854775808", true},
      {R"({"exclusiveMinimum": -9223372036854775808})", "-9223372036854775808",
       false},
      {R"({"minimum": -1.5})", "-1", true},
      {R"({"maximum": -1.5})", "-1", false},
      {R"({"minimum": -1.5})", "-2", false},
      {R"({"const": 1})", "1.0", true},
      {R"({"const": 0})", "-0.0", true},
      {R"({"const": 0})", "false", false},
      {R"({"const": 9007199254740993})", "9007199254740992.0", false},
      {R"({"enum": [[1, 2]]})", "[1.0, 2.0]", true},
      {R"({"multipleOf": 0.01})", "19.99", true},
      {R"({"multipleOf": 0.01})", "4.35", true},
      {R"({"multipleOf": 0.01})", "4.355", false},
      {R"({"multipleOf": 0.01})", "-0.07", true},
      {R"({"multipleOf": 0.0001})", "0.0075", true},
      {R"({"multipleOf": 0.3})", "0.9", true},
      {R"({"multipleOf": 0.123456789})", "1e308", false},
      {R"({"multipleOf": 5e-324})", "1e308", true},
      {R"({"multipleOf": 1e308})", "5e-324", false},
      {R"({"multipleOf": 3})", "9223372036854775806", true},
      {R"({"multipleOf": 18446744073709551615})", "18446744073709551615", true},
      {R"({"multipleOf": 18446744073709551615})", "1e19", false},
      {R"({"multipleOf": 7})", "0", true},
      {R"({"minLength": 2.0})", R"("a")", false},
      {R"({"maxLength": 1e300})", R"("a")", true},
      {R"({"minLength": 1e300})", R"("a")", false},
    }));
  CAPTURE(schema, output);

  CHECK((answer(schema, output) == "fine") == fine);
}

TEST_CASE("output_schema follows references to all places inside itself",
          "[messages][output_schema]") {
  const auto [schema, output, said] =
    GENERATE(table<std::string, std::string, std::string>({
      {R"({"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}})", "1",
       "no: at the root: wants null, is 1"},
      {R"({"items": {"$ref": "#name"},
           "definitions": {"a": {"$id": "#name", "type": "null"}}})",
       "[1]", "no: at /0: wants null, is 1"},
      {R"({"$id": "http://a.example/b/root.json",
           "items": {"$ref": "../c/other.json#/definitions/x"},
           "definitions": {"o": {"$id": "../c/other.json",
                                 "definitions": {"x": {"type": "null"}}}}})",
       "[1]", "no: at /0: wants null, is 1"},
      {R"({"$id": "urn:x:y", "items": {"$ref": "#/definitions/a"},
           "definitions": {"a": {"type": "null"}}})",
       "[1]", "no: at /0: wants null, is 1"},
      {R"({"$ref": "#/definitions/a%25b~1c", "type": "string",
           "definitions": {"a%b/c": {"type": "null"}}})",
       "null", "fine"},
      {R"({"items": [true, {"$ref": "#/items/0"}, {"$ref": "#/items/00"}]})",
       "[1]",
       R"(no schema: at /items/2/$ref: "#/items/00" is no schema inside this )"
       "one, and only such are followed"},
      {R"({"enum": [{"$ref": "#/nowhere"}]})", R"({"$ref": "#/nowhere"})",
       "fine"},
      {R"({"$ref": "#/x/y", "x": {"y": {"items": {"$ref": "#/x"}},
                                  "type": "string"}})",
       "[1]", "no: at /0: wants a string, is 1"},
      {R"({"$ref": "http://json-schema.org/draft-07/schema#"})",
       R"({"minLength": -1})", "no: at /minLength: wants at least 0, is -1"},
    }));
  CAPTURE(schema, output);

  CHECK(answer(schema, output) == said);
}

TEST_CASE(
  "output_schema outlives the text it was made of, and its copies share",
  "[messages][output_schema]") {
  auto text = std::string{R"({"required": ["answer"]})"};
  auto made = std::make_unique<output_schema>(*output_schema::compile(text));
  text.assign(text.size(), 'x');
  const output_schema copy = *made;
  made.reset();

  CHECK(answer(copy.check("{}"))
        == R"(no: at the root: the required property "answer" is missing)");
}

TEST_CASE("output_schema answers several threads at once",
          "[messages][output_schema]") {
  const auto schema = *output_schema::compile(
    R"({"items": {"pattern": "^(a|b)*c$", "format": "hostname"}})");
  std::vector<std::string> said(4);
  std::vector<std::thread> threads;
  for (auto& one : said)
    threads.emplace_back([&schema, &one] {
      for (int i = 0; i < 200; ++i)
        one = answer(schema.check(R"(["abc", "ababc", "abd"])"));
    });
  for (auto& thread : threads)
    thread.join();

  for (const auto& one : said)
    CHECK(one == R"(no: at /2: wants what matches "^(a|b)*c$", is "abd")");
}
