#pragma once

#include "actors/process/unique_fd.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace turnstile {

/// The file beside a journal, by which processes see who owns it.
///
/// Each owner has an epoch, and locks the byte of its epoch for as long as it
/// lives: the kernel lets go of it however the process ends, so that a journal
/// whose owner was killed can be taken over at once. An owner that lives but
/// was stopped loses the journal when its lease is over; its epoch then fences
/// it (see `journal_file`).
///
/// The file also holds how many facts were acknowledged. That is written after
/// each sync and not synced itself: it survives the end of the process, though
/// not of the machine, and shows if something that was told is missing.
///
///     byte 0..7    facts acknowledged, little endian
///     byte 8..15   the same, inverted
///     byte 2^40+e  locked by the owner of epoch e
class ownership_file {
public:
  /// Opens it, or makes it.
  static result<ownership_file> beside(const std::string& journal);

  /// Opens it to look only, if it is there and may be read.
  static std::optional<ownership_file> look_at(const std::string& journal);

  /// Whether a process holds the lock of that epoch.
  [[nodiscard]] bool is_held(std::uint64_t epoch) const;

  /// Whether a process holds the lock of any epoch.
  [[nodiscard]] bool is_held() const;

  /// Locks an epoch for this process. Fails if somebody has it.
  status hold(std::uint64_t epoch);

  void acknowledge(std::uint64_t facts) noexcept;
  [[nodiscard]] std::optional<std::uint64_t> acknowledged() const noexcept;

private:
  ownership_file(std::string path, unique_fd file)
    : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  unique_fd file_;
};

/// Names the running system, so that a time since its start means something.
std::string machine_id();

/// Nanoseconds since the machine started, also while it slept.
std::int64_t machine_time();

} // namespace turnstile
