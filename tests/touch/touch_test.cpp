#include "core/base/touch.hpp"

#include "tests/catch.hpp"
#include "tests/touch/crowd.hpp"

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

using namespace turnstile;
using namespace turnstile::touch_test;

namespace {

constexpr std::uint64_t few = 1'000;
#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t many = 100'000; // A sanitizer takes minutes for more.
#else
constexpr std::uint64_t many = 1'000'000;
#endif
constexpr std::uint64_t rounds = 500;

/// Adds up what the calls touch that it is given.
struct meter {
  std::uint64_t touched = 0;
  std::uint64_t calls = 0;

  template <class Call>
  auto operator()(Call&& call) {
    struct closing {
      meter& m;
      std::uint64_t before = touches;
      ~closing() {
        m.touched += touches - before;
        ++m.calls;
      }
    } all{*this};
    return call();
  }

  [[nodiscard]] double average() const {
    return static_cast<double>(touched) / static_cast<double>(calls);
  }
};

struct verb {
  const char* name;
  std::function<void(crowd&, meter&)> once;
};

/// Verbs on requests whose only work is queued.
const std::vector<verb> while_queued{
  {"register",
   [](crowd& c, meter& m) {
     m([&] { return c.core.register_request({many}, {}); });
     (void)c.core.release({many});
   }},
  {"release",
   [](crowd& c, meter& m) {
     (void)c.core.register_request({many}, {});
     m([&] { return c.core.release({many}); });
   }},
  {"enqueue",
   [](crowd& c, meter& m) {
     const auto id = c.somebody();
     m([&] { return c.enqueue(id); });
   }},
  {"prepare",
   [](crowd& c, meter& m) {
     c.give_back(*m([&] { return c.core.prepare_bounded(1, c.now); }));
     auto out = *c.core.submit_prepared(c.now, take_it);
     const auto work = out.submitted.at(0).id;
     c.give_back(std::move(out));
     c.complete(work);
     c.enqueue(work.request);
   }},
  {"submit",
   [](crowd& c, meter& m) {
     c.give_back(*c.core.prepare_bounded(1, c.now));
     auto out = *m([&] { return c.core.submit_prepared(c.now, take_it); });
     const auto work = out.submitted.at(0).id;
     c.give_back(std::move(out));
     c.complete(work);
     c.enqueue(work.request);
   }},
  {"finish",
   [](crowd& c, meter& m) {
     const auto id = c.somebody();
     c.give_back(*m([&] { return c.core.finish(id, c.now); }));
     c.replace(id);
   }},
  {"forget",
   [](crowd& c, meter& m) {
     const auto id = c.somebody();
     c.give_back(*c.core.finish(id, c.now));
     m([&] { return c.core.forget(id); });
     c.replace(id);
   }},
  {"cancel before submission",
   [](crowd& c, meter& m) {
     const auto id = c.somebody();
     c.give_back(*m([&] { return c.core.cancel(id, c.now); }));
     c.replace(id);
   }},
  {"deadline in the queue",
   [](crowd& c, meter& m) {
     work_options options;
     options.deadline = c.now;
     options.policy.ends = deadline_policy::scope::work;
     (void)c.core.enqueue(c.somebody(), {1}, options);
     auto out = *m([&] { return c.core.submit_prepared(c.now, take_it); });
     REQUIRE(out.dropped.size() == 1);
     c.give_back(std::move(out));
   }},
};

/// Verbs on requests whose only work is in flight.
const std::vector<verb> while_in_flight{
  {"observe",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     m([&] { return c.core.observe(work, std::uint32_t{1}); });
     c.poll();
     c.enqueue(work.request);
     c.turn();
   }},
  {"poll with a pushed completion",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     c.core.observe(work, std::uint32_t{1});
     m([&] { c.poll(); });
     c.enqueue(work.request);
     c.turn();
   }},
  {"complete",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     m([&] { c.complete(work); });
     c.enqueue(work.request);
     c.turn();
   }},
  {"local turn",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     c.enqueue(work.request);
     c.core.observe(work, std::uint32_t{1});
     m([&] { c.turn(); });
   }},
  {"cancel after submission",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     c.give_back(*m([&] { return c.core.cancel(work.request, c.now); }));
     c.complete(work);
     c.replace(work.request);
   }},
  {"requeue",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     c.give_back(*m([&] { return c.core.requeue(work, std::nullopt, c.now); }));
     c.turn();
   }},
  {"requeue for later",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     c.now += 1ns;
     c.give_back(*m([&] { return c.core.requeue(work, c.now + 1ns, c.now); }));
     c.now += 1ns;
     c.turn();
   }},
  {"park",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     c.give_back(*m([&] { return c.core.park(work, c.now); }));
     c.give_back(*c.core.unpark(work, c.now));
     c.turn();
   }},
  {"unpark",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     c.give_back(*c.core.park(work, c.now));
     c.give_back(*m([&] { return c.core.unpark(work, c.now); }));
     c.turn();
   }},
  {"deadline in flight",
   [](crowd& c, meter& m) {
     auto work = c.work_of(c.somebody());
     c.complete(work);
     work_options options;
     options.deadline = c.now + 1ns;
     options.policy = {deadline_policy::scope::work,
                       deadline_policy::until::commit};
     work = *c.core.enqueue(work.request, {1}, options);
     c.turn();
     c.now += 1ns;
     auto out = *m([&] { return c.core.submit_prepared(c.now, take_it); });
     REQUIRE(out.abandoned.size() == 1);
     c.give_back(std::move(out));
     c.complete(work);
     c.enqueue(work.request);
     c.turn();
   }},
  {"resources_changed",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     m([&] { return c.core.resources_changed(work, 2); });
   }},
  {"status",
   [](crowd& c, meter& m) {
     const auto id = c.somebody();
     m([&] { return c.core.status_of(id); });
   }},
  {"lifecycle",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     m([&] { return c.core.lifecycle(work); });
   }},
  {"request_state",
   [](crowd& c, meter& m) {
     const auto id = c.somebody();
     m([&] { return c.core.request_state(id); });
   }},
  {"report", [](crowd& c, meter& m) { m([&] { return c.core.report(); }); }},
  {"next_wake",
   [](crowd& c, meter& m) { m([&] { return c.core.next_wake(c.now); }); }},
};

