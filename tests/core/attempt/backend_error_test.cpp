#include "core/attempt/backend_error.hpp"

#include "tests/catch.hpp"

using namespace turnstile;

TEST_CASE("backend_error has a text form and a retry rule for every kind",
          "[core][attempt]") {
  using kind = backend_error_kind;
  auto [which, name, text, again] =
    GENERATE(table<kind, std::string, std::string, bool>({
      {kind::spawn, "spawn", "spawn failed: why", true},
      {kind::timeout, "timeout", "backend timed out: why", true},
      {kind::protocol, "protocol", "protocol error: why", false},
      {kind::connection, "connection", "connection error: why", false},
      {kind::cancelled, "cancelled", "cancelled", false},
      {kind::config, "config", "configuration error: why", false},
      {kind::io, "io", "IO error: why", false},
      {kind::parse, "parse", "parse error: why", false},
      {kind::execution, "execution", "execution error: why", false},
      {kind::other, "other", "why", false},
    }));
  CAPTURE(name);
  auto error = backend_error{which, "why"};
  CHECK(to_string(error) == text);
  CHECK(error.retryable() == again);
  CHECK(to_string(which) == name);
  CHECK(backend_error_kind_from_string(name) == which);
}

TEST_CASE("backend_error_kind copes with names and numbers it does not know",
          "[core][attempt]") {
  CHECK(backend_error_kind_from_string("Spawn") == std::nullopt);
  CHECK(to_string(static_cast<backend_error_kind>(99)) == "unknown_kind");
  CHECK_FALSE(retryable(static_cast<backend_error_kind>(99)));
}
