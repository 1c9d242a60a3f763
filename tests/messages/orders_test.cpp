#include "messages/orders.hpp"

#include "messages/translate.hpp"
#include "tests/catch.hpp"

#include <google/protobuf/wrappers.pb.h>

#include <string>
#include <vector>

using namespace turnstile;
using google::protobuf::Int64Value;

namespace {

Int64Value number(std::int64_t value) {
  Int64Value message;
  message.set_value(value);
  return message;
}

wire::WorkEnded dropped(wire::DropReason why) {
  wire::WorkEnded ended;
  ended.set_lifecycle(wire::WORK_LIFECYCLE_ABANDONED);
  ended.set_drop_reason(why);
  return ended;
}

} // namespace

TEST_CASE("an order carries a work to its backend", "[messages]") {
  wire::Execute what;
  what.set_payload(order(number(7)).work().payload());
  CHECK(work_in<Int64Value>(what)->value() == 7);
  const auto batch = orders(std::vector{number(1), number(2)});
  REQUIRE(batch.works_size() == 2);
  what.set_payload(batch.works(1).payload());
  CHECK(work_in<Int64Value>(what)->value() == 2);
}

TEST_CASE("a registration without a state asks for the initial one",
          "[messages]") {
  CHECK(registration({7}).request().value() == 7);
  CHECK_FALSE(registration({7}).has_state());
  CHECK(registration({7}, "abc").state() == "abc");
}

TEST_CASE("an end is read as an outcome or as why there is none",
          "[messages]") {
  wire::WorkEnded committed;
  committed.set_lifecycle(wire::WORK_LIFECYCLE_COMMITTED);
  committed.set_outcome(number(42).SerializeAsString());
  auto broken = committed;
  broken.set_outcome("\x08");
  wire::WorkEnded failed;
  failed.set_lifecycle(wire::WORK_LIFECYCLE_FAILED);
  *failed.mutable_failure() = to_wire({errc::completion, "the disk is full"});

  CHECK(outcome_in<Int64Value>(committed)->value() == 42);
  for (const auto& [ended, why] : {
         std::pair{broken, "invalid_argument: WorkEnded.outcome is no "
                           "google.protobuf.Int64Value"},
         {failed, "completion: the disk is full"},
         {dropped(wire::DROP_REASON_EXPIRED),
          "deadline_exceeded: its deadline passed before it ran"},
         {dropped(wire::DROP_REASON_WITH_REQUEST),
          "cancelled: its request ended before it ran"},
         {dropped(wire::DROP_REASON_RELEASED),
          "cancelled: it was not wanted any more while it ran"},
         {dropped(wire::DROP_REASON_CANCELLED),
          "cancelled: it was cancelled before it ran"},
         {dropped(wire::DROP_REASON_RECLAIMED),
          "cancelled: its backend never ended it"},
       })
    CHECK(to_string(outcome_in<Int64Value>(ended).error()) == why);
}
