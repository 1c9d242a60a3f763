#pragma once

#include "tests/program/program.hpp"

#include <cstdlib>
#include <pty.h>
#include <string>
#include <sys/ioctl.h>

namespace program_tests {

/// Runs the program on a terminal of so many columns, to its end; all three
/// streams are that terminal. `environment` is set for it, `NAME=VALUE` each.
inline ending run_on_terminal(const std::filesystem::path& folder,
                              std::vector<std::string> words,
                              unsigned short columns,
                              std::vector<std::string> environment) {
  words.insert(words.begin(), TURNSTILE_PROGRAM);
  std::vector<char*> argv;
  for (auto& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  winsize size{24, columns, 0, 0};
  int terminal = -1;
  const auto pid = forkpty(&terminal, nullptr, nullptr, &size);
  REQUIRE(pid >= 0);
  if (pid == 0) {
    unsetenv("NO_COLOR");
    for (auto& one : environment)
      putenv(one.data());
    if (chdir(folder.c_str()) == 0)
      execv(TURNSTILE_PROGRAM, argv.data());
    _exit(127);
  }
  ending how;
  const patience enough;
  pollfd news{terminal, POLLIN, 0};
  do
    if (poll(&news, 1, enough.left()) == 0) {
      kill(pid, SIGKILL);
      FAIL("turnstile does not end; it has said:\n" << how.out);
    }
  while (read_some(terminal, how.out)); // EIO, once nobody has it open
  close(terminal);
  int status = 0;
  REQUIRE(waitpid(pid, &status, 0) == pid);
  how.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return how;
}

} // namespace program_tests
