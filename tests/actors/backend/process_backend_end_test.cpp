#include "tests/actors/backend/process_backend_world.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>

using namespace turnstile;
using world = turnstile::test::process_backend_world;

namespace {

/// A pipe with a name, which a child opens to say that it runs. Opening it to
/// read waits for that; the end of file comes when the child has gone.
class sign_of_life {
public:
  sign_of_life() {
    auto pattern =
      (std::filesystem::temp_directory_path() / "backend-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    REQUIRE(::mkfifo(path().c_str(), 0600) == 0);
  }

  ~sign_of_life() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::string path() const { return folder_ / "pipe"; }

  /// Waits until a child has written a line to it.
  void await_begin() {
    pipe_.open(path());
    std::string line;
    REQUIRE(std::getline(pipe_, line));
  }

  /// Waits until no child holds it open any more.
  bool await_end() {
    std::string line;
    return !std::getline(pipe_, line);
  }

private:
  std::filesystem::path folder_;
  std::ifstream pipe_;
};

wire::CancelWork cancellation(std::uint32_t submission = 1) {
  wire::CancelWork out;
  *out.mutable_work_id() = to_wire(work_id{{7}, 0, 1});
  out.set_submission(submission);
  return out;
}

/// A script that says that it runs, and then never ends by itself.
std::string endless(const sign_of_life& sign, const std::string& first = ":") {
  return first + "; exec 9>'" + sign.path()
         + "'; echo here >&9; while :; do sleep 1000; done";
}

} // namespace

TEST_CASE("process_backend ends a cancelled child with TERM and answers both",
          "[actors][backend]") {
  sign_of_life sign;
  world w{endless(sign)};
  auto execute = w.ask(world::order(world::task()));
  sign.await_begin();
  auto cancel = w.ask(cancellation());
  auto outcome =
    world::outcome_in(w.answered<wire::Completed>(std::move(execute)));
  CHECK(outcome.error().kind() == wire::BACKEND_ERROR_KIND_CANCELLED);
  CHECK(outcome.error().text() == "killed by SIGTERM");
  CHECK(w.answered<wire::Quiet>(std::move(cancel)).submission() == 1);
}

TEST_CASE("process_backend kills a child that ignores TERM after the grace",
          "[actors][backend]") {
  sign_of_life sign;
  auto settings = world::shell(endless(sign, "trap '' TERM"));
  settings.grace = std::chrono::milliseconds{20};
  world w{settings};
  auto execute = w.ask(world::order(world::task()));
  sign.await_begin();
  auto cancel = w.ask(cancellation());
  auto outcome =
    world::outcome_in(w.answered<wire::Completed>(std::move(execute)));
  CHECK(outcome.error().kind() == wire::BACKEND_ERROR_KIND_CANCELLED);
  CHECK(outcome.error().text() == "killed by SIGKILL");
  w.answered<wire::Quiet>(std::move(cancel));
}

TEST_CASE("process_backend leaves the child alone if another try is cancelled",
          "[actors][backend]") {
  sign_of_life sign;
  world w{endless(sign, "trap 'echo told; exit 0' TERM")};
  auto execute = w.ask(world::order(world::task(), 2));
  sign.await_begin();
  CHECK(w.answered<wire::Quiet>(w.ask(cancellation(1))).submission() == 1);
  auto again = w.answered<wire::Completed>(
    w.ask(world::order(world::task(), 2))); // so it is still running
  CHECK(from_wire(again.failure()).value().code == errc::submission);
  auto cancel = w.ask(cancellation(2));
  w.answered<wire::Completed>(std::move(execute));
  w.answered<wire::Quiet>(std::move(cancel));
}

TEST_CASE("process_backend that is killed leaves no child and nobody waiting",
          "[actors][backend]") {
  sign_of_life sign;
  world w{endless(sign, "trap '' TERM")};
  auto execute = w.ask(world::order(world::task()));
  sign.await_begin();
  w.self->send_exit(w.backend, caf::exit_reason::kill);
  bool lost = false;
  std::move(execute).receive([](const wire::Completed&) {},
                             [&](const caf::error&) { lost = true; });
  CHECK(lost);
  CHECK(sign.await_end());
}

TEST_CASE("process_backend ends the child of a client that has gone",
          "[actors][backend]") {
  sign_of_life sign;
  world w{endless(sign)};
  {
    caf::scoped_actor client{w.system};
    mail(client, world::order(world::task())).send(w.backend);
    sign.await_begin();
  }
  CHECK(sign.await_end());
}

TEST_CASE("process_backend lets its child end when nobody holds it any more",
          "[actors][backend]") {
  for (int i = 0; i < 20; ++i) { // the handles go before or after the child
    sign_of_life sign;
    world w{"exec 9>'" + sign.path() + "'; echo here >&9"};
    mail(w.self, world::order(world::task())).send(w.backend);
    sign.await_begin();
    w.host.reset(); // the backend's is the last
    w.backend = nullptr;
    CHECK(sign.await_end());
  }
}
