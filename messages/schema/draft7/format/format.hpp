#pragma once

#include "messages/schema/draft7/effort.hpp"

#include <string>
#include <string_view>

namespace turnstile::draft7 {

/// Whether a text has a format. The time is linear in the text, whose length
/// has been paid for; what costs more pays itself.
using format_check = bool (*)(const std::string& text, effort& means);

/// Returns the check of a format that draft 7 defines, or null: then the format
/// says nothing. Also null for what is not asserted: idn-email, idn-hostname.
format_check find_format(std::string_view name);

} // namespace turnstile::draft7
