#pragma once

#include "core/base/check.hpp"

#include <stdexcept>
#include <string>

namespace turnstile {

/// What a broken invariant throws while a `checks_throw` lives.
struct broken_invariant : std::logic_error {
  using std::logic_error::logic_error;
};

/// Makes broken invariants throw instead of abort, for as long as it lives.
class checks_throw {
public:
  checks_throw() = default;
  checks_throw(const checks_throw&) = delete;
  checks_throw& operator=(const checks_throw&) = delete;
  ~checks_throw() { set_check_handler(before_); }

private:
  static void throw_it(std::string_view condition, std::string_view, int) {
    throw broken_invariant{std::string{condition}};
  }

  check_handler before_ = set_check_handler(throw_it);
};

} // namespace turnstile
