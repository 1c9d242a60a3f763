#include "actors/process/keeper_image.hpp"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

// The file is made before this one is compiled; see actors/CMakeLists.txt.
asm(".section .rodata\n"
    ".balign 16\n"
    "turnstile_keeper_image: .incbin \"" TURNSTILE_KEEPER_FILE "\"\n"
    "turnstile_keeper_image_end:\n"
    ".previous\n");

extern "C" const char turnstile_keeper_image[];
extern "C" const char turnstile_keeper_image_end[];

namespace turnstile {

namespace {

[[noreturn]] void give_up(const char* what) {
  throw std::system_error{errno, std::generic_category(), what};
}

} // namespace

unique_fd open_keeper_image() {
  auto made = unique_fd{::memfd_create("turnstile-keeper", MFD_CLOEXEC)};
  auto file = unique_fd{
    made ? ::fcntl(made.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1};
  if (!file)
    give_up("memfd_create");
  auto rest = std::string_view{
    turnstile_keeper_image, static_cast<std::size_t>(turnstile_keeper_image_end
                                                     - turnstile_keeper_image)};
  while (!rest.empty()) {
    auto put = ::write(file.get(), rest.data(), rest.size());
    if (put < 0 && errno != EINTR)
      give_up("write of the keeper");
    rest.remove_prefix(put < 0 ? 0 : static_cast<std::size_t>(put));
  }
  return file;
}

} // namespace turnstile
