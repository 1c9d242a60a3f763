#pragma once

#include "core/base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace turnstile {

/// In which way a backend failed an attempt. A retry policy looks at nothing
/// else. The numbers travel between nodes and live in journals: never renumber
/// one and never reuse a retired one.
enum class backend_error_kind : std::uint8_t {
  spawn = 1,      ///< It did not start, or went away by itself. Retryable.
  timeout = 2,    ///< It took too long. Retryable.
  protocol = 3,   ///< It broke the conversation's rules.
  connection = 4, ///< It could not be reached, or hung up.
  cancelled = 5,  ///< Somebody asked it to stop, and it did.
  config = 6,     ///< The way it is set up cannot work.
  io = 7,         ///< Reading or writing failed on our side.
  parse = 8,      ///< Its answer could not be read.
  execution = 9,  ///< It ran, and says that the work failed.
  other = 10,     ///< None of the above.
};

/// Returns the kind's name as written above, or `"unknown_kind"` for a number
/// that only a newer peer knows.
std::string_view to_string(backend_error_kind kind) noexcept;

/// Returns the kind of this name, or nothing if there is none.
std::optional<backend_error_kind>
backend_error_kind_from_string(std::string_view name) noexcept;

/// Whether the same attempt may succeed when it is made again.
bool retryable(backend_error_kind kind) noexcept;

/// Why one attempt on a backend failed.
struct backend_error {
  backend_error_kind kind = backend_error_kind::other;
  std::string text; ///< For people. Not shown for `cancelled`.

  /// The backend wants no call for so long.
  std::optional<duration> wanted_pause{};

  [[nodiscard]] bool retryable() const noexcept {
    return turnstile::retryable(kind);
  }

  friend bool operator==(const backend_error&, const backend_error&) = default;
};

/// Renders as `"spawn failed: no such program"`; each kind has its own form.
std::string to_string(const backend_error& error);

} // namespace turnstile
