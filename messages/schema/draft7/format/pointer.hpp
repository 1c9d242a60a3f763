#pragma once

#include <string>

namespace turnstile::draft7 {

bool is_json_pointer(const std::string& text); ///< RFC 6901

/// draft-handrews-relative-json-pointer-01
bool is_relative_json_pointer(const std::string& text);

} // namespace turnstile::draft7
