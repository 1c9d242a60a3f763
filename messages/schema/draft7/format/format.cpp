#include "messages/schema/draft7/format/format.hpp"

#include "messages/schema/draft7/format/host.hpp"
#include "messages/schema/draft7/format/pointer.hpp"
#include "messages/schema/draft7/format/time.hpp"
#include "messages/schema/draft7/format/uri.hpp"
#include "messages/schema/draft7/pattern/pattern.hpp"

#include <array>
#include <utility>

namespace turnstile::draft7 {

namespace {

bool is_regex(const std::string& text, effort& means) {
  return complaint_about_regex(text, means).empty();
}

template <bool (*has_format)(const std::string&)>
bool paid(const std::string& text, effort&) {
  return has_format(text);
}

constexpr auto formats =
  std::to_array<std::pair<std::string_view, format_check>>({
    {"date", paid<is_date>},
    {"date-time", paid<is_date_time>},
    {"email", paid<is_email>},
    {"hostname", paid<is_hostname>},
    {"ipv4", paid<is_ipv4>},
    {"ipv6", paid<is_ipv6>},
    {"iri", paid<is_iri>},
    {"iri-reference", paid<is_iri_reference>},
    {"json-pointer", paid<is_json_pointer>},
    {"regex", is_regex},
    {"relative-json-pointer", paid<is_relative_json_pointer>},
    {"time", paid<is_time>},
    {"uri", paid<is_uri>},
    {"uri-reference", paid<is_uri_reference>},
    {"uri-template", paid<is_uri_template>},
  });

} // namespace

format_check find_format(std::string_view name) {
  for (const auto& [known, check] : formats)
    if (known == name)
      return check;
  return nullptr;
}

} // namespace turnstile::draft7
