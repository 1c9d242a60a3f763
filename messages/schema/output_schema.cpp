#include "messages/schema/output_schema.hpp"

#include "messages/schema/draft7/compile/program.hpp"
#include "messages/schema/draft7/evaluate/matches.hpp"
#include "messages/schema/draft7/json/parse.hpp"

#include <string>
#include <utility>

namespace turnstile {

namespace {

constexpr draft7::json_limits schema_limits{.max_bytes = std::size_t{1} << 20,
                                            .max_values = 100'000};
constexpr draft7::json_limits output_limits{.max_bytes = std::size_t{64} << 20,
                                            .max_values = 2'000'000};

tl::unexpected<failure> no_schema(const std::string& why) {
  return fail(errc::invalid_schema,
              "schema is not a valid JSON Schema: " + why);
}

} // namespace

struct output_schema::compiled {
  draft7::program program;
};

output_schema::output_schema(std::shared_ptr<const compiled> it) noexcept
  : compiled_{std::move(it)} {}

result<output_schema> output_schema::compile(std::string_view json_text) {
  auto text = draft7::parse_json(json_text, schema_limits);
  if (!text)
    return no_schema(text.error());
  const auto& meta = draft7::meta_schema();
  if (auto done = draft7::matches(*meta.root, *text); !done)
    return no_schema(done.error());
  auto made = std::make_shared<compiled>();
  made->program.text = std::move(*text);
  if (auto done = draft7::compile(made->program, &meta); !done)
    return no_schema(done.error());
  return output_schema{std::move(made)};
}

status output_schema::check(std::string_view output_json) const {
  const auto refuse = [](const std::string& why) {
    return fail(errc::schema_validation,
                "output does not match schema: " + why);
  };
  const auto output = draft7::parse_json(output_json, output_limits);
  if (!output)
    return refuse(output.error());
  if (auto done = draft7::matches(*compiled_->program.root, *output); !done)
    return refuse(done.error());
  return {};
}

} // namespace turnstile
