#pragma once

#include <string>

namespace turnstile::draft7 {

bool is_uri(const std::string& text);           ///< RFC 3986, with a scheme
bool is_uri_reference(const std::string& text); ///< RFC 3986
bool is_iri(const std::string& text);           ///< RFC 3987, with a scheme
bool is_iri_reference(const std::string& text); ///< RFC 3987
bool is_uri_template(const std::string& text);  ///< RFC 6570

} // namespace turnstile::draft7
