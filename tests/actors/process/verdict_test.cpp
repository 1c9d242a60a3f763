#include "actors/process/verdict.hpp"

#include "tests/catch.hpp"

#include <csignal>
#include <system_error>

using namespace turnstile;

namespace {

process_exit exited(int code, std::string log = {}) {
  auto exit = process_exit{};
  exit.end = process_end::exited;
  exit.code = code;
  exit.log = std::move(log);
  return exit;
}

process_exit signalled(int signal) {
  auto exit = process_exit{};
  exit.end = process_end::signalled;
  exit.signal = signal;
  return exit;
}

process_exit not_started(start_problem problem, std::errc error) {
  auto exit = process_exit{};
  exit.failure = {problem, std::make_error_code(error), "frob"};
  return exit;
}

process_exit stopped(process_exit exit) {
  exit.stopped = true;
  return exit;
}

std::string repeated(const std::string& text, int times) {
  auto out = std::string{};
  for (int i = 0; i < times; ++i)
    out += text;
  return out;
}

std::string render(const std::optional<backend_error>& error) {
  if (!error)
    return "ok";
  return std::string{to_string(error->kind)} + ": " + error->text;
}

} // namespace

TEST_CASE("verdict says what a child's end means for its attempt",
          "[actors][process]") {
  auto lost = process_exit{};
  lost.end = process_end::lost;
  auto [exit, meaning] = GENERATE_COPY(table<process_exit, std::string>({
    {exited(0, "warning\n"), "ok"},
    {exited(75), "spawn: exit code 75"},
    {exited(75, "busy\n"), "spawn: exit code 75: busy"},
    {exited(1), "execution: exit code 1"},
    {exited(127, "sh: frob: not found\n"),
     "execution: exit code 127: sh: frob: not found"},
    {signalled(SIGSEGV), "spawn: killed by SIGSEGV"},
    {signalled(SIGKILL), "spawn: killed by SIGKILL"},
    {not_started(start_problem::no_such_program,
                 std::errc::no_such_file_or_directory),
     "spawn: no such program \"frob\": No such file or directory"},
    {not_started(start_problem::invalid, {}),
     "config: invalid process \"frob\""},
    {stopped(signalled(SIGTERM)), "cancelled: killed by SIGTERM"},
    {stopped(exited(0)), "cancelled: exit code 0"},
    {lost, "other: its exit was lost"},
  }));
  CHECK(render(verdict(exit)) == meaning);
}

TEST_CASE("verdict quotes the last lines of the log, and not too much of it",
          "[actors][process]") {
  auto [log, quoted] = GENERATE(table<std::string, std::string>({
    {"1\n2\n3\n4\n5\n6\n7\n", "3\n4\n5\n6\n7"},
    {"1\n2\n3\n4\n5\n6", "2\n3\n4\n5\n6"},
    {"\n\n\n\n\n\nlast\n\n", "\n\n\n\nlast"},
    {std::string(2000, 'x'), std::string(1000, 'x')},
    {repeated("\xC3\xA9", 500) + "z", repeated("\xC3\xA9", 499) + "z"},
    {"bad \xFF byte", "bad \xEF\xBF\xBD byte"},
  }));
  CAPTURE(log);
  auto error = verdict(exited(3, log));
  REQUIRE(error);
  CHECK(error->text == "exit code 3: " + quoted);
}

TEST_CASE("signal_name knows the usual, the real-time and the impossible",
          "[actors][process]") {
  CHECK(signal_name(SIGTERM) == "SIGTERM");
  CHECK(signal_name(SIGABRT) == "SIGABRT");
  CHECK(signal_name(SIGRTMIN + 3) == "SIGRTMIN+3");
  CHECK(signal_name(999) == "signal 999");
}
