#include "messages/json/names.hpp"
#include "messages/translate.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace turnstile;

namespace {

// Renders every number of an enum with its name in JSON, as core has it, and
// back: "1 queued, 2 prepared, ...".
template <class WireEnum>
std::string both_ways() {
  const auto& type = *google::protobuf::GetEnumDescriptor<WireEnum>();
  std::string out;
  for (int i = 1; i < type.value_count(); ++i) {
    const auto& value = *type.value(i);
    auto core = from_wire(static_cast<WireEnum>(value.number()));
    REQUIRE(core);
    CHECK(to_wire(*core) == value.number());
    CHECK(static_cast<int>(*core) == value.number());
    auto name = detail::json_name(value);
    CHECK(detail::value_of_json_name(type, name) == &value);
    out += (i > 1 ? ", " : "") + std::to_string(value.number()) + ' ' + name;
  }
  return out;
}

// Same, with core's own names.
template <class WireEnum>
std::string named_by_core() {
  const auto& type = *google::protobuf::GetEnumDescriptor<WireEnum>();
  std::string out;
  for (int i = 1; i < type.value_count(); ++i) {
    auto number = type.value(i)->number();
    auto core = from_wire(static_cast<WireEnum>(number));
    out += (i > 1 ? ", " : "") + std::to_string(number) + ' '
           + std::string{to_string(*core)};
  }
  return out;
}

template <class T>
std::string refusal(const result<T>& value) {
  return value ? "" : to_string(value.error());
}

} // namespace

TEST_CASE("every lifecycle has one number and one name",
          "[messages][translate]") {
  CHECK(both_ways<wire::WorkLifecycle>()
        == "1 queued, 2 prepared, 3 submitted, 4 completing, 5 committed, "
           "6 abandoned, 7 failed");
  CHECK(both_ways<wire::WorkLifecycle>()
        == named_by_core<wire::WorkLifecycle>());
}

TEST_CASE("every status has one number and one name", "[messages][translate]") {
  CHECK(both_ways<wire::RequestStatus>()
        == "1 active, 2 finished, 3 cancelled, 4 deadline_exceeded, 5 failed");
  CHECK(both_ways<wire::RequestStatus>()
        == named_by_core<wire::RequestStatus>());
}

TEST_CASE("every cause has one number and one name", "[messages][translate]") {
  CHECK(both_ways<wire::CancellationCause>() == "1 explicit, 2 deadline");
  CHECK(both_ways<wire::CancellationCause>()
        == named_by_core<wire::CancellationCause>());
}

TEST_CASE("every kind of backend error has one number and one name",
          "[messages][translate]") {
  CHECK(both_ways<wire::BackendErrorKind>()
        == "1 spawn, 2 timeout, 3 protocol, 4 connection, 5 cancelled, "
           "6 config, 7 io, 8 parse, 9 execution, 10 other");
  CHECK(both_ways<wire::BackendErrorKind>()
        == named_by_core<wire::BackendErrorKind>());
}

TEST_CASE("every reason for a drop has one number and one name",
          "[messages][translate]") {
  CHECK(both_ways<wire::DropReason>()
        == "1 with_request, 2 expired, 3 released, 4 reclaimed, "
           "5 cancelled");
}

TEST_CASE("numbers of a newer peer are refused by name",
          "[messages][translate]") {
  CHECK(refusal(from_wire(wire::WorkLifecycle{8}, "WorkEnded.lifecycle"))
        == "invalid_argument: WorkEnded.lifecycle: 8 is no WorkLifecycle");
  CHECK(refusal(from_wire(wire::RequestStatus{-1}))
        == "invalid_argument: RequestStatus: -1 is no RequestStatus");
  CHECK(refusal(from_wire(wire::CancellationCause{3}))
        == "invalid_argument: CancellationCause: 3 is no CancellationCause");
  CHECK(refusal(from_wire(wire::DropReason{6}))
        == "invalid_argument: DropReason: 6 is no DropReason");
  CHECK(refusal(from_wire(wire::BackendErrorKind{11}))
        == "invalid_argument: BackendErrorKind: 11 is no BackendErrorKind");
}

TEST_CASE("an enum that was never set is missing, not unknown",
          "[messages][translate]") {
  CHECK(refusal(from_wire(wire::WorkEnded{}.lifecycle(), "WorkEnded.lifecycle"))
        == "invalid_argument: WorkEnded.lifecycle is missing");
}
