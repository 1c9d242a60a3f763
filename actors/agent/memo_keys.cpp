#include "actors/agent/memo_keys.hpp"

#include "actors/agent/sha256.hpp"

#include <map>
#include <string_view>

namespace turnstile {

namespace {

/// Fields one after the other, each with its length, so that no two lists of
/// fields are the same bytes.
class fields {
public:
  void add(std::string_view field) {
    bytes_.append(std::to_string(field.size())).append(":").append(field);
  }
  void add(std::uint64_t number) { add(std::to_string(number)); }

  /// What may be absent is not the same as what is empty.
  void add(bool present, std::string_view field) {
    add(present ? "+" : "-");
    add(field);
  }

  template <class Texts>
  void add_all(const Texts& texts) {
    add(static_cast<std::uint64_t>(texts.size()));
    for (const auto& text : texts)
      add(text);
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
  std::string bytes_;
};

} // namespace

std::string memo_keys::next(const wire::AgentTask& task) {
  fields all;
  all.add(version);
  all.add(task.prompt());
  all.add(task.name());
  all.add(task.backend());
  all.add(task.backend_version());
  all.add(task.has_model(), task.model());
  all.add(task.has_output_schema_json(), task.output_schema_json());
  all.add(task.phase_id());
  all.add(task.has_workdir_override() ? task.workdir_override()
                                      : task.workdir());
  const std::map<std::string, std::string> env{task.env().begin(),
                                               task.env().end()};
  all.add(static_cast<std::uint64_t>(env.size()));
  for (const auto& [name, value] : env) {
    all.add(name);
    all.add(value);
  }
  all.add(task.has_thread_id(), task.thread_id());
  all.add(task.has_mcp_endpoint(), task.mcp_endpoint().name());
  all.add(task.mcp_endpoint().url());
  all.add(task.has_allowlist(),
          task.allowlist().accept_edits() ? "edits" : "no edits");
  all.add_all(task.allowlist().allow_commands());
  all.add_all(task.allowlist().allow_mcp());
  all.add_all(task.allowlist().deny());
  auto same = sha256(all.bytes());
  const auto ordinal = seen_[same]++;
  return ordinal == 0 ? same : sha256(same + std::to_string(ordinal));
}

} // namespace turnstile
