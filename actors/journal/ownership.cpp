#include "actors/journal/ownership.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace turnstile {

namespace {

struct flock lock_of(std::uint64_t epoch) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = (off_t{1} << 40) + static_cast<off_t>(epoch);
  lock.l_len = 1;
  return lock;
}

bool somebody_has(const unique_fd& file, struct flock lock) {
  return ::fcntl(file.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

std::string error_text() {
  return std::generic_category().message(errno);
}

} // namespace

result<ownership_file> ownership_file::beside(const std::string& journal) {
  auto path = journal + "-owner";
  unique_fd file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
  if (!file)
    return fail(errc::storage_failed, path + ": " + error_text());
  return ownership_file{std::move(path), std::move(file)};
}

std::optional<ownership_file>
ownership_file::look_at(const std::string& journal) {
  auto path = journal + "-owner";
  unique_fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file)
    return std::nullopt;
  return ownership_file{std::move(path), std::move(file)};
}

bool ownership_file::is_held(std::uint64_t epoch) const {
  return somebody_has(file_, lock_of(epoch));
}

bool ownership_file::is_held() const {
  auto all = lock_of(0);
  all.l_len = 0; // to the end, wherever that is
  return somebody_has(file_, all);
}

status ownership_file::hold(std::uint64_t epoch) {
  auto lock = lock_of(epoch);
  if (::fcntl(file_.get(), F_OFD_SETLK, &lock) == 0)
    return {};
  if (errno == EAGAIN || errno == EACCES)
    return fail(errc::journal_owned, path_ + ": another process has it");
  return fail(errc::storage_failed,
              path_ + ": it cannot be locked: " + error_text());
}

void ownership_file::acknowledge(std::uint64_t facts) noexcept {
  const std::array<std::uint64_t, 2> both{facts, ~facts};
  // Should it fail, less is known after a crash; nothing is lost.
  [[maybe_unused]] const auto written =
    ::pwrite(file_.get(), both.data(), sizeof both, 0);
}

std::optional<std::uint64_t> ownership_file::acknowledged() const noexcept {
  std::array<std::uint64_t, 2> both{};
  if (::pread(file_.get(), both.data(), sizeof both, 0)
        != static_cast<ssize_t>(sizeof both)
      || both[0] != ~both[1])
    return std::nullopt;
  return both[0];
}

std::string machine_id() {
  std::string id;
  std::ifstream{"/proc/sys/kernel/random/boot_id"} >> id;
  return id;
}

std::int64_t machine_time() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

} // namespace turnstile
