#include "config/plan/read/needs.hpp"

#include "config/plan/plan_limits.hpp"
#include "config/plan/read/cycles.hpp"
#include "config/plan/text/quote.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

namespace turnstile::config {

namespace {

constexpr std::size_t max_cycles = complaints::max_kept + 1;
constexpr std::size_t max_names_of_a_cycle = 12;

std::string shortened(const std::string& name) {
  constexpr std::size_t max_bytes = 240;
  return name.size() > max_bytes ? in_quotes(name) : name;
}

// Renders a cycle as `a -> b -> a`.
template <class NameOf>
std::string told(const std::vector<std::size_t>& cycle, NameOf name_of) {
  std::string out = "the needs form a cycle: ";
  const auto shown = std::min(cycle.size(), max_names_of_a_cycle);
  for (std::size_t i = 0; i < shown; ++i)
    out.append(shortened(name_of(cycle[i]))).append(" -> ");
  if (cycle.size() > shown)
    out += std::to_string(cycle.size() - shown) + " more -> ";
  return out.append(shortened(name_of(cycle.front())));
}

// Complains about entries that need each other. Most cycles are seen here
// already, and told once, not once for each file.
bool complain_about_cycles_of(const std::vector<task_draft>& drafts) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    places.emplace(drafts[i].name, i);
  needs_graph graph(drafts.size());
  for (std::size_t i = 0; i < drafts.size(); ++i)
    for (const auto& need : drafts[i].needs)
      if (const auto found = places.find(need.where.value().text);
          found != places.end())
        graph[i].push_back(found->second);
  const auto cycles = find_cycles(graph, max_cycles);
  for (const auto& cycle : cycles)
    drafts[cycle.front()].needs.front().where.complain(
      told(cycle, [&](auto i) { return drafts[i].name; }));
  return !cycles.empty();
}

void complain_about_cycles_of(const std::vector<expanded_task>& tasks,
                              const needs_graph& graph) {
  for (const auto& cycle : find_cycles(graph, max_cycles))
    tasks[cycle.front()].wanted.front().where->complain(
      told(cycle, [&](auto i) { return tasks[i].task.name; }));
}

// Returns the places of the tasks that `one` needs, in order, each once. What
// is named again and again is looked at once: it may stand for many.
std::vector<std::size_t> needs_of(const expanded_task& one,
                                  const task_index& index) {
  std::vector<std::size_t> places;
  std::unordered_set<std::string_view> names;
  for (const auto& [name, where] : one.wanted) {
    if (!names.insert(name).second)
      continue;
    const auto meant = index.find(name);
    if (!meant) {
      where->complain("no task is called " + in_quotes(name)
                      + where->advice(name, index.names()));
      continue;
    }
    for (std::size_t i = 0; i < meant->count; ++i)
      places.push_back(meant->first + i);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

} // namespace

void resolve_needs(const std::vector<task_draft>& drafts,
                   const task_index& index, std::vector<expanded_task>& tasks) {
  const bool has_cycles = complain_about_cycles_of(drafts);
  needs_graph graph(tasks.size());
  std::size_t all = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    graph[i] = needs_of(tasks[i], index);
    all += graph[i].size();
    if (all > max_needs) {
      tasks[i].wanted.front().where->complain("more than "
                                              + std::to_string(max_needs)
                                              + " needs of all tasks together");
      return;
    }
  }
  if (!has_cycles)
    complain_about_cycles_of(tasks, graph);
  for (std::size_t i = 0; i < tasks.size(); ++i)
    for (const auto place : graph[i])
      tasks[i].task.needs.push_back(tasks[place].task.name);
}

} // namespace turnstile::config
