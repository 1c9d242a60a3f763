#include "messages/translate.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace turnstile;

namespace {

template <class T>
std::string refusal(const result<T>& value) {
  return value ? "" : to_string(value.error());
}

} // namespace

TEST_CASE("an identity without one of its parts is refused",
          "[messages][translate]") {
  wire::WorkId id;
  CHECK(refusal(from_wire(id.request()))
        == "invalid_argument: RequestId is missing");
  CHECK(refusal(from_wire(id, "Quiet.work_id"))
        == "invalid_argument: Quiet.work_id.request is missing");
  id.mutable_request()->set_value(0);
  CHECK(refusal(from_wire(id))
        == "invalid_argument: WorkId.sequence is missing");
  id.set_sequence(0);
  CHECK(refusal(from_wire(id)) == "invalid_argument: WorkId.life is missing");
  id.set_life(0);
  CHECK(from_wire(id) == work_id{});
}

TEST_CASE("limits without one of them are refused", "[messages][translate]") {
  const auto& type = *wire::Limits::descriptor();
  auto whole = to_wire(scheduler_limits{});
  for (int i = 0; i < type.field_count(); ++i) {
    wire::Capabilities message;
    *message.mutable_limits() = whole;
    message.limits().GetReflection()->ClearField(message.mutable_limits(),
                                                 type.field(i));
    CHECK(refusal(from_wire(message))
          == "invalid_argument: Capabilities.limits." + type.field(i)->name()
               + " is missing");
  }
}

TEST_CASE("a failure whose code is unknown is refused, but still read",
          "[messages][translate]") {
  wire::Failure message;
  message.set_detail("the moon is full");
  CHECK(refusal(from_wire(message))
        == "invalid_argument: Failure.code is missing");
  message.set_code(200);
  CHECK(refusal(from_wire(message, "WorkEnded.failure"))
        == "invalid_argument: WorkEnded.failure.code: 200 is no errc (the moon "
           "is full)");
  message.set_code(256 + 4); // not taken for 4
  CHECK(refusal(from_wire(message))
        == "invalid_argument: Failure.code: 260 is no errc (the moon is full)");
}
