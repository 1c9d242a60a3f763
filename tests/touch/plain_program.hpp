#pragma once

#include "core/turn/scheduler.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace turnstile::touch_test {

struct plain_work {
  std::uint32_t payload = 0;

  status encode_descriptor(std::vector<std::uint32_t>& words) const {
    words.push_back(payload);
    return {};
  }
};

struct plain_state {
  using branch_type = std::uint64_t;

  std::uint64_t value = 0;

  [[nodiscard]] result<branch_type> branch() const { return value; }
  status commit_branch(branch_type&& branch) {
    value = branch;
    return {};
  }
};

struct plain_output {
  [[nodiscard]] std::uint64_t retained_resources() const { return 1; }
};

/// A program whose values allocate nothing, and whose completions are pushed.
struct plain_program {
  using work_type = plain_work;
  using state_type = plain_state;
  using output_type = plain_output;
  using outcome_type = std::uint32_t;
};

/// A backend that takes everything.
inline result<plain_output> take_it(const submission&, const plain_work& work,
                                    std::uint64_t& branch) {
  branch += work.payload;
  return plain_output{};
}

} // namespace turnstile::touch_test
