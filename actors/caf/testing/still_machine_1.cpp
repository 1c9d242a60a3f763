#include "actors/caf/version.hpp"

#if !TURNSTILE_OLD_CAF

#include "actors/caf/testing/still_machine.hpp"

#include <caf/logger.hpp>
#include <caf/test/block_type.hpp>
#include <caf/test/context.hpp>
#include <caf/test/fixture/deterministic.hpp>
#include <caf/test/reporter.hpp>
#include <caf/test/runnable.hpp>

#include <memory>

namespace turnstile::testing {

namespace {

// CAF's fixture expects to run below CAF's own test runner. There is one for
// all worlds, and it stays.
class pretended_runner {
public:
  /// Makes the calling thread believe in it.
  static pretended_runner& enter() {
    static auto* const runner = new pretended_runner;
    caf::logger::current_logger(runner->logger_.get());
    return *runner;
  }

private:
  pretended_runner() : reporter_(caf::test::reporter::make_default()) {
    reporter_->verbosity(0); // it must not print outside a test of CAF's own
    caf::test::reporter::instance(reporter_.get());
    logger_ = make_logger<caf::test::reporter>();
  }

  struct test : caf::test::runnable {
    test()
      : runnable(std::make_shared<caf::test::context>(), "",
                 caf::test::block_type::test) {}
    void do_run() {}                    // its name in 1.1.0
    void run_next_test_branch_impl() {} // its name after 1.1.0
  };

  template <class Reporter>
  static caf::intrusive_ptr<caf::logger> make_logger() {
    if constexpr (requires { Reporter::make_logger(); })
      return Reporter::make_logger(); // 1.1.0
    else
      return Reporter::make_logger(0, {}); // after 1.1.0
  }

  std::unique_ptr<caf::test::reporter> reporter_;
  caf::intrusive_ptr<caf::logger> logger_;
  test test_;
};

class machine : public still_machine {
public:
  explicit machine(instant beginning) { move_to(beginning); }

  // Who still waits in a circle of handles is leaked: nobody knows them.
  ~machine() override { system().await_actors_before_shutdown(false); }

  caf::actor_system& system() noexcept override { return fixture_.sys; }

  bool step() override { return fixture_.dispatch_message(); }

  std::optional<instant> next_timer() override {
    if (!fixture_.has_pending_timeout())
      return std::nullopt;
    return instant{fixture_.next_timeout().time_since_epoch()};
  }

  bool fire_next_timer() override { return fixture_.trigger_timeout(); }

  void move_to(instant when) override {
    fixture_.set_time(caf::actor_clock::time_point{when.time_since_epoch()});
  }

private:
  pretended_runner& runner_ = pretended_runner::enter();
  caf::test::fixture::deterministic fixture_;
};

} // namespace

std::unique_ptr<still_machine>
still_machine::start(std::unique_ptr<caf::actor_system_config> config,
                     instant beginning) {
  config.reset(); // has made its types known, which are all that count here
  return std::make_unique<machine>(beginning);
}

} // namespace turnstile::testing

#endif
