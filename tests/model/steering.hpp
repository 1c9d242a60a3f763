#pragma once

#include "core/base/ids.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace turnstile::model {

/// A call of the scheduler into the user's values that can go wrong.
enum class user_call : std::uint8_t { branch, apply, commit, discard };

/// In which way it goes wrong.
enum class fault : std::uint8_t { none, fails, throws, conflicts };

/// What a polled output answers when it is asked.
enum class stage : std::uint8_t { pending, done, fails, throws };

/// What a request's state permits when it is asked.
struct permissions {
  bool parallel = false;
  bool ordered = false;
  bool strict = false; ///< Refuses commits of branches that are behind.
  bool throws = false; ///< When it is asked: careful answers are assumed.
};

/// What the executor and the output that it makes will do for a request.
struct execution {
  fault refuses = fault::none;
  stage at_once = stage::pending;
  std::string backend;
  bool shy = false; ///< Throws when it is asked about itself.
  bool preemptible = false;
  std::uint64_t resources = 0;
};

/// What one submission left behind at its backend.
struct handle {
  work_id id;
  std::uint32_t submission = 0;
  stage now = stage::pending;
  execution made_by;
};

/// The world around a scheduler: decides what the user's values do, and writes
/// down every call that reaches them. The core's program and the model each
/// have one of their own and are told the same, so that their logs can be
/// compared. Faults outlive the requests that they were planned for.
class steering {
public:
  void plan_fault(request_id id, user_call call, fault how, std::uint32_t left);
  void permit(request_id id, permissions what);
  void plan_execution(request_id id, execution what);

  /// Says what the newest output of that work answers from now on.
  void set_stage(const work_id& id, stage now);
  void set_resources(const work_id& id, std::uint64_t resources);

  /// One call of the user's value: noted, and whether it goes wrong.
  fault meet(request_id id, user_call call, const std::string& note);

  /// The executor's answer; `branch` is changed as a backend would.
  fault execute(const work_id& id, std::uint32_t submission,
                std::int64_t deadline, std::uint32_t payload,
                std::uint64_t& branch);

  /// The output that the latest successful `execute` made.
  [[nodiscard]] std::size_t newest_output() const {
    return handles_.size() - 1;
  }
  [[nodiscard]] const handle& output(std::size_t index) const {
    return handles_[index];
  }

  [[nodiscard]] permissions permitted(request_id id) const;

  void note(const std::string& line) { log_.append(line).push_back('\n'); }

  /// Returns what happened since it was asked last.
  std::string take_log();

private:
  struct planned_fault {
    request_id id;
    user_call call;
    fault how;
    std::uint32_t left;
  };
  struct manners {
    request_id id;
    permissions permitted;
    execution next;
  };

  manners& of(request_id id);
  handle* newest_of(const work_id& id);

  std::vector<planned_fault> faults_;
  std::vector<manners> manners_;
  std::vector<handle> handles_;
  std::string log_;
};

} // namespace turnstile::model
