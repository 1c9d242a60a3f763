#include "config/plan/read/whole_plan.hpp"

#include "config/plan/json/reads.hpp"
#include "config/plan/json/record.hpp"
#include "config/plan/read/backends.hpp"
#include "config/plan/read/known_keys.hpp"
#include "config/plan/read/not_built.hpp"
#include "config/plan/read/tasks.hpp"
#include "config/plan/text/utf8.hpp"

#include <array>
#include <optional>
#include <utility>

namespace turnstile::config {

namespace {

constexpr auto jitter_modes =
  std::to_array<std::pair<std::string_view, jitter_mode>>({
    {"full", jitter_mode::full},
    {"none", jitter_mode::none},
  });

std::optional<retry_settings> read_retry(const field& where) {
  const record object{where, retry_keys};
  retry_settings retry;
  object.read("max_retries", retry.max_retries, read_number<std::uint32_t>, 0u);
  object.read("initial_backoff", retry.initial_backoff, read_duration_or_zero);
  object.read("multiplier", retry.multiplier, read_factor);
  object.read("max_backoff", retry.max_backoff, read_duration_or_zero);
  object.read("jitter", retry.jitter,
              [](const field& mode) { return read_word(mode, jitter_modes); });
  object.read("schema_retry_max", retry.schema_retry_max,
              read_number<std::uint32_t>, 0u);
  refuse_unbuilt(object, "retry");
  return retry;
}

// The file's stem, if people can read it.
std::string default_run(std::string_view file) {
  auto stem = std::filesystem::path{file}.stem().string();
  return is_plain_name(stem) ? stem : "plan";
}

} // namespace

plan read_whole_plan(const field& root, const std::filesystem::path& folder) {
  const record object{root, plan_keys};
  plan made;
  made.run = default_run(root.source().name);
  object.read("run", made.run, read_name);
  object.read("quota", made.quota, read_number<std::uint64_t>,
              std::uint64_t{0});
  object.read("concurrency", made.concurrency, read_number<std::uint32_t>, 1u);
  object.read("deadline", made.deadline, read_duration);
  object.read("retry", made.retry, read_retry);
  object.read("seed", made.seed, read_number<std::uint64_t>, std::uint64_t{0});
  object.read("memo", made.memo, read_boolean);
  if (const auto schema = object.find("$schema"))
    (void)read_string(*schema);
  if (const auto backends = object.require("backends"))
    made.backends = read_backends(*backends);
  if (const auto tasks = object.require("tasks"))
    read_tasks(*tasks, folder, made);
  refuse_unbuilt(object, "plan");
  return made;
}

} // namespace turnstile::config
