#include "messages/schema/draft7/compile/loops.hpp"

#include <unordered_set>
#include <vector>

namespace turnstile::draft7 {

namespace {

using nodes = std::vector<const schema_node*>;

// The schemas that `node` asks about the value that it was asked about.
nodes asked_by(const schema_node& node) {
  nodes out;
  const auto add = [&](const schema_node* one) {
    if (one != nullptr)
      out.push_back(one);
  };
  add(node.ref);
  if (node.object)
    for (const auto& one : node.object->dependencies)
      add(one.schema);
  if (node.combined) {
    const auto& rules = *node.combined;
    for (const auto* list : {&rules.all_of, &rules.any_of, &rules.one_of})
      out.insert(out.end(), list->begin(), list->end());
    for (const auto* one :
         {rules.none_of, rules.condition, rules.then, rules.otherwise})
      add(one);
  }
  return out;
}

// A node on the way from where we began, and whom it has yet to ask.
struct step {
  const schema_node* node;
  nodes left;
};

} // namespace

// Depth first, but on the heap: a chain of references may be long.
const schema_node* find_loop(const program& made) {
  std::unordered_set<const schema_node*> on_the_way;
  std::unordered_set<const schema_node*> seen;
  std::vector<step> way;
  const auto enter = [&](const schema_node* node) {
    seen.insert(node);
    on_the_way.insert(node);
    way.push_back({node, asked_by(*node)});
  };
  for (const auto& start : made.nodes) {
    if (!seen.contains(&start))
      enter(&start);
    while (!way.empty()) {
      auto& [node, left] = way.back();
      if (left.empty()) {
        on_the_way.erase(node);
        way.pop_back();
        continue;
      }
      const auto* next = left.back();
      left.pop_back();
      if (on_the_way.contains(next))
        return next;
      if (!seen.contains(next))
        enter(next);
    }
  }
  return nullptr;
}

} // namespace turnstile::draft7
