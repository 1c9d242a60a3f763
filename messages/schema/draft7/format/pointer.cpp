#include "messages/schema/draft7/format/pointer.hpp"

#include <re2/re2.h>

namespace turnstile::draft7 {

using re2::RE2;

bool is_json_pointer(const std::string& text) {
  static const RE2 form{"(?:/(?:[^~/]|~[01])*)*"};
  return RE2::FullMatch(text, form);
}

bool is_relative_json_pointer(const std::string& text) {
  static const RE2 form{"(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)"};
  return RE2::FullMatch(text, form);
}

} // namespace turnstile::draft7
