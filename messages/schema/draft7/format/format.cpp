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

bool is_regex(const std::string& text) {
  return complaint_about_regex(text).empty();
}

constexpr auto formats =
  std::to_array<std::pair<std::string_view, format_check>>({
    {"date", is_date},
    {"date-time", is_date_time},
    {"email", is_email},
    {"hostname", is_hostname},
    {"ipv4", is_ipv4},
    {"ipv6", is_ipv6},
    {"iri", is_iri},
    {"iri-reference", is_iri_reference},
    {"json-pointer", is_json_pointer},
    {"regex", is_regex},
    {"relative-json-pointer", is_relative_json_pointer},
    {"time", is_time},
    {"uri", is_uri},
    {"uri-reference", is_uri_reference},
    {"uri-template", is_uri_template},
  });

} // namespace

format_check find_format(std::string_view name) {
  for (const auto& [known, check] : formats)
    if (known == name)
      return check;
  return nullptr;
}

} // namespace turnstile::draft7
