#include "actors/process/decode_output.hpp"
#include "messages/json.hpp"
#include "messages/utf8.hpp"
#include "tests/fuzz/require.hpp"

#include <cstdint>
#include <string_view>

// Any bytes as what a child wrote on its standard output, on their way to the
// result: text or JSON, and if it is an object, its members.

using namespace turnstile;
using fuzz::require;

namespace {

void check_json(std::string_view text) {
  const auto compact = compact_json(text);
  if (!compact)
    return;
  const auto again = compact_json(*compact);
  require(again && *again == *compact, "compact JSON stays as it is");
  const auto members = json_members(text);
  require(members.has_value() == compact->starts_with('{'),
          "an object, and nothing else, has members");
  if (!members)
    return;
  const auto whole = json_object(*members);
  require(compact_json(whole) == whole, "members make a compact object");
  require(json_members(whole).value().size() == members->size(),
          "no member is lost");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  check_json(bytes);
  for (const bool cut : {false, true}) {
    const auto out = decode_output(bytes, cut);
    require(to_utf8(out.text) == out.text, "an answer is UTF-8");
    require(!(cut && out.is_json), "what was cut is text");
    if (out.is_json)
      require(compact_json(out.text).has_value(),
              "what one reader takes for JSON, the other does too");
    check_json(out.text);
  }
  return 0;
}
