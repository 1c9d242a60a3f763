#include "tests/catch.hpp"
#include "tests/messages/schema/answers.hpp"

#include <chrono>

using namespace turnstile;

namespace {

// Generous: sanitizers and busy machines are slow. What these schemas ask for
// would take hours.
constexpr std::chrono::seconds soon{20};

template <class F>
auto in_time(F f) {
  const auto begin = std::chrono::steady_clock::now();
  auto out = f();
  CHECK(std::chrono::steady_clock::now() - begin < soon);
  return out;
}

std::string in_time(std::string_view schema, std::string_view output) {
  return in_time([&] { return answer(schema, output); });
}

std::string text_of(std::size_t count, char c) {
  return '"' + std::string(count, c) + '"';
}

} // namespace

TEST_CASE("output_schema finds patterns in long texts at once",
          "[messages][output_schema]") {
  CHECK(in_time(R"({"pattern": "(a+)+$"})", text_of(100'000, 'a')) == "fine");
  CHECK(in_time(R"({"pattern": "^(a+)+$"})",
                '"' + std::string(100'000, 'a') + "b\"")
          .starts_with("no: at the root: wants what matches"));
  CHECK(in_time(R"({"pattern": "^a*$"})", text_of(1'000'000, 'a')) == "fine");
  CHECK(in_time(R"({"pattern": "^(a|b)*a(a|b){50}$"})", text_of(1'000'000, 'a'))
        == "fine");
}

TEST_CASE("output_schema refuses what is nested too deep",
          "[messages][output_schema]") {
  const auto too_deep = "more than 256 objects and arrays inside each other";
  const auto nested = [](std::size_t depth) {
    return times(depth, "[") + times(depth, "]");
  };
  CHECK(answer("{}", nested(256)) == "fine");
  CHECK(answer("{}", nested(257)) == "no: " + std::string{too_deep});
  CHECK(answer("{}", nested(100'000)) == "no: " + std::string{too_deep});
  CHECK(answer("{}", times(100'000, "[")) == "no: " + std::string{too_deep});
  CHECK(answer("{}", times(100'000, R"({"a":)"))
        == "no: " + std::string{too_deep});
  CHECK(compiles(times(100'000, R"({"not":)") + "{}" + times(100'000, "}"))
        == "no schema: " + std::string{too_deep});
}

TEST_CASE("output_schema refuses what refers to itself without end",
          "[messages][output_schema]") {
  const auto [schema, where] = GENERATE(table<std::string, std::string>({
    {R"({"$ref": "#"})", "at the root"},
    {R"({"allOf": [{"$ref": "#"}]})", "at the root"},
    {R"({"anyOf": [{"type": "null"}, {"$ref": "#"}]})", "at the root"},
    {R"({"not": {"$ref": "#"}})", "at the root"},
    {R"({"if": true, "else": {"$ref": "#"}})", "at the root"},
    {R"({"dependencies": {"a": {"$ref": "#"}}})", "at the root"},
    {R"({"definitions": {"x/y": {"oneOf": [{"$ref": "#/definitions/x~1y"}]}}})",
     "at /definitions/x~1y"},
  }));
  CAPTURE(schema);

  CHECK(compiles(schema)
        == "no schema: " + where
             + ": it refers to itself about the same value, without end");
}

TEST_CASE("output_schema refuses a loop of two wherever it begins",
          "[messages][output_schema]") {
  CHECK(compiles(R"({"definitions": {"a": {"$ref": "#/definitions/b"},
                                     "b": {"$ref": "#/definitions/a"}}})")
          .ends_with("it refers to itself about the same value, without end"));
}

TEST_CASE("output_schema follows references as deep as the output goes",
          "[messages][output_schema]") {
  const auto* lists = R"({"type": "array", "items": {"$ref": "#"}})";
  CHECK(answer(lists, times(256, "[") + times(256, "]")) == "fine");
  CHECK(answer(lists, "[[], [[5]]]") == "no: at /1/0/0: wants an array, is 5");

  const auto* tree = R"({
    "$ref": "#/definitions/node",
    "definitions": {"node": {
      "type": "object", "required": ["value"],
      "properties": {
        "value": {"type": "integer"},
        "children": {"type": "array", "items": {"$ref": "#/definitions/node"}}},
      "additionalProperties": false}}})";
  CHECK(answer(tree, R"({"value": 1, "children": [
                          {"value": 2}, {"value": 3, "children": []}]})")
        == "fine");
  CHECK(answer(tree, R"({"value": 1, "children": [
                          {"value": 2}, {"children": [{"vlaue": 4}]}]})")
        == "no: at /children/1: the required property \"value\" is missing; "
           "at /children/1/children/0: the required property \"value\" is "
           "missing; "
           "at /children/1/children/0/vlaue: no such property may be here");
  CHECK(
    answer(R"({"propertyNames": {"$ref": "#"}, "type": ["object", "string"]})",
           R"({"a": 1})")
    == "fine");
}

TEST_CASE("output_schema gives up on what takes too much work",
          "[messages][output_schema]") {
  // Each level asks the next one twice: 2^60 questions about one value.
  std::string levels = R"("l60": false)";
  for (int i = 59; i >= 0; --i) {
    const auto next =
      "{\"$ref\": \"#/definitions/l" + std::to_string(i + 1) + "\"}";
    levels += ", \"l" + std::to_string(i) + "\": {\"anyOf\": [" + next + ", "
              + next + "]}";
  }
  CHECK(
    in_time(R"({"$ref": "#/definitions/l0", "definitions": {)" + levels + "}}",
            "1")
    == "no: too much work to check: it takes too many steps");

  // 5,000 x 20,000 comparisons.
  std::string numbers;
  for (int i = 0; i < 20'000; ++i)
    numbers += std::to_string(i) + ',';
  const auto ids = R"({"items": {"enum": [)" + numbers + R"("x"]}})";
  CHECK(in_time(ids, '[' + times(5'000, "\"x\",") + "\"x\"]")
        == "no: too much work to check: it takes too many steps");
}

TEST_CASE("output_schema gives up on chains that lead too deep",
          "[messages][output_schema]") {
  std::string chain = R"("l3000": true)";
  for (int i = 0; i < 3'000; ++i)
    chain += ", \"l" + std::to_string(i) + R"(": {"allOf": [{"$ref":)"
             + " \"#/definitions/l" + std::to_string(i + 1) + "\"}]}";
  CHECK(
    in_time(R"({"$ref": "#/definitions/l0", "definitions": {)" + chain + "}}",
            "1")
    == "no: too much work to check: it leads more than 1024 schemas deep");
}

TEST_CASE("output_schema follows a long chain of references",
          "[messages][output_schema]") {
  std::string chain = R"("l20000": {"type": "string"})";
  for (int i = 0; i < 20'000; ++i)
    chain += ", \"l" + std::to_string(i) + R"(": {"$ref":)"
             + "\"#/definitions/l" + std::to_string(i + 1) + "\"}";
  CHECK(
    in_time(R"({"$ref": "#/definitions/l0", "definitions": {)" + chain + "}}",
            "1")
    == "no: at the root: wants a string, is 1");
}

TEST_CASE("output_schema bounds what patterns cost",
          "[messages][output_schema]") {
  CHECK(in_time([] {
          return compiles(
            R"({"pattern": "((\\p{L}{10}){10}){10}\\p{L}{999}"})");
        }).starts_with("no schema: at /pattern: "));

  std::string many;
  for (int i = 0; i < 1'000; ++i)
    many += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": {}";
  CHECK(in_time([&] {
          return compiles("{\"patternProperties\": {" + many + "}}");
        }).ends_with("the patterns are too large together"));

  // What keeps RE2 as busy as can be.
  CHECK(in_time(R"({"pattern": "(a?b?){900}c"})", text_of(10'000, 'a'))
          .starts_with("no: at the root: wants what matches"));
  CHECK(in_time(R"({"pattern": "(a?b?){900}c"})", text_of(1'000'000, 'a'))
        == "no: too much work to check: it takes too many steps");
  CHECK(in_time(R"({"items": {"format": "regex"}})",
                '[' + times(100'000, R"("(\\p{L}{50}){20}",)") + "1]")
        == "no: too much work to check: it takes too many steps");
}

TEST_CASE("output_schema compares many items for uniqueness in time",
          "[messages][output_schema]") {
  std::string items;
  for (int i = 0; i < 200'000; ++i)
    items += "[" + std::to_string(i) + "],";
  const auto* unique = R"({"uniqueItems": true})";
  CHECK(in_time(unique, '[' + items + "[-1]]") == "fine");
  CHECK(in_time(unique, '[' + items + "[0.0]]")
        == "no: at the root: wants no item twice, has two that are an array");
}

TEST_CASE("output_schema is checked for size before anything else",
          "[messages][output_schema]") {
  CHECK(compiles(std::string(2'000'000, ' ') + "{}")
        == "no schema: more than 1048576 bytes");
  CHECK(compiles("{\"enum\": [" + times(100'000, "1,") + "2]}")
        == "no schema: more than 100000 values");
  CHECK(answer("{}", std::string((std::size_t{64} << 20) + 1, ' '))
        == "no: more than 67108864 bytes");
  CHECK(answer("{}", '[' + times(2'000'000, "0,") + "0]")
        == "no: more than 2000000 values");
}

TEST_CASE("output_schema keeps its sentences short whatever the output is",
          "[messages][output_schema]") {
  const auto long_key = text_of(100'000, 'k');
  const auto deep =
    times(200, "{" + text_of(1'000, 'd') + ":") + "1" + times(200, "}");
  const auto* never = R"({"additionalProperties":
    {"anyOf": [{"$ref": "#"}, {"type": "null"}], "type": "object"},
     "propertyNames": {"maxLength": 3}})";

  CHECK(answer(never, "{" + long_key + ": " + long_key + "}").size() < 1'500);
  CHECK(answer(never, deep).size() < 5'000);
}
