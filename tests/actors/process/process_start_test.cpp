#include "tests/actors/process/process_world.hpp"

#include <csignal>
#include <fcntl.h>

using namespace turnstile;
using namespace turnstile::test;

namespace {

// The lowest number that no open descriptor has.
int next_descriptor() {
  return unique_fd{::open("/dev/null", O_RDONLY | O_CLOEXEC)}.get();
}

} // namespace

TEST_CASE("process_host says why a program could not be started",
          "[actors][process]") {
  auto folder = temporary_folder{};
  folder.write("plain", "just text\n", false);
  folder.write("text", "no first line that names an interpreter\n", true);
  folder.write("lost", "#!/no/such/interpreter\n", true);
  auto [spec, problem,
        text] = GENERATE_COPY(table<process_spec, start_problem, std::string>({
    {command({"no-such-program"}), start_problem::no_such_program,
     "no such program \"no-such-program\": No such file or directory"},
    {command({"/no/such/program"}), start_problem::no_such_program,
     "no such program \"/no/such/program\": No such file or directory"},
    {command({"/etc/passwd/program"}), start_problem::no_such_program,
     "no such program \"/etc/passwd/program\": No such file or directory"},
    {command({"./plain"}), start_problem::not_executable,
     "not executable \"./plain\": Permission denied"},
    {command({"/"}), start_problem::not_executable,
     "not executable \"/\": Permission denied"},
    {command({"./text"}), start_problem::not_executable,
     "not executable \"./text\": Exec format error"},
    {command({"./lost"}), start_problem::not_executable,
     "not executable \"interpreter of ./lost\": No such file or directory"},
    {in_folder(command({"true"}), "/no/such/folder"), start_problem::no_workdir,
     "no such working directory \"/no/such/folder\": No such file or "
     "directory"},
    {in_folder(command({"true"}), "/etc/passwd"), start_problem::no_workdir,
     "no such working directory \"/etc/passwd\": Not a directory"},
    {command({"echo", std::string(3'000'000, 'x')}), start_problem::other,
     "cannot start \"echo\": Argument list too long"},
    {command({}), start_problem::invalid,
     "invalid process \"without a command\""},
    {command({"echo", std::string("a\0b", 3)}), start_problem::invalid,
     "invalid process \"argument with a NUL byte\""},
  }));
  if (spec.workdir.empty())
    spec.workdir = folder.path().string();
  auto world = process_world{};
  auto exit = world.run(spec);
  CHECK(exit.end == process_end::not_started);
  CHECK(exit.failure.problem == problem);
  CHECK(to_string(exit) == text);
  CHECK(exit.pid == 0);
}

TEST_CASE("process_host refuses a variable that no environment can hold",
          "[actors][process]") {
  auto name = GENERATE(as<std::string>{}, "", "A=B");
  auto spec = command({"true"});
  spec.environment[name] = "value";
  auto world = process_world{};
  CHECK(world.run(spec).failure.problem == start_problem::invalid);
}

TEST_CASE("process_host says when it is out of descriptors, and recovers",
          "[actors][process]") {
  if (sanitized)
    return;
  auto spare = GENERATE(0, 1, 3, 5, 7);
  CAPTURE(spare);
  auto world = process_world{};
  auto exit = [&] {
    auto limit = lowered_limit{RLIMIT_NOFILE,
                               static_cast<rlim_t>(next_descriptor() + spare)};
    return world.run(command({"true"}));
  }();
  CHECK(exit.failure.problem == start_problem::too_many_files);
  CHECK(to_string(exit).starts_with("too many open files \""));
  CHECK(to_string(world.run(command({"true"}))) == "exit code 0");
}

