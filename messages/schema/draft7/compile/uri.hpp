#pragma once

#include <string>
#include <string_view>

namespace turnstile::draft7 {

/// A URI reference, split at its `#`.
struct split_uri {
  std::string document;
  std::string fragment; ///< With its percent-escapes undone.
};

/// Returns what `reference` means beside `base` (RFC 3986, section 5.2).
split_uri resolve(std::string_view base, std::string_view reference);

} // namespace turnstile::draft7
