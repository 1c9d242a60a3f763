#include "config/plan/text/task_text.hpp"

#include "tests/catch.hpp"

using namespace turnstile::config;

namespace {

// Renders the pieces, so that a failure shows all of them.
std::string told(const task_text& text) {
  constexpr const char* marks[] = {"",         "path",     "stem",    "output ",
                                   "outputs ", "unknown ", "unclosed"};
  std::string out;
  for (const auto& piece : text)
    out += '<' + std::string{marks[static_cast<int>(piece.is)]} + piece.text
           + '@' + std::to_string(piece.begin) + '>';
  return out;
}

std::string told(const prompt& pieces) {
  constexpr const char* marks[] = {"", "output ", "outputs "};
  std::string out;
  for (const auto& piece : pieces)
    out +=
      '<' + std::string{marks[static_cast<int>(piece.is)]} + piece.text + '>';
  return out;
}

} // namespace

TEST_CASE("a task's string is parsed into its templates", "[config][plan]") {
  const auto [text, pieces] = GENERATE(table<std::string, std::string>({
    {"", ""},
    {"plain { } }} text", "<plain { } }} text@0>"},
    {"{{path}}", "<path@0>"},
    {"a{{stem}}b", "<a@0><stem@1><b@9>"},
    {"{{a.output}}", "<output a@0>"},
    {"{{a.outputs}}", "<outputs a@0>"},
    {"{{a.b:c/d.e.output}}", "<output a.b:c/d.e@0>"},
    {"{{output}}", "<unknown output@0>"},
    {"{{.output}}", "<unknown .output@0>"},
    {"{{}}", "<unknown @0>"},
    {"{{ path }}", "<unknown  path @0>"},
    {"{{{path}}", "<unknown {path@0>"},
    {"x{{path", "<x@0><unclosed@1>"},
    {"{{{{path}}", "<{{@0><path}}@4>"},
    {"{{{{{{path}}", "<{{@0><path@4>"},
    {"{{{{{", "<{{@0><{@4>"},
  }));
  CAPTURE(text);
  CHECK(told(parse_task_text(text)) == pieces);
}

TEST_CASE("each template has its places", "[config][plan]") {
  const auto [text, each, is_prompt, sentence] =
    GENERATE(table<std::string, bool, bool, std::string>({
      {"{{path}}", true, false, ""},
      {"{{stem}}", true, true, ""},
      {"{{a.output}}", false, true, ""},
      {"{{path}}", false, true,
       R"("{{path}}" means nothing in a task without "each")"},
      {"{{stem}}", false, false,
       R"("{{stem}}" means nothing in a task without "each")"},
      {"{{a.outputs}}", true, false,
       "outputs of other tasks can only stand in a prompt"},
      {"{{pth}}", true, true,
       R"(unknown template "{{pth}}"; did you mean "{{path}}"?)"},
      {"{{a.ouput}}", true, true,
       R"(unknown template "{{a.ouput}}"; did you mean "{{a.output}}"?)"},
      {"{{ a.outputs }}", true, true,
       R"(unknown template "{{ a.outputs }}"; did you mean "{{a.outputs}}"?)"},
      {"{{1, 2}}", true, true,
       R"(unknown template "{{1, 2}}"; write "{{{{" for a literal "{{")"},
      {"{{", true, true,
       R"(a "{{" without "}}"; write "{{{{" for a literal "{{")"},
    }));
  CAPTURE(text);
  const auto faults = faults_of(parse_task_text(text), {each, is_prompt});
  CHECK((faults.empty() ? "" : faults.front().sentence) == sentence);
}

TEST_CASE("a bound prompt has no path left and joins its literals",
          "[config][plan]") {
  const auto text =
    parse_task_text("cat {{path}} {{{{x}} {{a.outputs}}{{stem}}");
  CHECK(told(bind_prompt(text, matched_file::of("src/{{a.output}}.cpp")))
        == "<cat src/{{a.output}}.cpp {{x}} ><outputs a><{{a.output}}>");
}

TEST_CASE("a stem is a file's name without its last extension",
          "[config][plan]") {
  const auto [path, stem] = GENERATE(table<std::string, std::string>({
    {"a/b.cpp", "b"},
    {"b", "b"},
    {"a.d/b", "b"},
    {"../x.tar.gz", "x.tar"},
    {".profile", ".profile"},
    {"a/.x.y", ".x"},
  }));
  CHECK(matched_file::of(path).stem == stem);
}