TEST_CASE("process_host says when the system refuses another process",
          "[actors][process]") {
  unique_fd out;
  auto pid = in_another_program(out, [](int fd) {
    // The limit does not bind root.
    if (::geteuid() == 0 && ::setuid(65534) != 0)
      ::_exit(1);
    auto host = process_host{};
    auto exit = std::promise<process_exit>{};
    auto limit = lowered_limit{RLIMIT_NPROC, 0};
    host.start(command({"/bin/true"}),
               {[&](process_exit told) { exit.set_value(told); }, {}});
    auto text = to_string(exit.get_future().get());
    if (::write(fd, text.data(), text.size()) < 0)
      ::_exit(2);
  });
  char text[256] = {};
  auto size = ::read(out.get(), text, sizeof text);
  int status = 0;
  ::waitpid(pid, &status, 0);
  REQUIRE(size > 0);
  CHECK(std::string(text, static_cast<std::size_t>(size))
        == "fork refused \"/bin/true\": Resource temporarily unavailable");
  CHECK(status == 0);
}

TEST_CASE("process_host looks for a program in the child's own PATH",
          "[actors][process]") {
  auto folder = temporary_folder{};
  std::filesystem::create_directory(folder.path() / "closed");
  std::filesystem::create_directory(folder.path() / "open");
  folder.write("closed/frob", "#!/bin/sh\necho closed\n", false);
  folder.write("open/frob", "#!/bin/sh\necho open\n", true);
  folder.write("frob", "#!/bin/sh\necho here\n", true);
  auto [path, output] = GENERATE(table<std::string, std::string>({
    {"/no/such:closed:/etc/passwd:open", "open\n"},
    {"open:", "open\n"},
    {":open", "here\n"},
    {"", "here\n"},
  }));
  CAPTURE(path);
  auto spec = in_folder(command({"frob"}), folder.path());
  spec.environment = {{"PATH", path}};
  auto world = process_world{};
  CHECK(world.run(spec).output == output);
}

TEST_CASE("a child sees exactly the environment it was given",
          "[actors][process]") {
  auto [environment, output] =
    GENERATE(table<process_environment, std::string>({
      {process_environment{}, ""},
      {process_environment{{"A", "1"}, {"EMPTY", ""}, {"LINES", "a\nb=c"}},
       "A=1\nEMPTY=\nLINES=a\nb=c\n"},
    }));
  auto spec = command({"/usr/bin/env"});
  spec.environment = environment;
  auto world = process_world{};
  CHECK(world.run(spec).output == output);
}

TEST_CASE("a child gets its arguments as they are, and starts in its workdir",
          "[actors][process]") {
  auto folder = temporary_folder{};
  auto world = process_world{};
  CHECK(world.run(command({"printf", "[%s]", "a b", "", "*", "$HOME"})).output
        == "[a b][][*][$HOME]");
  auto here = std::filesystem::canonical(folder.path()).string();
  CHECK(world.run(in_folder(command({"/bin/pwd"}), here)).output
        == here + "\n");
}

TEST_CASE("a child inherits no descriptor of ours", "[actors][process]") {
  // Also not one that somebody opened carelessly.
  auto careless = unique_fd{::open("/dev/null", O_RDONLY)};
  auto world = process_world{};
  auto other = world.start(command({"sleep", "1000"}));
  await(other.pid);
  // The fourth is the folder that ls itself reads.
  CHECK(world.run(command({"ls", "/proc/self/fd"})).output == "0\n1\n2\n3\n");
  CHECK(world.run(shell("readlink /proc/$$/fd/3 || echo none")).output
        == "none\n");
}

TEST_CASE("a child leads a group and a session of its own",
          "[actors][process]") {
  auto world = process_world{};
  auto exit =
    world.run(command({"cut", "-d", " ", "-f", "1,5,6", "/proc/self/stat"}));
  auto pid = std::to_string(exit.pid);
  CHECK(exit.output == pid + " " + pid + " " + pid + "\n");
}

TEST_CASE("a child has no signal blocked or ignored, whatever we do",
          "[actors][process]") {
  auto before = std::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked;
  sigset_t mask_before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &mask_before);
  auto world = process_world{};
  auto exit =
    world.run(command({"grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"}));
  ::pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
  std::signal(SIGPIPE, before);
  CHECK(exit.output
        == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}
