#include "tests/conformance/harness.hpp"

#include "core/base/check.hpp"
#include "tests/conformance/ops.hpp"
#include "tests/conformance/words.hpp"
#include "tests/conformance/world.hpp"

namespace turnstile::conformance {

namespace {

op find_op(const std::string& name) {
  for (auto* table : {request_ops, work_ops, turn_ops, look_ops})
    if (auto found = table().find(name); found != table().end())
      return found->second;
  throw malformed{"unknown op " + name};
}

} // namespace

harness::harness() : world_(std::make_unique<world>()) {}
harness::~harness() = default;

std::optional<std::string> harness::run(std::string_view line) {
  words in{line};
  if (in.empty())
    return std::nullopt;
  const auto name = in.take("op");
  if (name.front() == '#')
    return std::nullopt;
  try {
    auto answer = find_op(name)(*world_, in);
    TURNSTILE_CHECK(in.ended()); // An op looks at its whole line first.
    world_->under_test().audit();
    return answer;
  } catch (const malformed& why) {
    return std::string{"bad "} + why.what();
  }
}

} // namespace turnstile::conformance
