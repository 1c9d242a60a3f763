#pragma once

#include "actors/caf/version.hpp"

#include <caf/result.hpp>
#include <caf/typed_actor.hpp>

#if TURNSTILE_OLD_CAF
#include <caf/deduce_mpi.hpp>
#endif

namespace turnstile {

/// A handle to an actor that understands exactly these sentences, each written
/// as `caf::result<Out...>(In...)`.
#if TURNSTILE_OLD_CAF
template <class... Sentences>
using typed_actor =
  caf::typed_actor<typename caf::detail::dmi<Sentences>::type...>;
#else
template <class... Sentences>
using typed_actor = caf::typed_actor<Sentences...>;
#endif

} // namespace turnstile
