#pragma once

#include "core/turn/guarded.hpp"

#include <spdlog/spdlog.h>

namespace turnstile {

/// Calls a program's hook that nothing depends on. If it throws, that is
/// logged.
template <class Hook>
void heed(const char* name, Hook hook) {
  auto done = caught(errc::state, name, [&]() -> status {
    hook();
    return {};
  });
  if (!done)
    spdlog::error("hook_failed reason=\"{}\"", done.error().detail);
}

} // namespace turnstile
