#pragma once

#include "core/attempt/backend_gate.hpp"
#include "core/attempt/gate_line.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// The gates of a scheduler's backends, by name, and who waits at each. A name
/// without a backend holds nobody up: whoever passes there hears so at once.
class gates {
public:
  using pass = backend_gate::pass;

  /// What is to be seen of one gate.
  struct view {
    std::uint64_t passed = 0;
    std::uint64_t waiting = 0;
    bool rests = false;
    std::optional<instant> opens_at;
    std::optional<std::uint64_t> concurrency; ///< How many may be through.
  };

  /// A backend stands there from now on.
  void open(const std::string& name, const gate_policy& policy);

  /// There is none any more.
  void give_up(const std::string& name);

  /// Lets a work pass that nobody waits before, or nothing if it must wait.
  std::optional<pass> enter(const std::string& name, instant now);

  /// Puts a work into the line; one that `returns` passed before.
  void wait(const std::string& name, const work_id& id, bool returns);

  /// Takes a work out of the line. Does nothing if it is not there.
  void leave_line(const std::string& name, const work_id& id);

  /// Somebody comes back; with news if it saw anything of the backend.
  /// @returns the gate before and after
  std::pair<view, view> come_back(const std::string& name, const pass& which,
                                  const std::optional<backend_news>& news,
                                  instant now);

  /// Takes out of the lines who may pass now.
  std::vector<std::pair<work_id, pass>> let_pass(instant now);

  /// When time will let somebody pass who waits.
  [[nodiscard]] std::optional<instant> opens_at(instant now) const;

  [[nodiscard]] view look(const std::string& name, instant now) const;

private:
  struct one {
    backend_gate gate;
    gate_line line;
    bool given_up = true;

    [[nodiscard]] view look(instant now) const;

    [[nodiscard]] bool is_open(instant now) const {
      return given_up || gate.is_open(now);
    }
  };

  std::map<std::string, one> gates_;
};

} // namespace turnstile
