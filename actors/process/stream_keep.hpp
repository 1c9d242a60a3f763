#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace turnstile {

/// The first bytes of a stream, and the count of all.
///
/// Invariant: at most `limit` bytes are kept, and none that came after one
/// that was not.
class stream_head {
public:
  explicit stream_head(std::size_t limit) : limit_(limit) {}

  void take(std::string_view bytes) {
    seen_ += bytes.size();
    kept_ += bytes.substr(0, limit_ - kept_.size());
  }

  [[nodiscard]] std::uint64_t seen() const noexcept { return seen_; }

  /// Hands over the kept bytes. Call it once, at the end.
  [[nodiscard]] std::string finish() { return std::move(kept_); }

private:
  std::size_t limit_;
  std::string kept_;
  std::uint64_t seen_ = 0;
};

/// The last bytes of a stream, and the count of all.
///
/// Invariant: at most `2 * limit` bytes are held, so that old ones are moved
/// out once per `limit` bytes and not once per `take`.
class stream_tail {
public:
  explicit stream_tail(std::size_t limit) : limit_(limit) {}

  void take(std::string_view bytes) {
    seen_ += bytes.size();
    if (bytes.size() > limit_)
      bytes.remove_prefix(bytes.size() - limit_);
    if (held_.size() + bytes.size() > 2 * limit_)
      trim();
    held_ += bytes;
  }

  [[nodiscard]] std::uint64_t seen() const noexcept { return seen_; }

  /// Hands over the kept bytes. Call it once, at the end.
  [[nodiscard]] std::string finish() {
    trim();
    return std::move(held_);
  }

private:
  void trim() {
    if (held_.size() > limit_)
      held_.erase(0, held_.size() - limit_);
  }

  std::size_t limit_;
  std::string held_;
  std::uint64_t seen_ = 0;
};

} // namespace turnstile
