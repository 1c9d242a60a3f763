#include "messages/json.hpp"
#include "messages/translate.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <string>

using namespace turnstile;

namespace {

// Sends a value as its bytes and as its JSON form, and returns what arrives.

template <class T>
result<T> over_bytes(const T& value) {
  auto sent = to_wire(value);
  decltype(sent) received;
  REQUIRE(received.ParseFromString(sent.SerializeAsString()));
  return from_wire(received);
}

template <class T>
result<T> over_json(const T& value) {
  auto sent = to_wire(value);
  decltype(sent) received;
  REQUIRE(from_json(to_json(sent), received));
  return from_wire(received);
}

// Renders a value, so that a failure shows both pictures.
template <class T>
std::string shown(const result<T>& value) {
  return value ? to_json(to_wire(*value)) : to_string(value.error());
}

template <class T>
void check_round_trips(const T& value) {
  auto sent = shown(result<T>{value});
  CHECK(shown(over_bytes(value)) == sent);
  CHECK(shown(over_json(value)) == sent);
  CHECK(over_bytes(value) == value);
  CHECK(over_json(value) == value);
}

constexpr auto most = scheduler_limits::unlimited;

} // namespace

TEST_CASE("identities arrive as they were sent", "[messages][translate]") {
  auto number = GENERATE(std::uint64_t{0}, std::uint64_t{7}, most);
  check_round_trips(request_id{number});
  check_round_trips(work_id{{number}, most - number, number});
}

TEST_CASE("failures arrive as they were sent", "[messages][translate]") {
  auto code = GENERATE(errc::invalid_limits, errc::capacity, errc::cancelled,
                       errc::unknown_backend, errc::not_built_yet);
  check_round_trips(failure{code, "why \"so\"\n"});
  check_round_trips(failure{code, ""});
}

TEST_CASE("every code that has a name arrives", "[messages][translate]") {
  int known = 0;
  for (int number = 0; number <= 255; ++number)
    if (auto code = errc_from_number(static_cast<std::uint8_t>(number))) {
      check_round_trips(failure{*code, std::string{to_string(*code)}});
      ++known;
    }
  CHECK(known > 30);
}

TEST_CASE("limits arrive as they were sent", "[messages][translate]") {
  check_round_trips(scheduler_limits{});
  check_round_trips(scheduler_limits{1, 2, 3, 4, 5, 6, 7});
  check_round_trips(scheduler_limits{0, 0, 0, 0, 0, 0, 0});
  check_round_trips(scheduler_limits{most, most, most, most, most, most, most});
}

TEST_CASE("capabilities arrive as they were sent", "[messages][translate]") {
  check_round_trips(scheduler_capabilities{});
  check_round_trips(scheduler_capabilities{
    scheduler_limits::of(3, 4),
    {{"", false}, {"process", true}, {"b\u00e4ckend \"2\"", true}},
    true,
    "from submission to completion"});
}

TEST_CASE("an empty report arrives as it was sent", "[messages][translate]") {
  check_round_trips(scheduler_report{});
}

TEST_CASE("a report with a different number in every field arrives",
          "[messages][translate]") {
  wire::Report sent;
  const auto& type = *wire::Report::descriptor();
  const auto& its = *sent.GetReflection();
  for (int i = 0; i < type.field_count(); ++i)
    if (type.field(i)->name() == "poisoned")
      sent.set_poisoned(true);
    else
      its.SetUInt64(&sent, type.field(i), most - static_cast<std::uint64_t>(i));
  auto report = from_wire(sent);
  REQUIRE(report);
  CHECK(to_json(to_wire(*report)) == to_json(sent));
  check_round_trips(*report);
}

TEST_CASE("a wait that was never measured is not a wait of zero",
          "[messages][translate]") {
  scheduler_report report;
  report.last_cancellation_to_release_ns = 0;
  check_round_trips(report);
  CHECK_FALSE(over_json(report)->max_cancellation_to_release_ns.has_value());
  CHECK(over_json(report)->last_cancellation_to_release_ns == 0u);
}

TEST_CASE("backend errors arrive as they were sent", "[messages][translate]") {
  for (int number = 1; number <= int(backend_error_kind::other); ++number)
    check_round_trips(
      backend_error{static_cast<backend_error_kind>(number), "why"});
}
