#include "actors/node/print.hpp"

#include "actors/node/exit_code.hpp"
#include "actors/node/standard_streams.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace turnstile::node {

bool print(const std::string& text) {
  if (write_whole(STDOUT_FILENO, text))
    return true;
  say(std::string{"cannot write the results: "} + std::strerror(errno));
  return false;
}

int complain(const failure& why) {
  say(why.detail);
  return exit_code(why);
}

void say(const std::string& sentence) {
  write_whole(STDERR_FILENO, "turnstile: " + sentence + "\n");
}

} // namespace turnstile::node
