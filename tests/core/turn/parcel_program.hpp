#pragma once

#include "core/turn/scheduler.hpp"
#include "tests/core/alice_and_bob.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// A program of values that can only be moved, and of nothing optional: its
/// completions are pushed by id.
struct parcels {
  struct work_type {
    std::unique_ptr<std::string> content;

    status encode_descriptor(std::vector<std::uint32_t>&) const { return {}; }
  };

  struct state_type {
    using branch_type = std::unique_ptr<std::string>;

    std::unique_ptr<std::string> delivered = std::make_unique<std::string>();

    [[nodiscard]] result<branch_type> branch() const {
      return std::make_unique<std::string>(*delivered);
    }

    status commit_branch(branch_type&& branch) {
      delivered = std::move(branch);
      return {};
    }
  };

  struct output_type {
    std::unique_ptr<std::string> receipt;
    [[nodiscard]] std::uint64_t retained_resources() const { return 1; }
  };
};

using parcel_scheduler = scheduler<parcels>;

inline parcels::work_type parcel(std::string content) {
  return {std::make_unique<std::string>(std::move(content))};
}

/// Adds the parcel to the branch and gives a receipt.
inline result<parcels::output_type>
deliver(const submission& what, const parcels::work_type& work,
        std::unique_ptr<std::string>& branch) {
  *branch += *work.content;
  return parcels::output_type{
    std::make_unique<std::string>("receipt of " + to_string(what.id))};
}

} // namespace turnstile
