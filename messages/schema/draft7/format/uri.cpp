#include "messages/schema/draft7/format/uri.hpp"

#include "messages/schema/draft7/format/address.hpp"

#include <re2/re2.h>

namespace turnstile::draft7 {

namespace {

using re2::RE2;

// The grammar of RFC 3986, appendix A, under its names. `more` is what RFC 3987
// adds to the unreserved characters, `more_in_query` to those of a query.
class grammar {
public:
  grammar(std::string more, std::string more_in_query)
    : more_{std::move(more)}, more_in_query_{std::move(more_in_query)} {}

  [[nodiscard]] std::string uri() const {
    return "[A-Za-z][-+.0-9A-Za-z]*:(?:" + authority() + "(?:/" + segment()
           + "*)*|/(?:" + segment() + "+(?:/" + segment() + "*)*)?|" + segment()
           + "+(?:/" + segment() + "*)*|)" + tail();
  }

  [[nodiscard]] std::string reference() const {
    return uri() + "|(?:" + authority() + "(?:/" + segment()
           + "*)*|/(?:" + segment() + "+(?:/" + segment() + "*)*)?|"
           + one_of("@") + "+(?:/" + segment() + "*)*|)" + tail();
  }

private:
  // unreserved, pct-encoded, sub-delims, and some.
  [[nodiscard]] std::string one_of(const std::string& some) const {
    return "(?:[-._~0-9A-Za-z!$&'()*+,;=" + more_ + some + "]|%[0-9A-Fa-f]{2})";
  }

  [[nodiscard]] std::string segment() const { return one_of(":@"); }

  [[nodiscard]] std::string authority() const {
    return "//(?:" + one_of(":") + "*@)?(?:\\[(?:" + ipv6_form()
           + "|v[0-9A-Fa-f]+\\.[-._~0-9A-Za-z!$&'()*+,;=:]+)\\]|" + one_of("")
           + "*)(?::[0-9]*)?";
  }

  [[nodiscard]] std::string tail() const { // Query and fragment.
    return "(?:\\?" + one_of(":@/?" + more_in_query_) + "*)?(?:#"
           + one_of(":@/?") + "*)?";
  }

  std::string more_;
  std::string more_in_query_;
};

const grammar& ascii() {
  static const grammar it{"", ""};
  return it;
}

const grammar& international() {
  static const grammar it{
    R"(\x{a0}-\x{d7ff}\x{f900}-\x{fdcf}\x{fdf0}-\x{ffef}\x{10000}-\x{efffd})",
    R"(\x{e000}-\x{f8ff}\x{f0000}-\x{10fffd})"};
  return it;
}

} // namespace

bool is_uri(const std::string& text) {
  static const RE2 form{ascii().uri()};
  return RE2::FullMatch(text, form);
}

bool is_uri_reference(const std::string& text) {
  static const RE2 form{ascii().reference()};
  return RE2::FullMatch(text, form);
}

bool is_iri(const std::string& text) {
  static const RE2 form{international().uri()};
  return RE2::FullMatch(text, form);
}

bool is_iri_reference(const std::string& text) {
  static const RE2 form{international().reference()};
  return RE2::FullMatch(text, form);
}

bool is_uri_template(const std::string& text) {
  static const RE2 form{
    R"re((?:[^\x00-\x20"'%<>\\^`{|}\x7f]|%[0-9A-Fa-f]{2}|)re"
    R"(\{[+#./;?&=,!@|]?(?:[_0-9A-Za-z]|%[0-9A-Fa-f]{2}|\.)+)"
    R"((?::[1-9][0-9]{0,3}|\*)?)"
    R"((?:,(?:[_0-9A-Za-z]|%[0-9A-Fa-f]{2}|\.)+(?::[1-9][0-9]{0,3}|\*)?)*\})*)"};
  return RE2::FullMatch(text, form);
}

} // namespace turnstile::draft7
