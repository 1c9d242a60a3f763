#include "messages/schema/draft7/evaluate/matches.hpp"

#include "messages/schema/draft7/evaluate/evaluator.hpp"

namespace turnstile::draft7 {

tl::expected<void, std::string> matches(const schema_node& schema,
                                        const nlohmann::json& value,
                                        const place& at) {
  constexpr std::uint64_t max_steps = 20'000'000;
  constexpr std::size_t max_violations = 5;
  effort means{max_steps};
  evaluator asked{means, max_violations};
  const bool holds = asked.check(schema, value, at);
  if (means.gave_up())
    return tl::unexpected<std::string>{std::string{"too much work to check: "}
                                       + means.reason()};
  if (holds)
    return {};
  std::string out;
  for (const auto& [where, what] : asked.violations())
    out.append(out.empty() ? "" : "; ").append(where + ": " + what);
  return tl::unexpected{std::move(out)};
}

} // namespace turnstile::draft7
