#include "config/plan/read/tasks.hpp"

#include "config/plan/json/reads.hpp"
#include "config/plan/plan_limits.hpp"
#include "config/plan/read/expansion.hpp"
#include "config/plan/read/needs.hpp"
#include "config/plan/read/references.hpp"
#include "config/plan/read/task.hpp"
#include "config/plan/read/task_index.hpp"
#include "config/plan/text/quote.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace turnstile::config {

namespace {

// Reads the drafts whose names are their own; others are complaints only.
std::vector<task_draft> read_drafts(const std::vector<field>& entries) {
  std::vector<task_draft> drafts;
  std::map<std::string, std::string> owners; // Name to path of the entry.
  drafts.reserve(entries.size());
  for (const auto& entry : entries) {
    auto draft = read_task(entry);
    if (!draft)
      continue;
    const auto [owner, is_new] = owners.emplace(draft->name, entry.path());
    if (is_new)
      drafts.push_back(*std::move(draft));
    else
      draft->name_where.complain("the name " + in_quotes(draft->name)
                                 + " is taken by " + owner->second);
  }
  return drafts;
}

std::vector<std::string_view>
names_of(const std::vector<backend_settings>& backends) {
  std::vector<std::string_view> names;
  names.reserve(backends.size());
  for (const auto& backend : backends)
    names.emplace_back(backend.name);
  return names;
}

} // namespace

void read_tasks(const field& where, const std::filesystem::path& folder,
                plan& made) {
  const auto entries = read_elements(where, "an array of tasks");
  if (!entries)
    return;
  if (entries->empty())
    where.expected("at least one task");
  if (entries->size() > max_tasks) {
    where.complain("more than " + std::to_string(max_tasks) + " tasks");
    return;
  }
  const auto drafts = read_drafts(*entries);
  expansion expanded{folder, names_of(made.backends)};
  for (const auto& draft : drafts) {
    const auto first = expanded.size();
    expanded.add(draft);
    made.groups.emplace(draft.name, task_group{first, expanded.size() - first});
  }
  if (expanded.is_full())
    return;
  auto tasks = expanded.take();
  const task_index index{tasks, made.groups};
  resolve_needs(drafts, index, tasks);
  resolve_references(index, tasks);
  made.tasks.reserve(tasks.size());
  for (auto& one : tasks)
    made.tasks.push_back(std::move(one.task));
}

} // namespace turnstile::config
