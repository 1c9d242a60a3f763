#pragma once

#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

// Words for tests about the program as a process. Nothing here waits for time
// to pass: it waits for something to happen, and gives up when that takes
// absurdly long.
namespace program_tests {

inline constexpr int absurdly_long_ms = 60'000;

/// Milliseconds that are left of what is absurdly long.
class patience {
public:
  [[nodiscard]] int left() const {
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun_);
    return std::max(0, absurdly_long_ms - static_cast<int>(spent.count()));
  }

private:
  std::chrono::steady_clock::time_point begun_ =
    std::chrono::steady_clock::now();
};

/// Reads what is there. @returns whether more may follow
inline bool read_some(int fd, std::string& into) {
  std::array<char, 65536> buffer{};
  const auto count = read(fd, buffer.data(), buffer.size());
  if (count > 0)
    into.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

/// Returns all that is in a file.
inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream{file, std::ios::binary};
  REQUIRE(stream.good());
  return {std::istreambuf_iterator<char>{stream}, {}};
}

/// How a program ended.
struct ending {
  int code = -1; ///< Minus the signal's number if one ended it.
  std::string out;
  std::string err;
};

/// The program, running in a folder with these arguments. What it writes to
/// `out_file`, if there is one, cannot be read here.
class program {
public:
  program(const std::filesystem::path& folder, std::vector<std::string> words,
          const char* out_file = nullptr)
    : program(folder, TURNSTILE_PROGRAM, std::move(words), out_file) {}

  /// A shell that runs this script, in which `$turnstile` is the program.
  static program shell(const std::filesystem::path& folder,
                       const std::string& script) {
    return {folder,
            "/bin/bash",
            {"-c", "turnstile=$1; " + script, "bash", TURNSTILE_PROGRAM},
            nullptr};
  }

private:
  program(const std::filesystem::path& folder, const char* file,
          std::vector<std::string> words, const char* out_file) {
    words.insert(words.begin(), file);
    std::vector<char*> argv;
    for (auto& word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    int out[2];
    int err[2];
    REQUIRE((pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0));
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      if (out_file != nullptr)
        out[1] = open(out_file, O_WRONLY | O_CLOEXEC);
      const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (dup2(nothing, 0) == 0 && dup2(out[1], 1) == 1 && dup2(err[1], 2) == 2
          && chdir(folder.c_str()) == 0)
        execv(file, argv.data());
      _exit(127);
    }
    close(out[1]);
    close(err[1]);
    out_ = out[0];
    err_ = err[0];
    end_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  }

public:
  program(const program&) = delete;

  ~program() {
    for (int fd : {out_, err_, end_})
      close(fd);
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }

  /// The most memory that it has ever had, in bytes.
  [[nodiscard]] std::uint64_t peak_memory() const {
    std::ifstream status{"/proc/" + std::to_string(pid_) + "/status"};
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("VmHWM:"))
        return std::stoull(line.substr(6)) * 1024;
    return 0;
  }

  void signal(int number) const { REQUIRE(kill(pid_, number) == 0); }

  /// Kills it after this span, unless it has ended before.
  void kill_after(std::chrono::microseconds span) const {
    pollfd end{end_, POLLIN, 0};
    const timespec spell{span.count() / 1'000'000,
                         span.count() % 1'000'000 * 1000};
    if (ppoll(&end, 1, &spell, nullptr) == 0)
      signal(SIGKILL);
  }

  /// Waits for the next line that it writes.
  std::string line() { return next_line(out_, said_); }

  /// Likewise on its standard error, which `wait` then has the rest of.
  std::string error_line() { return next_line(err_, said_err_); }

  /// Waits until it has ended and nobody can write to its output any more.
  ending wait() {
    ending how;
    how.out = std::exchange(said_, {});
    how.err = std::exchange(said_err_, {});
    const patience enough;
    bool out_open = true;
    bool err_open = true;
    bool running = true;
    while (out_open || err_open || running) {
      pollfd fds[] = {{out_open ? out_ : -1, POLLIN, 0},
                      {err_open ? err_ : -1, POLLIN, 0},
                      {running ? end_ : -1, POLLIN, 0}};
      const auto news = poll(fds, 3, enough.left());
      if (news == 0)
        FAIL("turnstile " << (running ? "does not end"
                                      : "left a child that holds its output")
                          << "; it has said:\n"
                          << how.out << how.err);
      if (fds[0].revents != 0)
        out_open = read_some(out_, how.out);
      if (fds[1].revents != 0)
        err_open = read_some(err_, how.err);
      if (fds[2].revents != 0)
        running = false;
    }
    int status = 0;
    REQUIRE(waitpid(std::exchange(pid_, -1), &status, 0) > 0);
    how.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return how;
  }

