#pragma once

#include <string_view>

namespace turnstile::draft7 {

/// Returns what RE2 calls the property that ECMA-262 calls `name`: "Ll" for
/// "Lowercase_Letter", "Greek" for "Script=Greek". What has no other name
/// there is returned as it is; RE2 refuses what it does not know.
std::string_view re2_unicode_name(std::string_view name);

} // namespace turnstile::draft7
