#include "actors/caf/inspect_protobuf.hpp"

#include "actors/caf/wire_bytes.hpp"
#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

using namespace seam_tests;

namespace {

using witness = typed_actor<caf::result<void>(text)>;

/// Remembers where the text lived that it was told.
struct witness_state {
  explicit witness_state(const char** where) : told_at(where) {}

  witness::behavior_type make_behavior() {
    return {[this](const text& x) { *told_at = x.value().data(); }};
  }

  const char** told_at;
};

} // namespace

TEST_CASE("a Protobuf message travels within a node as the object it is",
          "[actors][caf]") {
  still_world world;
  const char* told_at = nullptr;
  auto whom = spawn<witness_state>(world.system(), &told_at);
  auto note = make_text(std::string(100, 'x'));
  const char* written_at = note.value().data();
  anon_mail(std::move(note)).send(whom);
  world.settle();
  CHECK(static_cast<const void*>(told_at)
        == static_cast<const void*>(written_at));
}

TEST_CASE("a Protobuf message travels between nodes as its bytes",
          "[actors][caf]") {
  still_world world;
  auto note = make_text("hello");
  auto bytes = to_wire(world.system(), note);
  REQUIRE(bytes);
  CHECK(bytes->find(note.SerializeAsString()) != std::string::npos);
  auto back = from_wire<text>(world.system(), *bytes);
  REQUIRE(back);
  CHECK(back->value() == "hello");
}

TEST_CASE("bytes that are no message do not load", "[actors][caf]") {
  still_world world;
  // As a string they are in order, as a message they end too early.
  auto bytes = to_wire(world.system(), std::string{"\x0a\x05hell"});
  REQUIRE(bytes);
  auto back = from_wire<text>(world.system(), *bytes);
  REQUIRE_FALSE(back);
  CHECK(to_string(back.error().code) == "invalid_argument");
  CHECK_THAT(back.error().detail,
             Catch::Matchers::ContainsSubstring("google.protobuf.StringValue"));
}
