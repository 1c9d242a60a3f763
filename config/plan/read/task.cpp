#include "config/plan/read/task.hpp"

#include "config/plan/json/reads.hpp"
#include "config/plan/json/record.hpp"
#include "config/plan/read/environment.hpp"
#include "config/plan/read/known_keys.hpp"
#include "config/plan/read/not_built.hpp"
#include "messages/schema/output_schema.hpp"

#include <utility>

namespace turnstile::config {

namespace {

using string_reader = std::optional<std::string>(const field&);

std::optional<std::string> read_task_name(const field& where) {
  auto name = read_name(where);
  if (name
      && (name->find("{{") != name->npos || name->find("}}") != name->npos))
    where.expected("a name without \"{{\" and \"}}\"");
  return name;
}

std::optional<std::string> read_file_name(const field& where) {
  auto name = read_system_string(where);
  if (name && name->empty())
    where.expected("a path");
  return name;
}

std::optional<std::string> read_schema(const field& where) {
  if (!where.is(json_value::type::object)) {
    where.expected("a JSON Schema, which is an object");
    return std::nullopt;
  }
  auto text = read_json(where);
  if (text)
    if (const auto schema = output_schema::compile(*text); !schema) {
      where.complain(schema.error().detail);
      return std::nullopt;
    }
  return text;
}

// Reads the strings of one task, with the templates that it may have.
class text_reader {
public:
  explicit text_reader(bool has_each) : has_each_(has_each) {}

  [[nodiscard]] std::optional<placed_text>
  read(const field& where, string_reader& reader = read_string,
       bool is_prompt = false) const {
    const auto string = reader(where);
    if (!string)
      return std::nullopt;
    auto text = parse_task_text(*string);
    const auto faults = faults_of(text, {has_each_, is_prompt});
    for (const auto& fault : faults)
      where.complain(fault.sentence);
    if (!faults.empty())
      return std::nullopt;
    return placed_text{std::move(text), where};
  }

  [[nodiscard]] std::vector<placed_text>
  read_all(const field& where, string_reader& reader = read_string) const {
    std::vector<placed_text> texts;
    const auto elements = read_elements(where, "an array of strings");
    if (!elements)
      return texts;
    for (const auto& element : *elements)
      if (auto text = read(element, reader))
        texts.push_back(*std::move(text));
    return texts;
  }

private:
  bool has_each_;
};

void read_prompt(const record& object, const text_reader& texts,
                 task_draft& draft) {
  const auto prompt = object.find("prompt");
  const auto file = object.find("prompt_file");
  draft.prompt_is_file = file && !prompt;
  if (prompt)
    draft.prompt = texts.read(*prompt, read_string, true);
  else if (file)
    draft.prompt = texts.read(*file, read_file_name);
  else if (object.is_object())
    object.where().complain("missing key \"prompt\" or \"prompt_file\"");
  if (prompt && file)
    file->complain_about_key(
      "\"prompt_file\" stands instead of \"prompt\", not beside it");
}

void read_options(const record& object, const text_reader& texts,
                  task_draft& draft) {
  const std::pair<std::string_view, std::optional<std::string> task_settings::*>
    options[] = {
      {"backend", &task_settings::backend},
      {"model", &task_settings::model},
      {"role", &task_settings::role},
      {"description", &task_settings::description},
      {"thread", &task_settings::thread},
    };
  for (const auto& [key, target] : options)
    if (const auto member = object.find(key))
      if (auto text = texts.read(*member))
        draft.options.emplace_back(target, *std::move(text));
}

void read_policy(const field& where, const text_reader& texts,
                 task_draft& draft) {
  const record object{where, policy_keys};
  draft.fixed.allowlist.emplace();
  object.read("accept_edits", draft.fixed.allowlist->accept_edits,
              read_boolean);
  const std::pair<std::string_view, std::vector<std::string> tool_policy::*>
    lists[] = {
      {"allow_commands", &tool_policy::allow_commands},
      {"allow_mcp", &tool_policy::allow_mcp},
      {"deny", &tool_policy::deny},
    };
  for (const auto& [key, target] : lists)
    if (const auto member = object.find(key))
      for (auto& text : texts.read_all(*member))
        draft.permissions.emplace_back(target, std::move(text));
}

void read_endpoint(const field& where, const text_reader& texts,
                   task_draft& draft) {
  const record object{where, endpoint_keys};
  draft.fixed.mcp.emplace();
  for (const auto& [key, target] : {std::pair{"name", &mcp_endpoint::name},
                                    std::pair{"url", &mcp_endpoint::url}})
    if (const auto member = object.require(key))
      if (auto text = texts.read(*member, read_name))
        draft.endpoint.emplace_back(target, *std::move(text));
}

} // namespace

std::optional<task_draft> read_task(const field& where) {
  const record object{where, task_keys};
  const auto name = object.require("name");
  task_draft draft{where, name.value_or(where)};
  if (name)
    draft.name = read_task_name(*name).value_or("");
  auto& fixed = draft.fixed;
  std::optional<std::string> each;
  object.read("each", each, read_file_name);
  draft.each = object.find("each");

  const text_reader texts{draft.each.has_value()};
  read_prompt(object, texts, draft);
  read_options(object, texts, draft);
  object.read("phase", fixed.phase, read_number<std::uint32_t>, 0u);
  object.read("weight", fixed.weight, read_number<std::uint32_t>, 1u);
  object.read("attempt_timeout", fixed.attempt_timeout, read_duration);
  object.read("idle_timeout", fixed.idle_timeout, read_duration);
  object.read("deadline", fixed.deadline, read_duration);
  object.read("output_schema", fixed.output_schema, read_schema);
  if (const auto member = object.find("tenant"))
    draft.tenant = texts.read(*member, read_name);
  if (const auto member = object.find("workdir"))
    draft.workdir = texts.read(*member, read_file_name);
  if (const auto member = object.find("needs"))
    draft.needs = texts.read_all(*member, read_name);
  if (const auto member = object.find("env"))
    for (auto& [variable, value] : read_variables(*member))
      if (auto text = texts.read(value, read_system_string))
        draft.env.emplace_back(variable, *std::move(text));
  if (const auto member = object.find("allowlist"))
    read_policy(*member, texts, draft);
  if (const auto member = object.find("mcp"))
    read_endpoint(*member, texts, draft);
  refuse_unbuilt(object, "task");
  if (draft.name.empty())
    return std::nullopt;
  return draft;
}

} // namespace turnstile::config
