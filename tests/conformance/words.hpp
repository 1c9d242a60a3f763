#pragma once

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "tests/conformance/harness_program.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace turnstile::conformance {

/// A line that does not follow the protocol; `what()` says why.
struct malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Names a work as a script does: its newest life is meant.
using work_key = std::pair<request_id, std::uint64_t>;

/// The words of one line, taken one by one and checked as they are. An op takes
/// all its words and then calls `end()`, before it acts: so a malformed line
/// changes nothing.
class words {
public:
  explicit words(std::string_view line);

  [[nodiscard]] bool empty() const { return next_ >= all_.size(); }

  /// Whether the next word is this one; takes it if so.
  bool take_if(std::string_view word);

  const std::string& take(const char* what);
  std::uint64_t number(const char* what); ///< `max` is the greatest.
  std::int64_t signed_number(const char* what);
  bool flag(const char* what); ///< 0 or 1
  request_id request() { return {number("request")}; }
  instant time();
  std::optional<instant> deadline(); ///< `-` is none.
  work_key work_id();
  harness_work work();
  std::string rest();

  /// Says that no word may be left.
  void end();
  [[nodiscard]] bool ended() const { return ended_; }

private:
  std::vector<std::string> all_;
  std::size_t next_ = 0;
  bool ended_ = false;
};

} // namespace turnstile::conformance
