#pragma once

#include "messages/agent.pb.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace turnstile {

/// Which tasks of a run ask for what another run may have been answered
/// (decision A13). A key stands for all that a backend is told but for limits,
/// identities of the run and what people alone read: the prompt as it is, byte
/// for byte, the task's name (which children see), the backend and its version,
/// model, output schema, phase, working directory, environment, conversation,
/// permissions and tool server. Tasks of one run that are equal in all of this
/// are told apart by their order, so that ten equal questions get ten answers.
class memo_keys {
public:
  /// In every key. Changes with what a key stands for, so that nothing is taken
  /// for the answer to something else. Never reuse one.
  static constexpr const char* version = "turnstile-memo-1";

  /// The key of the run's next task: 32 bytes.
  std::string next(const wire::AgentTask& task);

private:
  std::unordered_map<std::string, std::uint64_t> seen_; ///< How often, by key.
};

} // namespace turnstile
