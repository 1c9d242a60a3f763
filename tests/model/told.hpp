#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace turnstile::model {

using lines = std::vector<std::string>;

/// What one verb answered, each row as a line of text. The core's outcomes and
/// the model's are both written like this, so that they can be compared and a
/// failure shows both.
struct told {
  std::string said; ///< "ok", "refused capacity", an identity, a state, ...
  std::uint64_t prepared = 0;
  lines submitted;
  lines resumed;
  lines committed;
  lines failed;
  lines dropped;
  lines abandoned;
  lines requeued;
  lines overdue;
  lines ended;
  lines facts;
  std::string wake; ///< Instant of the next wake, or nothing.
  bool poisoned = false;
  int waiting = 0;
  std::string calls; ///< Into the user's values, in order.

  friend bool operator==(const told&, const told&) = default;

  [[nodiscard]] std::string text() const {
    auto out = said + '\n';
    auto list = [&](const char* name, const lines& rows) {
      for (const auto& row : rows)
        out.append("  ").append(name).append(" ").append(row).append("\n");
    };
    if (prepared > 0)
      out.append("  prepared ").append(std::to_string(prepared)).append("\n");
    list("submitted", submitted);
    list("resumed", resumed);
    list("committed", committed);
    list("failed", failed);
    list("dropped", dropped);
    list("abandoned", abandoned);
    list("requeued", requeued);
    list("overdue", overdue);
    list("ended", ended);
    list("fact", facts);
    if (!wake.empty())
      out.append("  wake ").append(wake).append("\n");
    if (poisoned)
      out.append("  poisoned\n");
    if (waiting != 0)
      out.append("  waiting ").append(std::to_string(waiting)).append("\n");
    return out.append(calls);
  }
};

} // namespace turnstile::model
