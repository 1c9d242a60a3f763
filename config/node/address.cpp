#include "config/node/address.hpp"

#include "config/plan/text/quote.hpp"

#include <charconv>

namespace turnstile::config {

namespace {

auto refuse(std::string_view text, std::string_view why) {
  return fail(errc::invalid_argument, "expected HOST:PORT, found "
                                        + in_quotes(text) + ": "
                                        + std::string{why});
}

} // namespace

result<address> parse_address(std::string_view text) {
  address where{"127.0.0.1", usual_port};
  auto host = text;
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos)
      return refuse(text, "a ] is missing");
    host = text.substr(1, end - 1);
    const auto rest = text.substr(end + 1);
    if (!rest.empty() && !rest.starts_with(':'))
      return refuse(text, "a : is missing behind the ]");
    has_port = !rest.empty();
    port = has_port ? rest.substr(1) : rest;
    if (host.empty())
      return refuse(text, "there is nothing in the brackets");
  } else if (const auto colon = text.rfind(':');
             colon != std::string_view::npos) {
    if (text.find(':') != colon)
      return refuse(text, "an IPv6 address goes into brackets");
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
    has_port = true;
  }
  if (text.empty())
    return refuse(text, "it is empty");
  for (const auto c : host)
    if (c <= ' ' || c == 0x7f)
      return refuse(text, "a host has no blanks");
  if (!host.empty())
    where.host = host;
  if (!has_port)
    return where;
  const auto* end = port.data() + port.size();
  const auto [rest, error] = std::from_chars(port.data(), end, where.port);
  if (error != std::errc{} || rest != end)
    return refuse(text, "the port is a number from 0 to 65535");
  return where;
}

std::string to_string(const address& where) {
  std::string text;
  const auto six = where.host.find(':') != std::string::npos;
  if (six)
    text.append("[").append(where.host).append("]");
  else
    text.append(where.host);
  return text.append(":").append(std::to_string(where.port));
}

bool is_loopback(const address& where) {
  return where.host == "localhost" || where.host == "::1"
         || where.host.starts_with("127.");
}

} // namespace turnstile::config
