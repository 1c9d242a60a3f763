#include "messages/agent.pb.h"
#include "messages/door.pb.h"
#include "messages/event.pb.h"
#include "messages/json.hpp"
#include "messages/run.pb.h"
#include "messages/scheduling.pb.h"
#include "tests/fuzz/require.hpp"

#include <cstdint>
#include <string_view>

// Any bytes as the JSON form of a message: it is refused, or what was read can
// be written and read again.

using namespace turnstile;
using fuzz::require;

namespace {

template <class Message>
void check(std::string_view text) {
  Message message;
  if (const auto read = from_json(text, message); !read) {
    require(!read.error().detail.empty(), "a refusal says why");
    require(message.ByteSizeLong() == 0, "a refused text changes nothing");
    return;
  }
  const auto written = to_json(message);
  Message again;
  require(from_json(written, again).has_value(), "what is written can be read");
  require(to_json(again) == written, "the same message gives the same text");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  check<wire::AgentTask>(text);
  check<wire::AgentOutcome>(text);
  check<wire::RunState>(text);
  check<wire::WorkEnded>(text);
  check<wire::Report>(text);
  check<wire::Event>(text);
  return 0;
}
