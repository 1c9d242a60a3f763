#include "messages/utf8.hpp"

#include "messages/translate.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace turnstile;

TEST_CASE("to_utf8 puts one U+FFFD in the place of each bad byte",
          "[messages][utf8]") {
  auto [bytes, text] = GENERATE(table<std::string, std::string>({
    {"", ""},
    {"caf\u00e9 \U0001F600", "caf\u00e9 \U0001F600"},
    {"\x7f\u0080\u07ff\u0800\uffff", "\x7f\u0080\u07ff\u0800\uffff"},
    {"\U0010FFFF", "\U0010FFFF"},
    {"\xff", "\uFFFD"},                               // never a first byte
    {"\x80", "\uFFFD"},                               // nothing to go on with
    {"a\xc3", "a\uFFFD"},                             // cut off
    {"\xe2\x82z", "\uFFFD\uFFFDz"},                   // broken off
    {"\xc0\x80", "\uFFFD\uFFFD"},                     // overlong
    {"\xe0\x9f\xbf", "\uFFFD\uFFFD\uFFFD"},           // overlong
    {"\xf0\x8f\xbf\xbf", "\uFFFD\uFFFD\uFFFD\uFFFD"}, // overlong
    {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},           // half a character
    {"\xf4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"}, // above U+10FFFF
  }));
  CHECK(to_utf8(bytes) == text);
}

TEST_CASE("a failure with bad bytes in its sentence still arrives",
          "[messages][utf8]") {
  wire::Failure received;
  REQUIRE(received.ParseFromString(
    to_wire(failure{errc::completion, "exit 1: \xff"}).SerializeAsString()));
  CHECK(from_wire(received) == failure{errc::completion, "exit 1: \uFFFD"});
}
