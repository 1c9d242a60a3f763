#include "core/work/lifecycle.hpp"

#include "tests/catch.hpp"

#include <array>

using namespace turnstile;

namespace {

constexpr auto lifecycles = std::to_array<work_lifecycle>({
  work_lifecycle::queued,
  work_lifecycle::prepared,
  work_lifecycle::submitted,
  work_lifecycle::completing,
  work_lifecycle::committed,
  work_lifecycle::abandoned,
  work_lifecycle::failed,
});

/// One letter for each lifecycle that may follow: qpsCcaf.
std::string followers(work_lifecycle from) {
  constexpr std::string_view letters = "qpsCcaf";
  std::string out;
  for (std::size_t to = 0; to < lifecycles.size(); ++to)
    if (may_follow(from, lifecycles[to]))
      out += letters[to];
  return out;
}

} // namespace

TEST_CASE("work_lifecycle may go only where its table says", "[core][work]") {
  using enum work_lifecycle;
  auto [from, to] = GENERATE(table<work_lifecycle, std::string>({
    {queued, "pCaf"},     // C: it expired, and its end is not durable yet
    {prepared, "sCaf"},   //
    {submitted, "qCcaf"}, // q: requeued, or its commit conflicted
    {completing, "qcaf"}, //
    {committed, ""},      //
    {abandoned, "Cf"},    // f: its branch could not be discarded
    {failed, ""},         //
  }));
  CAPTURE(to_string(from));
  CHECK(followers(from) == to);
}

TEST_CASE("work_lifecycle has the seed's names and numbers that stay",
          "[core][work]") {
  auto [value, number, name] =
    GENERATE(table<work_lifecycle, int, std::string>({
      {work_lifecycle::queued, 1, "queued"},
      {work_lifecycle::prepared, 2, "prepared"},
      {work_lifecycle::submitted, 3, "submitted"},
      {work_lifecycle::completing, 4, "completing"},
      {work_lifecycle::committed, 5, "committed"},
      {work_lifecycle::abandoned, 6, "abandoned"},
      {work_lifecycle::failed, 7, "failed"},
    }));
  CAPTURE(name);
  CHECK(static_cast<int>(value) == number);
  CHECK(to_string(value) == name);
  CHECK(work_lifecycle_from_string(name) == value);
}

TEST_CASE("request_status has the seed's names and numbers that stay",
          "[core][work]") {
  auto [value, number, name] =
    GENERATE(table<request_status, int, std::string>({
      {request_status::active, 1, "active"},
      {request_status::finished, 2, "finished"},
      {request_status::cancelled, 3, "cancelled"},
      {request_status::deadline_exceeded, 4, "deadline_exceeded"},
      {request_status::failed, 5, "failed"},
    }));
  CAPTURE(name);
  CHECK(static_cast<int>(value) == number);
  CHECK(to_string(value) == name);
  CHECK(request_status_from_string(name) == value);
}

TEST_CASE("cancellation_cause calls a caller's word explicit", "[core][work]") {
  CHECK(to_string(cancellation_cause::explicit_call) == "explicit");
  CHECK(cancellation_cause_from_string("explicit")
        == cancellation_cause::explicit_call);
  CHECK(to_string(cancellation_cause::deadline) == "deadline");
}

TEST_CASE("lifecycle names cope with what only a newer peer knows",
          "[core][work]") {
  CHECK(to_string(static_cast<work_lifecycle>(99)) == "unknown");
  CHECK(to_string(static_cast<request_status>(99)) == "unknown");
  CHECK(work_lifecycle_from_string("Queued") == std::nullopt);
  CHECK(request_status_from_string("") == std::nullopt);
  CHECK(cancellation_cause_from_string("explicit_call") == std::nullopt);
  CHECK_FALSE(
    may_follow(static_cast<work_lifecycle>(99), work_lifecycle::queued));
}
