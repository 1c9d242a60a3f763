// Asks an installed schema about outputs. What it is made of is not to be seen.

#include "messages/schema/output_schema.hpp"

#include <cstdio>

#if __has_include("messages/schema/draft7/node.hpp")
#error "the inside of the room is installed"
#endif

int main() {
  const auto schema =
    turnstile::output_schema::compile(R"({"items": {"pattern": "^a+$"}})");
  if (!schema || !schema->check(R"(["aa"])") || schema->check(R"(["ab"])"))
    return 1;
  std::puts("outputs are checked");
  return 0;
}
