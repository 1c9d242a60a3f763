#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace turnstile {

/// How much one backend is given to do, and how it is treated while it fails
/// to start.
struct gate_policy {
  /// Attempts that may run at the same time; nothing: any number.
  std::optional<std::uint64_t> concurrency;

  /// So many starts that fail in a row send the backend to rest; 0: none do.
  /// The default is more than one task alone tries.
  std::uint32_t rest_after = 10;
  duration first_rest = std::chrono::seconds{1};
  double multiplier = 2.0; ///< Of the rest, each time the probe fails.
  duration max_rest = std::chrono::seconds{30};

  bool closed = false; ///< Nothing passes for now.

  friend bool operator==(const gate_policy&, const gate_policy&) = default;
};

/// Returns `policy` unchanged, or says which field is senseless.
result<gate_policy> validate(const gate_policy& policy);

/// What an attempt shows of its backend.
struct backend_news {
  bool failed_to_start = false;

  /// The backend wants no call for so long, whoever's it is.
  std::optional<duration> retry_after;
};

/// Who may pass to one backend: `concurrency` attempts at a time, nobody before
/// an instant that the backend has asked for, and nobody while it rests since
/// it keeps failing to start. After the rest one attempt passes as a probe; if
/// it fails to start, too, the next rest is longer, and if it does anything
/// else, the gate is open again.
///
/// Invariant: `passed()` attempts are through and not back, at most as many as
/// the policy says, and at most one of them is the probe.
class backend_gate {
public:
  /// A pass through the gate, which is to be given back.
  struct pass {
    std::uint64_t season = 0; ///< Rests that had begun before.
    bool probe = false;
  };

  /// @pre `policy` is valid
  explicit backend_gate(const gate_policy& policy = {}) : policy_(policy) {}

  /// Another backend stands behind the gate from now on: of that one nothing
  /// is known. What is through stays so.
  void renew(const gate_policy& policy);

  [[nodiscard]] bool is_open(instant now) const;

  /// @pre it is open
  pass enter();

  /// Somebody comes back who saw nothing of the backend.
  void leave(const pass& which);

  /// Somebody comes back and tells how it went. News from before a rest began
  /// do not end it.
  void leave(const pass& which, const backend_news& news, instant now);

  /// When time will open it; nothing if it is open, or if it waits for
  /// somebody to come back.
  [[nodiscard]] std::optional<instant> opens_at(instant now) const;

  [[nodiscard]] std::uint64_t passed() const noexcept { return passed_; }
  [[nodiscard]] const gate_policy& policy() const noexcept { return policy_; }

  /// Whether the backend rests, or its probe is out.
  [[nodiscard]] bool rests() const noexcept { return rest_ > duration::zero(); }

private:
  [[nodiscard]] bool is_full() const;
  void note_failed_start(const pass& which, instant now);

  gate_policy policy_;
  std::uint64_t passed_ = 0;
  std::uint32_t failed_starts_ = 0; ///< In a row.
  std::uint64_t season_ = 0;
  duration rest_{}; ///< The present one's length; zero: none.
  std::optional<instant> closed_until_;
  bool probe_is_out_ = false;
};

} // namespace turnstile
