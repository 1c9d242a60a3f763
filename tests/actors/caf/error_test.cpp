#include "actors/caf/error.hpp"

#include "actors/caf/wire_bytes.hpp"
#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

using namespace seam_tests;

TEST_CASE("a failure survives its journey as a CAF error", "[actors][caf]") {
  auto why = GENERATE(failure{errc::capacity, "max_queued_work 256 is reached"},
                      failure{errc::poisoned, ""},
                      // A code that only a newer peer knows.
                      failure{static_cast<errc>(250), "from the future"});
  still_world world;
  auto error = to_error(why);
  CHECK(error);
  CHECK(to_failure(world.system(), error) == why);
  CHECK(error == caf::make_error(why.code)); // the sentence does not count
}

TEST_CASE("our errors are rendered as failures are", "[actors][caf]") {
  still_world world;
  auto why = failure{errc::capacity, "max_queued_work 256 is reached"};
  CHECK(render(world.system(), to_error(why)) == to_string(why));
  CHECK(render(world.system(), to_error({errc::poisoned, ""}))
        == to_string(failure{errc::poisoned, ""}));
}

TEST_CASE("errors of CAF's own become the failure a caller can act on",
          "[actors][caf]") {
  auto [error, code] = GENERATE(table<caf::error, errc>({
    {caf::make_error(caf::sec::request_timeout), errc::deadline_exceeded},
    {caf::make_error(caf::sec::unexpected_message), errc::invalid_argument},
    {caf::make_error(caf::sec::request_receiver_down), errc::backend_lost},
    {caf::make_error(caf::sec::runtime_error), errc::backend_lost},
    {caf::make_error(caf::exit_reason::kill), errc::backend_lost},
    {caf::make_error(caf::exit_reason::remote_link_unreachable),
     errc::backend_lost},
    {caf::error{}, errc::backend_lost},
  }));
  still_world world;
  auto why = to_failure(world.system(), error);
  CAPTURE(to_string(why));
  CHECK(why.code == code);
  CHECK_FALSE(why.detail.empty());
}

TEST_CASE("errors and codes cross the wire", "[actors][caf]") {
  still_world world;
  auto why = failure{errc::capacity, "full"};
  auto bytes = to_wire(world.system(), to_error(why));
  REQUIRE(bytes);
  auto back = from_wire<caf::error>(world.system(), *bytes);
  REQUIRE(back);
  CHECK(to_failure(world.system(), *back) == why);
  auto code = from_wire<errc>(world.system(),
                              to_wire(world.system(), errc::capacity).value());
  REQUIRE(code);
  CHECK(*code == errc::capacity);
}
