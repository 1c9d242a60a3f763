#pragma once

#include "core/base/error.hpp"
#include "core/base/ids.hpp"
#include "core/work/lifecycle.hpp"

#include <cstdint>
#include <optional>
#include <string>

// How the core's values and the model's are written down to be compared.
namespace turnstile::model {

inline std::string text(const work_id& id) {
  return to_string(id) + '@' + std::to_string(id.life);
}

inline std::string text(request_id id, std::uint64_t life) {
  return to_string(id) + '@' + std::to_string(life);
}

inline std::string refusal(errc code) {
  return "refused " + std::string{to_string(code)};
}

inline std::string committed_line(const work_id& id, std::uint32_t payload,
                                  std::optional<std::size_t> output,
                                  std::optional<std::uint32_t> outcome,
                                  bool late) {
  return text(id) + " payload " + std::to_string(payload) + " output "
         + (output ? std::to_string(*output) : "-") + " outcome "
         + (outcome ? std::to_string(*outcome) : "-") + (late ? " late" : "");
}

inline std::string failed_line(const work_id& id, errc why,
                               std::uint32_t payload) {
  return text(id) + ' ' + std::string{to_string(why)} + " payload "
         + std::to_string(payload);
}

inline std::string dropped_line(const work_id& id, const std::string& reason,
                                work_lifecycle last, std::uint32_t payload) {
  return text(id) + ' ' + reason + ' ' + std::string{to_string(last)}
         + " payload " + std::to_string(payload);
}

inline std::string ended_line(request_id id, std::uint64_t life,
                              request_status how, std::optional<errc> why) {
  return text(id, life) + ' ' + std::string{to_string(how)} + ' '
         + (why ? std::string{to_string(*why)} : "-");
}

inline std::string fact_line(std::uint64_t position, request_id id,
                             std::uint64_t life,
                             std::optional<std::uint64_t> sequence,
                             work_lifecycle last, request_status how) {
  return std::to_string(position) + ' ' + text(id, life)
         + (sequence ? " work " + std::to_string(*sequence) + ' '
                         + std::string{to_string(last)}
                     : ' ' + std::string{to_string(how)});
}

/// One letter per lifecycle, a dot for nothing.
inline char letter(std::optional<work_lifecycle> lifecycle) {
  return lifecycle ? "?qpsxcaf"[static_cast<int>(*lifecycle)] : '.';
}

} // namespace turnstile::model
