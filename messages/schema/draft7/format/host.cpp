#include "messages/schema/draft7/format/host.hpp"

#include "messages/schema/draft7/format/address.hpp"

#include <re2/re2.h>

namespace turnstile::draft7 {

namespace {

using re2::RE2;

} // namespace

std::string ipv4_form() {
  const std::string octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  return octet + R"((?:\.)" + octet + "){3}";
}

std::string ipv6_form() {
  const std::string h16 = "[0-9A-Fa-f]{1,4}";
  const std::string ls32 = "(?:" + h16 + ":" + h16 + "|" + ipv4_form() + ")";
  const auto before = [&](const char* most) { // h16s in front of the "::"
    return "(?:(?:" + h16 + ":){0," + most + "}" + h16 + ")?::";
  };
  const auto pairs = [&](const char* count) {
    return "(?:" + h16 + ":){" + count + "}";
  };
  return "(?:" + pairs("6") + ls32 + "|::" + pairs("5") + ls32 + "|(?:" + h16
         + ")?::" + pairs("4") + ls32 + "|" + before("1") + pairs("3") + ls32
         + "|" + before("2") + pairs("2") + ls32 + "|" + before("3")
         + pairs("1") + ls32 + "|" + before("4") + ls32 + "|" + before("5")
         + h16 + "|" + before("6") + ")";
}

bool is_ipv4(const std::string& text) {
  static const RE2 form{ipv4_form()};
  return RE2::FullMatch(text, form);
}

bool is_ipv6(const std::string& text) {
  static const RE2 form{ipv6_form()};
  return RE2::FullMatch(text, form);
}

bool is_hostname(const std::string& text) {
  static const RE2 form{
    R"([0-9A-Za-z](?:[-0-9A-Za-z]{0,61}[0-9A-Za-z])?)"
    R"((?:\.[0-9A-Za-z](?:[-0-9A-Za-z]{0,61}[0-9A-Za-z])?)*)"};
  return text.size() <= 253 && RE2::FullMatch(text, form);
}

bool is_email(const std::string& text) {
  static const RE2 form{
    R"(((?:[-0-9A-Za-z!#$%&'*+/=?^_`{|}~]+(?:\.[-0-9A-Za-z!#$%&'*+/=?^_`{|}~]+)*)"
    R"re(|"(?:[ !#-\[\]-~]|\\[ -~])*"))@(.+))re"};
  std::string local;
  std::string domain;
  if (!RE2::FullMatch(text, form, &local, &domain) || local.size() > 64)
    return false;
  if (!domain.starts_with('['))
    return is_hostname(domain);
  if (!domain.ends_with(']'))
    return false;
  domain = domain.substr(1, domain.size() - 2);
  return domain.starts_with("IPv6:") ? is_ipv6(domain.substr(5))
                                     : is_ipv4(domain);
}

} // namespace turnstile::draft7
