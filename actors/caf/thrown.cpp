#include "actors/caf/thrown.hpp"

#include "actors/caf/error.hpp"

#include <cstdio>
#include <string>

namespace turnstile::detail {

namespace {

std::string text_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "something that is no exception";
  }
}

} // namespace

caf::error last_words(const char* actor, const std::exception_ptr& thrown) {
  auto text = text_of(thrown);
  std::fprintf(stderr, "actor_threw actor=%s what=\"%s\"\n", actor,
               text.c_str());
  return to_error({errc::backend_lost, std::string{actor} + " threw: " + text});
}

} // namespace turnstile::detail
