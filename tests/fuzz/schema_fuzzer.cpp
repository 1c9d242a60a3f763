#include "core/base/utf8.hpp"
#include "messages/schema/output_schema.hpp"
#include "tests/fuzz/require.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

// A line of any bytes as a schema, and what follows as an output: each is
// refused in words that can be shown, or the answer is the one that it must be.

using namespace turnstile;
using fuzz::require;

namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto length = utf8_length(text);
    if (length == 0)
      return false;
    text.remove_prefix(length);
  }
  return true;
}

void check_refusal(const failure& why, errc code) {
  constexpr std::size_t enough = 8'192;
  require(why.code == code, "a refusal has the code that is promised");
  require(why.detail.size() < enough, "a refusal is short");
  require(is_utf8(why.detail), "a refusal is UTF-8");
  require(std::none_of(why.detail.begin(), why.detail.end(),
                       [](char c) { return 0 <= c && c < ' '; }),
          "a refusal has no control characters");
}

// Its answer is the other one, unless nobody knows.
void check_opposite(std::string_view schema, std::string_view output,
                    const status& said) {
  const auto opposite =
    output_schema::compile("{\"not\": " + std::string{schema} + '}');
  if (!opposite) // One deeper is too deep, or "$ref" leads elsewhere.
    return;
  const auto contrary = opposite->check(output);
  const auto is_known = [](const status& answer) {
    return answer || answer.error().detail.find(": at ") != std::string::npos;
  };
  if (is_known(said) && is_known(contrary))
    require(said.has_value() != contrary.has_value(),
            "a schema and its opposite differ");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const auto end = std::min(bytes.find('\n'), bytes.size());
  const auto text = bytes.substr(0, end);
  const auto output = bytes.substr(std::min(end + 1, bytes.size()));
  const auto schema = output_schema::compile(text);
  if (!schema) {
    check_refusal(schema.error(), errc::invalid_schema);
    return 0;
  }
  const auto said = schema->check(output);
  if (!said)
    check_refusal(said.error(), errc::schema_validation);
  const auto again = schema->check(output);
  require(said ? again.has_value() : !again && again.error() == said.error(),
          "a schema says the same again");
  if (text.find("$") == text.npos)
    check_opposite(text, output, said);
  return 0;
}
