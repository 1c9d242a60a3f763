#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace turnstile::conformance {

class world;

/// Runs the operations of one script against one scheduler at a time. The
/// protocol is in README.md beside this file.
class harness {
public:
  harness();
  ~harness();
  harness(const harness&) = delete;
  harness& operator=(const harness&) = delete;

  /// Returns the answer to one line, or nothing for blank lines and comments.
  std::optional<std::string> run(std::string_view line);

private:
  std::unique_ptr<world> world_;
};

} // namespace turnstile::conformance
