#pragma once

#include "core/work/ledger.hpp"

namespace turnstile {

/// What a place means for the counts of the request.
struct place_traits {
  bool branch = false;    ///< Its branch may still be published.
  bool slot = false;      ///< It holds a slot or is next to.
  bool submitted = false; ///< It was submitted and has not ended.
  bool waits = false;     ///< For an earlier sibling's commit.
};

place_traits traits_of(work_place place) noexcept;

} // namespace turnstile
