#pragma once

#include "core/base/hash.hpp"
#include "core/base/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace turnstile {

/// Works that wait at one gate, in the order in which they will pass: those
/// that return first, then one of each request, then the second of each, and
/// so on, so that a request with many does not keep the others waiting. Every
/// verb is O(log n).
///
/// Invariant: `places_` has exactly the works of `line_`, and `requests_` the
/// requests of those that do not return.
class gate_line {
public:
  /// Puts a work behind its siblings. @pre it is not here
  void join(const work_id& id);

  /// Puts a work that passed before, and waits to go on, before all that did
  /// not. @pre it is not here
  void join_returning(const work_id& id);

  /// Takes out whose turn it is, if anybody's.
  std::optional<work_id> take_next();

  /// Takes a work out wherever it stands. @returns whether it was here
  bool leave(const work_id& id);

  [[nodiscard]] bool empty() const noexcept { return line_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return line_.size(); }

private:
  struct place {
    std::uint64_t round = 0; ///< 0: it returns.
    std::uint64_t ticket = 0;
  };

  struct request_waits {
    std::uint64_t last_round = 0;
    std::size_t works = 0;
  };

  void put(const work_id& id, std::uint64_t round);

  std::set<std::tuple<std::uint64_t, std::uint64_t, work_id>> line_;
  std::unordered_map<work_id, place, id_hash> places_;
  std::unordered_map<request_id, request_waits, id_hash> requests_;
  std::uint64_t round_ = 1; ///< Of the work that was taken last.
  std::uint64_t tickets_ = 0;
};

} // namespace turnstile
