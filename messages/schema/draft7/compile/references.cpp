#include "messages/schema/draft7/compile/compiler.hpp"
#include "messages/schema/draft7/compile/loops.hpp"
#include "messages/schema/draft7/compile/subschemas.hpp"
#include "messages/schema/draft7/evaluate/matches.hpp"
#include "messages/schema/draft7/json/excerpt.hpp"

#include <algorithm>
#include <charconv>

namespace turnstile::draft7 {

namespace {

using nlohmann::json;

constexpr std::string_view meta_uri = "http://json-schema.org/draft-07/schema";

// Takes the first token off a JSON pointer: its escapes undone.
std::string take_token(std::string_view& pointer) {
  pointer.remove_prefix(1);
  const auto raw = pointer.substr(0, pointer.find('/'));
  pointer.remove_prefix(raw.size());
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const auto two = raw.substr(i, 2);
    out += two == "~0" ? '~' : two == "~1" ? '/' : raw[i];
    i += two == "~0" || two == "~1" ? 1 : 0;
  }
  return out;
}

// One step of a JSON pointer, or null.
const json* child_of(const json& value, const std::string& token) {
  if (value.is_object()) {
    const auto it = value.find(token);
    return it == value.end() ? nullptr : &*it;
  }
  std::size_t index = 0;
  const auto* end = token.data() + token.size();
  const bool is_index = value.is_array() && !token.empty()
                        && (token == "0" || token.front() != '0')
                        && std::from_chars(token.data(), end, index).ptr == end;
  return is_index && index < value.size() ? &value[index] : nullptr;
}

// The way to `wanted` in `value`, as a JSON pointer. Only to name it.
bool find_way(const json& value, const json& wanted, std::string& way) {
  if (&value == &wanted)
    return true;
  const auto length = way.size();
  for (const auto& [key, inner] : value.items()) {
    way.append("/").append(pointer_token(key));
    if (inner.is_structured() || &inner == &wanted)
      if (find_way(inner, wanted, way))
        return true;
    way.resize(length);
  }
  return false;
}

} // namespace

schema_node* compiler::node_for(const json& schema) {
  auto& node = made_.node_of[&schema];
  if (node == nullptr)
    node = &made_.nodes.emplace_back();
  return node;
}

void compiler::refer(schema_node& node, const json& schema, const place& at) {
  references_.push_back({&node, &schema, place{at, "$ref"}.pointer()});
}

void compiler::run() {
  if (auto done = addresses_.enter(made_.text, "", place{}); !done)
    return refuse("", done.error());
  made_.root = add(made_.text, place{});
  follow_references();
  if (!wrong_.empty())
    return;
  if (const auto* loop = find_loop(made_); loop != nullptr)
    for (const auto& [schema, node] : made_.node_of)
      if (node == loop) {
        std::string way;
        find_way(made_.text, *schema, way);
        return refuse(place{way}.text(),
                      "it refers to itself about the same value, without end");
      }
}

// What is found may be a schema that was not met before, with references of its
// own, so there may be more of them each time.
void compiler::follow_references() {
  while (!references_.empty() && wrong_.empty()) {
    const auto open = std::move(references_.back());
    references_.pop_back();
    open.from->ref = target_of(*open.schema);
    if (open.from->ref == nullptr && wrong_.empty())
      refuse(place{open.place}.text(),
             in_quotes((*open.schema)["$ref"].get_ref<const std::string&>())
               + " is no schema inside this one, and only such are followed");
  }
}

const schema_node* compiler::target_of(const json& schema) {
  const auto uri = resolve(addresses_.base_of(schema),
                           schema["$ref"].get_ref<const std::string&>());
  const auto& fragment = uri.fragment;
  if (!fragment.empty() && !fragment.starts_with('/')) {
    const auto* named = addresses_.find(uri.document + '#' + fragment);
    return named == nullptr ? nullptr : node_for(*named);
  }
  const auto* document = addresses_.find(uri.document);
  if (document == nullptr && uri.document.empty())
    document = &made_.text;
  if (document != nullptr)
    return target_in(*document, uri);
  return uri.document == meta_uri && meta_ != nullptr ? target_in_meta(fragment)
                                                      : nullptr;
}

const schema_node* compiler::target_in_meta(const std::string& fragment) const {
  const auto* at = &meta_->text;
  for (std::string_view left = fragment; !left.empty() && at != nullptr;)
    at = child_of(*at, take_token(left));
  const auto it = meta_->node_of.find(at);
  return it == meta_->node_of.end() ? nullptr : it->second;
}

const schema_node* compiler::target_in(const json& document,
                                       const split_uri& uri) {
  const auto* at = &document;
  const auto* base = &addresses_.base_of(document);
  for (std::string_view left = uri.fragment; !left.empty() && at != nullptr;) {
    at = child_of(*at, take_token(left));
    if (at != nullptr && addresses_.knows(*at))
      base = &addresses_.base_of(*at);
  }
  if (at == nullptr)
    return nullptr;
  if (addresses_.knows(*at))
    return node_for(*at);
  const auto where =
    &document == &made_.text ? uri.fragment : uri.document + '#' + uri.fragment;
  return adopt(*at, *base, where);
}

// A reference may lead to where no keyword expects a schema. What stands there
// has not been looked at yet.
const schema_node* compiler::adopt(const json& value, const std::string& base,
                                   const std::string& where) {
  const place at{where};
  if (meta_ != nullptr)
    if (auto done = matches(*meta_->root, value, at); !done) {
      wrong_ = done.error();
      return nullptr;
    }
  if (auto done = addresses_.enter(value, base, at); !done) {
    wrong_ = done.error();
    return nullptr;
  }
  return add(value, at);
}

void compiler::refuse(const std::string& where, const std::string& why) {
  if (wrong_.empty())
    wrong_ = where.empty() ? why : where + ": " + why;
}

tl::expected<void, std::string> compile(program& made, const program* meta) {
  compiler work{made, meta};
  work.run();
  if (!work.wrong().empty())
    return tl::unexpected{work.wrong()};
  return {};
}

} // namespace turnstile::draft7
