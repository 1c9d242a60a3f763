#include "core/base/error.hpp"

#include "tests/catch.hpp"

#include <map>
#include <set>

using namespace turnstile;

namespace {

/// Every number that has a name.
std::map<std::uint8_t, std::string> registry() {
  std::map<std::uint8_t, std::string> all;
  for (unsigned number = 0; number < 256; ++number) {
    const auto code = static_cast<errc>(number);
    if (auto name = to_string(code); name != "unknown_errc")
      all.emplace(static_cast<std::uint8_t>(number), std::string{name});
  }
  return all;
}

} // namespace

TEST_CASE("errc numbers and names are unique and lead back to each other",
          "[core][base]") {
  std::set<std::string> names;
  for (const auto& [number, name] : registry()) {
    CAPTURE(number, name);
    CHECK(names.insert(name).second);
    CHECK(errc_from_string(name) == static_cast<errc>(number));
    CHECK(errc_from_number(number) == static_cast<errc>(number));
  }
  CHECK(names.size() == 42);
}

TEST_CASE("errc numbers never change, since journals and peers keep them",
          "[core][base]") {
  auto [number, name] = GENERATE(table<unsigned, std::string>({
    {1, "invalid_limits"},     {2, "duplicate_request"},
    {3, "unknown_request"},    {4, "capacity"},
    {5, "descriptor"},         {6, "state"},
    {7, "submission"},         {8, "completion"},
    {9, "consensus"},          {10, "distributed_completion"},
    {11, "poisoned"},          {12, "conflict"},
    {13, "turn_in_progress"},  {14, "unknown_work"},
    {15, "no_codec"},          {16, "invalid_argument"},
    {17, "deadline_exceeded"}, {18, "cancelled"},
    {32, "unknown_backend"},   {33, "no_backend"},
    {34, "run_not_found"},     {35, "quota_exceeded"},
    {36, "run_cancelled"},     {37, "agent_cancelled"},
    {38, "non_retryable"},     {39, "exhausted"},
    {40, "schema_validation"}, {41, "backend_lost"},
    {42, "need_failed"},       {43, "invalid_schema"},
    {44, "duplicate_agent"},   {48, "storage_full"},
    {49, "storage_failed"},    {50, "journal_damaged"},
    {51, "journal_owned"},     {52, "fenced"},
    {56, "protocol_unknown"},  {57, "name_taken"},
    {58, "run_conflict"},      {64, "invalid_plan"},
    {65, "not_built_yet"},     {19, "rank_lost"},
  }));

  CHECK(to_string(static_cast<errc>(number)) == name);
}

TEST_CASE("errc copes with what only a newer peer knows", "[core][base]") {
  CHECK(to_string(static_cast<errc>(200)) == "unknown_errc");
  CHECK(errc_from_number(0) == std::nullopt);
  CHECK(errc_from_number(200) == std::nullopt);
  CHECK(errc_from_string("Capacity") == std::nullopt);
  CHECK(errc_from_string("") == std::nullopt);
}

TEST_CASE("failure reads as its code and its sentence", "[core][base]") {
  CHECK(to_string(failure{errc::capacity, "the queue is full"})
        == "capacity: the queue is full");
  CHECK(to_string(failure{errc::capacity, ""}) == "capacity");
}
