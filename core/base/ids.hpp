#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace turnstile {

/// Names a request. Chosen by the caller; zero is valid; unique among the
/// requests that are active or still remembered as ended.
struct request_id {
  std::uint64_t value = 0;
  friend auto operator<=>(const request_id&, const request_id&) = default;
};

/// Names one transition of one life of a request.
///
/// The scheduler numbers the transitions of a life 0, 1, 2, ... in the order
/// in which it accepted them. When a request's identity is freed and used
/// again, the new registration is a new life with a greater number, so no
/// work id is ever used twice and a late completion cannot hit a stranger.
struct work_id {
  request_id request;
  std::uint64_t sequence = 0;
  std::uint64_t life = 0;
  friend auto operator<=>(const work_id&, const work_id&) = default;
};

/// Renders `id` as `"7"`.
inline std::string to_string(request_id id) {
  return std::to_string(id.value);
}

/// Renders `id` as `"7/2"`: request 7, third transition. The life is left out,
/// since a reader nearly always means the newest.
inline std::string to_string(const work_id& id) {
  return to_string(id.request) + '/' + std::to_string(id.sequence);
}

} // namespace turnstile
