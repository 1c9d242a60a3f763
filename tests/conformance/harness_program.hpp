#pragma once

#include "core/base/ids.hpp"
#include "core/turn/scheduler.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace turnstile::conformance {

/// How a program call misbehaves next.
enum class fault_kind : std::uint8_t { branch, commit, discard, apply };

/// What is to go wrong, per request: kept in the harness, since it outlives
/// the requests.
struct fault_plan {
  struct fault {
    std::int64_t left = 0;  ///< Calls that still fail; -1: all.
    bool throws = false;    ///< As an exception, not as a failure.
    bool conflicts = false; ///< A commit refuses with `errc::conflict`.
  };

  /// Counts one call; its failure, if it is to fail.
  status call(fault_kind kind, request_id request) {
    static constexpr const char* names[] = {"branch", "commit", "discard",
                                            "apply"};
    auto& fault = faults[{kind, request}];
    if (fault.left == 0)
      return {};
    if (fault.left > 0)
      --fault.left;
    auto text = std::string{names[static_cast<int>(kind)]} + " fault "
                + to_string(request);
    if (fault.throws)
      throw std::runtime_error{text};
    return fail(fault.conflicts ? errc::conflict : errc::state, text);
  }

  std::map<std::pair<fault_kind, request_id>, fault> faults;
  std::map<request_id, bool> parallel;
  std::map<request_id, bool> ordered;
  std::map<request_id, bool> strict; ///< Refuses branches of an older base.
};

struct harness_work {
  std::uint32_t payload = 0;
  std::uint64_t slice = 1;
  bool fails = false;
  bool throws = false;
  bool slice_throws = false;
  std::uint32_t extra_words = 0;

  status encode_descriptor(std::vector<std::uint32_t>& words) const {
    auto text = "descriptor fault " + std::to_string(payload);
    if (throws)
      throw std::runtime_error{text};
    if (fails)
      return fail(errc::descriptor, text);
    for (std::uint32_t i = 0; i <= extra_words; ++i)
      words.push_back(payload + i);
    return {};
  }

  [[nodiscard]] std::uint64_t execution_slice_size() const {
    if (slice_throws)
      throw std::runtime_error{"slice fault " + std::to_string(payload)};
    return slice;
  }
};

struct harness_branch {
  std::uint64_t value = 0;
  request_id request;
  fault_plan* faults = nullptr;
};

struct harness_outcome {
  std::uint64_t add = 0;
};

struct harness_state {
  using branch_type = harness_branch;

  std::uint64_t value = 0;
  std::uint64_t commits = 0;
  request_id request;
  fault_plan* faults = nullptr;

  [[nodiscard]] result<branch_type> branch() const {
    if (auto ok = faults->call(fault_kind::branch, request); !ok)
      return fail(ok.error());
    return branch_type{value, request, faults};
  }

  status commit_branch(branch_type&& branch, std::uint64_t behind) {
    if (auto ok = faults->call(fault_kind::commit, request); !ok)
      return ok;
    if (behind > 0 && faults->strict[request])
      return fail(errc::conflict,
                  std::to_string(behind) + " commits came before");
    value = branch.value;
    ++commits;
    return {};
  }

  static status discard_branch(branch_type&& branch) {
    return branch.faults->call(fault_kind::discard, branch.request);
  }

  static status apply(branch_type& branch, harness_outcome& outcome) {
    if (auto ok = branch.faults->call(fault_kind::apply, branch.request); !ok)
      return ok;
    branch.value += outcome.add;
    return {};
  }

  [[nodiscard]] bool permits_parallel_branches() const {
    return faults->parallel[request];
  }

  [[nodiscard]] bool ordered_commits() const {
    return faults->ordered[request];
  }
};

/// What an executor's output shares with the script that steers it.
struct handle {
  enum class stage : std::uint8_t { pending, done, failed, throws };
  stage now = stage::pending;
  std::uint64_t resources = 0;
};

struct harness_output {
  work_id id;
  std::shared_ptr<handle> shared;
  std::string backend;
  bool preemptible = false;

  [[nodiscard]] result<bool> is_complete() const {
    if (shared->now == handle::stage::throws)
      throw std::runtime_error{"completion fault " + to_string(id)};
    if (shared->now == handle::stage::failed)
      return fail(errc::completion, "completion fault " + to_string(id));
    return shared->now == handle::stage::done;
  }

  [[nodiscard]] std::string backend_name() const { return backend; }
  [[nodiscard]] bool physically_preemptible() const { return preemptible; }
  [[nodiscard]] std::uint64_t retained_resources() const {
    return shared->resources;
  }
};

struct harness_program {
  using work_type = harness_work;
  using state_type = harness_state;
  using output_type = harness_output;
  using outcome_type = harness_outcome;
};

} // namespace turnstile::conformance
