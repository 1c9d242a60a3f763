#include "messages/json.hpp"
#include "tests/catch.hpp"
#include "tests/messages/filled.hpp"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/message_differencer.h>
#include <google/protobuf/wrappers.pb.h>

#include <limits>
#include <string>

using namespace turnstile;
using namespace turnstile::testing;
using google::protobuf::util::MessageDifferencer;

TEST_CASE("every message survives its JSON form, whatever is in it",
          "[messages][json]") {
  auto what = GENERATE(filling::nothing, filling::least, filling::most);
  for (const auto& message : every_message()) {
    fill(*message, what);
    auto text = to_json(*message);
    CAPTURE(message->GetTypeName(), text);
    auto back = std::unique_ptr<Message>{message->New()};
    auto read = from_json(text, *back);
    CHECK((read ? "" : to_string(read.error())) == "");
    CHECK(back->ShortDebugString() == message->ShortDebugString());
    CHECK(MessageDifferencer::Equals(*message, *back));
    CHECK(to_json(*back) == text);
  }
}

TEST_CASE("every message survives its bytes, whatever is in it",
          "[messages][schema]") {
  auto what = GENERATE(filling::nothing, filling::least, filling::most);
  for (const auto& message : every_message()) {
    fill(*message, what);
    CAPTURE(message->GetTypeName());
    auto back = std::unique_ptr<Message>{message->New()};
    CHECK(back->ParseFromString(message->SerializeAsString()));
    CHECK(MessageDifferencer::Equals(*message, *back));
  }
}

TEST_CASE("a program's fractions survive JSON to the last bit",
          "[messages][json]") {
  using bounds = std::numeric_limits<double>;
  auto [number, text] = GENERATE(table<double, std::string>({
    {0.1, R"({"value":0.1})"},
    {-2.0, R"({"value":-2})"},
    {1e300, R"({"value":1e+300})"},
    {bounds::denorm_min(), R"({"value":5e-324})"},
    {bounds::infinity(), R"({"value":"Infinity"})"},
    {-bounds::infinity(), R"({"value":"-Infinity"})"},
  }));
  google::protobuf::DoubleValue message;
  message.set_value(number);
  CHECK(to_json(message) == text);
  message.Clear();
  REQUIRE(from_json(text, message));
  CHECK(message.value() == number);
}

TEST_CASE("messages inside each other are read, but not without end",
          "[messages][json]") {
  // Each level of Struct is a message, its map's value, and the value's list.
  auto nested = [](int levels) {
    std::string open;
    std::string close;
    for (int i = 0; i < levels; ++i) {
      open += R"({"fields":{"a":{"struct_value":)";
      close += "}}}";
    }
    return open + R"({"fields":{}})" + close;
  };
  google::protobuf::Struct message;
  CHECK(from_json(nested(20), message));
  auto deep = from_json(nested(100'000), message);
  REQUIRE_FALSE(deep);
  CHECK_THAT(deep.error().detail, Catch::Matchers::ContainsSubstring(
                                    "this is nested too deep (byte "));
}
