#pragma once

#include "actors/backend/exit_inbox.hpp"
#include "actors/caf/caf.hpp"
#include "actors/process/process_host.hpp"
#include "core/base/time.hpp"
#include "messages/agent.pb.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// How a process backend runs its children.
struct process_backend_settings {
  /// Its name in the registry; children see it as TURNSTILE_BACKEND.
  std::string name;

  /// The program and its arguments, the same for every task.
  std::vector<std::string> command;

  /// Variables of every child. Those of a task win over them.
  process_environment env;

  /// Bytes to keep of what a child answers, from the start.
  std::size_t max_output = std::size_t{1} << 20;

  /// How long a child that was told to end may still run.
  duration grace = std::chrono::seconds{5};

  /// Bytes to keep of what a child logs, from the end.
  std::size_t max_log = std::size_t{64} << 10;
};

/// Executes agent tasks by a child process each: the prompt is its standard
/// input, and its standard output the answer. The payload is a
/// `wire::AgentTask`, the outcome a `wire::AgentOutcome`.
///
/// Invariants:
/// 1. An `Execute` is answered when its child has exited and was reaped, and
///    nothing of its group runs any more; a `CancelWork` right after it.
/// 2. `running_` has exactly the children whose exit was not yet handled.
/// 3. `inbox_` is open while there are such children.
/// 4. No child outlives this: at its end, those that run are killed.
///
/// A child whose client has gone is told to end, as nobody waits for it. The
/// backend goes with its last handle, but not before its children have ended:
/// send it an exit to end them all.
class process_backend_state {
public:
  static constexpr const char* name = "process_backend";

  process_backend_state(process_backend_actor::pointer self,
                        std::shared_ptr<process_host> host,
                        process_backend_settings settings);
  process_backend_state(const process_backend_state&) = delete;
  process_backend_state& operator=(const process_backend_state&) = delete;
  ~process_backend_state();

  process_backend_actor::behavior_type make_behavior();

private:
  /// A child, and who waits for its end.
  struct running {
    process_ticket ticket;
    wire::Execute what;
    wire::AgentTask task;
    owed_answer<wire::Completed> owed;
    std::vector<owed_answer<wire::Quiet>> owed_quiet;
    watch client;
  };

  caf::result<wire::Completed> execute(const wire::Execute& what);
  caf::result<wire::Quiet> cancel(const wire::CancelWork& which);
  void settle_exits();

  /// What tells the client of a submission that it goes on.
  static std::function<void(const process_progress&)>
  signs_of_life_for(const wire::Execute& what, const caf::actor& client);

  [[nodiscard]] process_spec spec_for(const wire::AgentTask& task,
                                      std::uint32_t submission) const;

  process_backend_actor::pointer self_;
  std::shared_ptr<process_host> host_;
  process_backend_settings settings_;
  process_environment own_;
  std::shared_ptr<exit_inbox> inbox_ = std::make_shared<exit_inbox>();
  std::map<submission_key, running> running_;
};

/// Spawns a process backend. Backends may share a host. Our own environment
/// is read now, so no other thread may change it meanwhile.
template <class Parent>
backend_actor spawn_process_backend(Parent&& parent,
                                    std::shared_ptr<process_host> host,
                                    process_backend_settings settings) {
  return spawn<process_backend_state>(parent, std::move(host),
                                      std::move(settings));
}

} // namespace turnstile
