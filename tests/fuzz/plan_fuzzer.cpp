#include "config/plan/json/parse.hpp"
#include "config/plan/load.hpp"
#include "config/plan/text/utf8.hpp"
#include "tests/fuzz/require.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

// Any bytes as a plan: it is refused with sentences that a terminal can show,
// or it keeps what config/plan/plan.hpp promises. The plan stands in `folder/`.

using namespace turnstile;
using namespace turnstile::config;
using fuzz::require;

namespace {

// Whether a plan looks for files outside of its folder: there is no end of
// them, and some of them wait for somebody to type.
bool goes_out(const json_value& value) {
  const bool names_files = value.key == "each" || value.key == "prompt_file";
  return (names_files
          && (value.text.starts_with('/')
              || value.text.find("..") != value.text.npos))
         || std::any_of(value.items.begin(), value.items.end(), goes_out);
}

void check_refusal(const failure& why) {
  require(why.code == errc::invalid_plan || why.code == errc::not_built_yet,
          "a refusal is about the plan");
  for (std::size_t at = 0; at < why.detail.size();) {
    const auto end = std::min(why.detail.find('\n', at), why.detail.size());
    const auto line = std::string_view{why.detail}.substr(at, end - at);
    require(is_plain_name(line), "a complaint can be shown on a terminal");
    require(line.starts_with("plan.json:") || line.starts_with("and "),
            "a complaint says where");
    require(line.size() < 20'000, "a complaint can be read");
    at = end + 1;
  }
  require(!why.detail.empty(), "a refusal says why");
}

void check_task(const task_settings& task, std::set<std::string>& names) {
  require(is_plain_name(task.name), "a task's name is printable");
  require(task.workdir.starts_with('/'), "a workdir is absolute");
  require(task.weight >= 1, "a task weighs something");
  require(!task.attempt_timeout || *task.attempt_timeout > duration::zero(),
          "a timeout is above zero");
  require(names.insert(task.name).second, "names are unique");
  bool was_literal = false;
  for (const auto& piece : task.prompt) {
    const bool is_literal = piece.is == prompt_piece::type::literal;
    require(!piece.text.empty(), "no piece of a prompt is empty");
    require(!(is_literal && was_literal), "literals do not stand together");
    require(!find_invalid_utf8(piece.text), "a prompt is UTF-8");
    was_literal = is_literal;
  }
}

void check_plan(const plan& made) {
  require(is_plain_name(made.run), "a run's name is printable");
  require(made.concurrency >= 1, "something can run");
  require(made.retry.multiplier >= 1, "pauses do not shrink");
  require(!made.tasks.empty() && !made.backends.empty(), "a plan is complete");
  require(std::count_if(made.backends.begin(), made.backends.end(),
                        [](auto& one) { return one.is_default; })
            == 1,
          "one backend is the default");
  for (const auto& backend : made.backends)
    require(backend.is == backend_settings::type::process
              ? !backend.command.empty() && !backend.command.front().empty()
              : !backend.script.empty(),
            "a backend can do something");
  std::set<std::string> names;
  for (const auto& task : made.tasks)
    check_task(task, names);
  for (const auto& task : made.tasks)
    for (const auto& need : task.needs)
      require(names.contains(need) && need != task.name, "a need is a task");
  for (const auto& [name, group] : made.groups)
    require(group.first + group.count <= made.tasks.size(),
            "a group lies in the plan");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  complaints wrong{source_text::of("plan.json", text)};
  const auto root = parse_json(wrong);
  if (root && goes_out(*root))
    return 0;
  const auto made = parse_plan(text, "plan.json", TURNSTILE_FUZZ_FOLDER);
  if (made)
    check_plan(*made);
  else
    check_refusal(made.error());
  return 0;
}
