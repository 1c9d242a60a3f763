#pragma once

#include "actors/testing/store_around.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace journal_tests {

using namespace turnstile;

/// A file whose disk does what the test says.
class moody_store : public testing::store_around {
public:
  moody_store(std::unique_ptr<journal_store> below,
              std::shared_ptr<std::optional<failure>> mood)
    : store_around(std::move(below)), mood_(std::move(mood)) {}

  status commit() override {
    if (*mood_)
      return fail(**mood_);
    return store_around::commit();
  }

  /// Looks into the file, unless it has what it needs in memory.
  status append(const wire::AppendFacts& facts) override {
    if (*mood_ && (*mood_)->detail == "cannot read")
      return fail(**mood_);
    return store_around::append(facts);
  }

  status answer(std::uint64_t command,
                const wire::CommandAnswer& answer) override {
    if (*mood_)
      return fail(**mood_);
    return store_around::answer(command, answer);
  }

private:
  std::shared_ptr<std::optional<failure>> mood_;
};

} // namespace journal_tests