private:
  static std::string next_line(int fd, std::string& said) {
    const patience enough;
    while (said.find('\n') == std::string::npos) {
      pollfd fds[] = {{fd, POLLIN, 0}};
      if (poll(fds, 1, enough.left()) == 0 || !read_some(fd, said))
        FAIL("turnstile says no more than: " << said);
    }
    const auto end = said.find('\n');
    auto first = said.substr(0, end);
    said.erase(0, end + 1);
    return first;
  }

  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  int end_ = -1;     ///< A pidfd.
  std::string said_; ///< Read already, and not given away.
  std::string said_err_;
};

/// A named pipe through which children say that they are there, and by closing
/// it, that they are gone. A child opens it with `exec 9>news`.
class news_pipe {
public:
  explicit news_pipe(const std::filesystem::path& folder) {
    const auto file = folder / "news";
    REQUIRE(mkfifo(file.c_str(), 0600) == 0);
    fd_ = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(fd_ >= 0);
  }

  news_pipe(const news_pipe&) = delete;
  ~news_pipe() { close(fd_); }

  /// Waits for the next line.
  std::string line() {
    while (heard_.find('\n') == std::string::npos)
      REQUIRE(wait());
    const auto end = heard_.find('\n');
    auto first = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return first;
  }

  /// Waits until every child that opened the pipe is gone, and returns what
  /// was not read yet.
  std::string rest() {
    while (wait())
      ;
    return std::exchange(heard_, {});
  }

private:
  bool wait() {
    pollfd fds[] = {{fd_, POLLIN, 0}};
    if (poll(fds, 1, patience{}.left()) == 0)
      FAIL("a child neither speaks nor ends; it said: " << heard_);
    return read_some(fd_, heard_);
  }

  int fd_ = -1;
  std::string heard_;
};

/// A folder with a plan in it, and the program to run that.
class plan_folder : public turnstile::config::scratch_folder {
public:
  explicit plan_folder(std::string_view plan) { write("plan.json", plan); }

  /// Runs `turnstile run plan.json` with these flags to its end.
  [[nodiscard]] ending run(std::vector<std::string> flags = {}) const {
    return program{path(), words(std::move(flags))}.wait();
  }

  /// The words of that command.
  static std::vector<std::string> words(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"run", "plan.json"});
    return flags;
  }
};

/// The runs that the journal in this folder lists.
inline nlohmann::ordered_json
runs_in_journal(const std::filesystem::path& folder) {
  const auto how = program{folder, {"list", "--json"}}.wait();
  REQUIRE(how.code == 0);
  return nlohmann::ordered_json::parse(how.out)["runs"];
}

/// The id of the only one.
inline std::string only_run_in_journal(const std::filesystem::path& folder) {
  const auto runs = runs_in_journal(folder);
  REQUIRE(runs.size() == 1);
  return runs[0]["run"].get<std::string>();
}

/// A plan with these tasks, whose backends are shells: `sh` takes its prompt
/// for a script, `cat` gives it back.
inline std::string shell_plan(std::string_view tasks,
                              std::string_view keys = "") {
  return "{" + std::string{keys} + R"(
  "retry": {"initial_backoff": "1ms"},
  "backends": {"sh": {"kind": "process", "command": ["sh", "-s"]},
               "cat": {"kind": "process", "command": ["cat"]}},
  "tasks": [)"
         + std::string{tasks} + "]}";
}

} // namespace program_tests