/// Verbs among requests that all wait for their work in flight.
const std::vector<verb> while_blocked{
  {"enqueue behind another",
   [](crowd& c, meter& m) {
     const auto id = c.somebody();
     m([&] { return c.enqueue(id); });
   }},
  {"complete, which unblocks one",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     m([&] { c.complete(work); });
     c.enqueue(work.request);
     c.turn();
   }},
  {"local turn that finds the one",
   [](crowd& c, meter& m) {
     const auto work = c.work_of(c.somebody());
     c.complete(work);
     m([&] { c.turn(); });
     c.enqueue(work.request);
   }},
};

std::vector<double> averages(std::uint64_t size, crowd::kind kind,
                             const std::vector<verb>& verbs) {
  crowd c{size, kind};
  std::vector<double> found;
  for (const auto& v : verbs) {
    meter m;
    for (std::uint64_t round = 0; round < rounds; ++round)
      v.once(c, m);
    found.push_back(m.average());
  }
  c.core.audit();
  return found;
}

/// Checks every verb, and shows the whole table if one of them fails.
void compare(crowd::kind kind, const std::vector<verb>& verbs) {
  const auto in_few = averages(few, kind, verbs);
  const auto in_many = averages(many, kind, verbs);
  std::string table;
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    char line[120];
    std::snprintf(line, sizeof line, "%-32s %8.2f %8.2f\n", verbs[i].name,
                  in_few[i], in_many[i]);
    table += line;
  }
  INFO("entries touched per call among " << few << " and " << many << '\n'
                                         << table);
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    CAPTURE(verbs[i].name);
    CHECK(in_many[i] <= 2 * in_few[i]);
  }
  if (std::getenv("TURNSTILE_SHOW_TOUCHES") != nullptr)
    std::fputs(table.c_str(), stdout);
}

} // namespace

TEST_CASE("verbs on queued work touch as little among a million requests as "
          "among a thousand",
          "[touch]") {
  compare(crowd::kind::queued, while_queued);
}

TEST_CASE("verbs on work in flight touch as little among a million requests as "
          "among a thousand",
          "[touch]") {
  compare(crowd::kind::in_flight, while_in_flight);
}

TEST_CASE("a million blocked requests are no harder to pass over than a "
          "thousand",
          "[touch]") {
  compare(crowd::kind::blocked, while_blocked);
}
