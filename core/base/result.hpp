#pragma once

#include "core/base/error.hpp"

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace turnstile {

/// Either a value or the reason there is none.
template <class T>
using result = tl::expected<T, failure>;

/// Success without a value, or the reason it failed.
using status = result<void>;

/// Makes the failing half of any `result`: `return fail(errc::state, "why");`.
inline tl::unexpected<failure> fail(errc code, std::string detail) {
  return tl::unexpected<failure>{failure{code, std::move(detail)}};
}

/// Passes a failure on: `return fail(other.error());`.
inline tl::unexpected<failure> fail(failure why) {
  return tl::unexpected<failure>{std::move(why)};
}

} // namespace turnstile
