#include "config/plan/read/task_index.hpp"

#include "config/plan/text/quote.hpp"

namespace turnstile::config {

task_index::task_index(const std::vector<expanded_task>& tasks,
                       const groups& named)
  : tasks_(tasks), groups_(named) {
  const auto complain = [&](std::size_t place, const task_draft& owner) {
    tasks[place].draft->name_where.complain(
      "the name " + in_quotes(tasks[place].task.name) + " is taken by "
      + owner.where.path());
  };
  for (std::size_t place = 0; place < tasks.size(); ++place) {
    const auto [known, is_new] =
      by_name_.emplace(tasks[place].task.name, place);
    if (!is_new)
      complain(place, *tasks[known->second].draft);
  }
  for (const auto& [name, group] : groups_) {
    names_.emplace_back(name);
    const auto same = by_name_.find(name);
    if (same != by_name_.end() && is_of_many(name) && group.count > 0)
      complain(same->second, *tasks[group.first].draft);
  }
}

std::optional<task_group> task_index::find(std::string_view name) const {
  if (const auto group = groups_.find(name); group != groups_.end())
    return group->second;
  if (const auto task = by_name_.find(name); task != by_name_.end())
    return task_group{task->second, 1};
  return std::nullopt;
}

bool task_index::is_of_many(std::string_view name) const {
  const auto group = groups_.find(name);
  return group != groups_.end()
         && (group->second.count == 0
             || tasks_[group->second.first].draft->each);
}

} // namespace turnstile::config
