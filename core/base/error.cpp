#include "core/base/error.hpp"

#include <array>
#include <utility>

namespace turnstile {

namespace {

constexpr auto names = std::to_array<std::pair<errc, std::string_view>>({
  {errc::invalid_limits, "invalid_limits"},
  {errc::duplicate_request, "duplicate_request"},
  {errc::unknown_request, "unknown_request"},
  {errc::capacity, "capacity"},
  {errc::descriptor, "descriptor"},
  {errc::state, "state"},
  {errc::submission, "submission"},
  {errc::completion, "completion"},
  {errc::consensus, "consensus"},
  {errc::distributed_completion, "distributed_completion"},
  {errc::poisoned, "poisoned"},
  {errc::conflict, "conflict"},
  {errc::turn_in_progress, "turn_in_progress"},
  {errc::unknown_work, "unknown_work"},
  {errc::no_codec, "no_codec"},
  {errc::invalid_argument, "invalid_argument"},
  {errc::deadline_exceeded, "deadline_exceeded"},
  {errc::cancelled, "cancelled"},
  {errc::rank_lost, "rank_lost"},
  {errc::unknown_backend, "unknown_backend"},
  {errc::no_backend, "no_backend"},
  {errc::run_not_found, "run_not_found"},
  {errc::quota_exceeded, "quota_exceeded"},
  {errc::run_cancelled, "run_cancelled"},
  {errc::agent_cancelled, "agent_cancelled"},
  {errc::non_retryable, "non_retryable"},
  {errc::exhausted, "exhausted"},
  {errc::schema_validation, "schema_validation"},
  {errc::backend_lost, "backend_lost"},
  {errc::need_failed, "need_failed"},
  {errc::invalid_schema, "invalid_schema"},
  {errc::duplicate_agent, "duplicate_agent"},
  {errc::storage_full, "storage_full"},
  {errc::storage_failed, "storage_failed"},
  {errc::journal_damaged, "journal_damaged"},
  {errc::journal_owned, "journal_owned"},
  {errc::fenced, "fenced"},
  {errc::protocol_unknown, "protocol_unknown"},
  {errc::name_taken, "name_taken"},
  {errc::run_conflict, "run_conflict"},
  {errc::invalid_plan, "invalid_plan"},
  {errc::not_built_yet, "not_built_yet"},
});

} // namespace

std::string_view to_string(errc code) noexcept {
  for (const auto& [known, name] : names)
    if (known == code)
      return name;
  return "unknown_errc";
}

std::optional<errc> errc_from_string(std::string_view name) noexcept {
  for (const auto& [code, known] : names)
    if (known == name)
      return code;
  return std::nullopt;
}

std::optional<errc> errc_from_number(std::uint8_t number) noexcept {
  for (const auto& [code, name] : names)
    if (static_cast<std::uint8_t>(code) == number)
      return code;
  return std::nullopt;
}

std::string to_string(const failure& why) {
  std::string text{to_string(why.code)};
  if (!why.detail.empty())
    text.append(": ").append(why.detail);
  return text;
}

} // namespace turnstile
