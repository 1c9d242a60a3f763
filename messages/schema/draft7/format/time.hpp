#pragma once

#include <string>

// Dates and times of RFC 3339, section 5.6, on days that exist.

namespace turnstile::draft7 {

bool is_date(const std::string& text);      ///< 2024-02-29
bool is_time(const std::string& text);      ///< 08:30:06.283185Z
bool is_date_time(const std::string& text); ///< 1990-12-31T15:59:60-08:00

} // namespace turnstile::draft7
