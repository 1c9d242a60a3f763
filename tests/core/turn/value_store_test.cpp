#include "core/turn/value_store.hpp"

#include "tests/catch.hpp"
#include "tests/core/broken_invariant.hpp"
#include "tests/core/turn/parcel_program.hpp"

using namespace turnstile;

namespace {

constexpr auto first_request = static_cast<request_slot>(0);
constexpr auto third_request = static_cast<request_slot>(2);
constexpr auto first_work = static_cast<work_slot>(0);

} // namespace

TEST_CASE("value_store keeps states by slot until they are dropped",
          "[core][turn]") {
  value_store<parcels> store;
  store.put_state(third_request, {});

  CHECK(store.has_state(third_request));
  CHECK_FALSE(store.has_state(first_request));
  store.drop_state(third_request);
  CHECK_FALSE(store.has_state(third_request));
  CHECK_NOTHROW(store.drop_state(request_slot{99})); // nothing was there
}

TEST_CASE("value_store keeps a work's other values no longer than it",
          "[core][turn]") {
  value_store<parcels> store;
  store.put_work(first_work, parcel("tea"));
  store[first_work].branch = std::make_unique<std::string>("branch");
  store[first_work].why = failure{errc::state, "why"};
  CHECK(store.works() == 1);

  store.drop_work(first_work);
  store.put_work(first_work, parcel("milk"));

  CHECK(*store[first_work].work->content == "milk");
  CHECK_FALSE(store[first_work].branch);
  CHECK_FALSE(store[first_work].why);
}

TEST_CASE("value_store forgets a submission and keeps its work",
          "[core][turn]") {
  value_store<parcels> store;
  store.put_work(first_work, parcel("tea"));
  auto& values = store[first_work];
  values.branch = std::make_unique<std::string>("branch");
  values.output.emplace();

  value_store<parcels>::drop_submission(values);

  CHECK_FALSE(values.branch);
  CHECK_FALSE(values.output);
  CHECK(*values.work->content == "tea");
}

TEST_CASE("value_store has one work in a slot", "[core][turn]") {
  checks_throw guard;
  value_store<parcels> store;
  store.put_work(first_work, parcel("tea"));

  CHECK_THROWS_AS(store.put_work(first_work, parcel("milk")), broken_invariant);
}
