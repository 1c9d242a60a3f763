#pragma once

#include "actors/backend.hpp"
#include "actors/interfaces.hpp"
#include "core/base/hash.hpp"
#include "core/base/ids.hpp"
#include "core/base/result.hpp"
#include "core/turn/turns.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace turnstile {

/// What the backend of one rank executes, and how it ends: each submission
/// exactly once, by the backend's answer or by its death.
class rank_flights {
public:
  /// The backend's outcome, serialised, or why there is none. Valid during the
  /// call only.
  using ending = result<std::string_view>;
  using on_end =
    std::function<void(const work_id&, std::uint32_t submission, ending)>;

  rank_flights(rank_actor::pointer self, backend_actor backend, on_end ended);

  /// Hands a submission to the backend; `backend_lost` if it is gone.
  status start(const submission& what, std::string payload, instant now);

  /// Asks the backend to stop a submission; its end is told when it has.
  void stop(const work_id& id);

private:
  void end(const work_id& id, std::uint32_t submission, ending how);
  void lose(const caf::error& why);

  rank_actor::pointer self_;
  backend_actor backend_;
  on_end ended_;
  std::unordered_map<work_id, std::uint32_t, id_hash> running_;
  bool is_lost_ = false;
};

} // namespace turnstile
