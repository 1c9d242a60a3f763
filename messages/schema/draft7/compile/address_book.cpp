#include "messages/schema/draft7/compile/address_book.hpp"

#include "messages/schema/draft7/compile/subschemas.hpp"
#include "messages/schema/draft7/json/excerpt.hpp"

namespace turnstile::draft7 {

tl::expected<void, std::string>
address_book::enter(const nlohmann::json& schema, const std::string& base,
                    const place& at) {
  if (knows(schema))
    return {};
  auto here = base;
  const auto id = schema.find("$id");
  if (schema.is_object() && id != schema.end() && !schema.contains("$ref")) {
    const auto name = resolve(base, id->get_ref<const std::string&>());
    here = name.document;
    const auto whole =
      name.fragment.empty() ? here : here + '#' + name.fragment;
    if (!ids_.emplace(whole, &schema).second)
      return tl::unexpected{place{at, "$id"}.text() + ": another schema is "
                            + in_quotes(whole) + ", too"};
  }
  bases_.emplace(&schema, &texts_.try_emplace(here).first->first);
  tl::expected<void, std::string> done;
  if (schema.is_object())
    for_each_subschema(schema, at, [&](const auto& inner, const place& where) {
      if (done)
        done = enter(inner, here, where);
    });
  return done;
}

const nlohmann::json* address_book::find(const std::string& id) const {
  const auto it = ids_.find(id);
  return it == ids_.end() ? nullptr : it->second;
}

} // namespace turnstile::draft7
