#include "config/plan/read/expansion.hpp"

#include "config/plan/byte_size.hpp"
#include "config/plan/each/find_files.hpp"
#include "config/plan/plan_limits.hpp"
#include "config/plan/text/quote.hpp"
#include "config/plan/text/read_file.hpp"
#include "config/plan/text/source_text.hpp"
#include "config/plan/text/utf8.hpp"

#include <algorithm>
#include <utility>

namespace turnstile::config {

namespace {

// An absolute path without `.`, `..` and a slash at its end.
std::string resolved(const std::filesystem::path& folder,
                     const std::string& path) {
  auto text = (folder / path).lexically_normal().string();
  if (text.size() > 1 && text.ends_with('/'))
    text.pop_back();
  return text;
}

} // namespace

expansion::expansion(const std::filesystem::path& folder,
                     std::vector<std::string_view> backends)
  : folder_(folder), backends_(std::move(backends)) {}

void expansion::add(const task_draft& draft) {
  if (!draft.each) {
    add_task(draft, draft.name, {});
    return;
  }
  if (draft.each->is_wrong())
    return;
  auto files = find_files(draft.each->value().text, folder_, max_tasks);
  if (!files) {
    draft.each->complain(files.error().detail);
    return;
  }
  for (auto& path : *files) {
    auto name = draft.name + ':' + path;
    if (is_plain_name(path))
      add_task(draft, std::move(name), matched_file::of(std::move(path)));
    else
      draft.each->complain("the file name " + in_quotes(path)
                           + " cannot be a part of a task's name");
  }
}

void expansion::add_task(const task_draft& draft, std::string name,
                         const matched_file& file) {
  if (full_)
    return;
  has_room_for(name.size());
  auto& [owner, task, wanted] =
    tasks_.emplace_back(expanded_task{&draft, draft.fixed, {}});
  task.name = std::move(name);
  task.workdir = resolved(folder_, draft.workdir ? bind(*draft.workdir, file)
                                                 : std::string{});
  if (draft.tenant)
    task.tenant = bind(*draft.tenant, file);
  for (const auto& [variable, text] : draft.env)
    task.env.emplace(variable, bind(text, file));
  for (const auto& need : draft.needs)
    wanted.push_back({bind(need, file), &need.where});
  bind_options(draft, file, task);
  if (draft.prompt && draft.prompt_is_file) {
    bind_prompt_file(*draft.prompt, file, draft.each.has_value(), task);
  } else if (draft.prompt) {
    task.prompt = bind_prompt_text(draft.prompt->text, file);
  }
  has_room_for(task.output_schema ? task.output_schema->size() : 0);
  stop_if_full(draft);
}

void expansion::bind_options(const task_draft& draft, const matched_file& file,
                             task_settings& task) {
  for (const auto& [target, text] : draft.options) {
    task.*target = bind(text, file);
    const auto& name = *(task.*target);
    if (target == &task_settings::backend && has_room_for(0)
        && !backends_.empty()
        && std::find(backends_.begin(), backends_.end(), name)
             == backends_.end())
      text.where.complain("unknown backend " + in_quotes(name)
                          + text.where.advice(name, backends_));
  }
  for (const auto& [target, text] : draft.permissions)
    ((*task.allowlist).*target).push_back(bind(text, file));
  for (const auto& [target, text] : draft.endpoint)
    (*task.mcp).*target = bind(text, file);
}

void expansion::bind_prompt_file(const placed_text& name,
                                 const matched_file& file, bool has_each,
                                 task_settings& task) {
  const auto path = bind(name, file);
  if (last_file_ != path) {
    auto content = read_file(folder_ / path, max_prompt_file_bytes);
    if (!content) {
      name.where.complain(in_quotes(path) + ": " + content.error().detail);
      return;
    }
    last_file_ = path;
    last_content_ = *std::move(content);
  }
  const source_text source{path, last_content_};
  const auto complain = [&](std::size_t at, const std::string& sentence) {
    name.where.complain(source.place_of(at) + ": " + sentence);
  };
  if (const auto at = find_invalid_utf8(last_content_)) {
    complain(*at, "byte " + std::to_string(*at) + " is not UTF-8");
    return;
  }
  const auto text = parse_task_text(last_content_);
  const auto faults = faults_of(text, {has_each, true});
  for (const auto& fault : faults)
    complain(fault.begin, fault.sentence);
  if (faults.empty())
    task.prompt = bind_prompt_text(text, file);
}

std::string expansion::bind(const placed_text& text, const matched_file& file) {
  return has_room_for(bound_bytes(text.text, file)) ? bind_text(text.text, file)
                                                    : std::string{};
}

prompt expansion::bind_prompt_text(const task_text& text,
                                   const matched_file& file) {
  return has_room_for(bound_bytes(text, file), text.size())
           ? bind_prompt(text, file)
           : prompt{};
}

bool expansion::has_room_for(std::size_t bytes, std::size_t strings) {
  bytes_ += bytes + strings * bytes_beside_a_string;
  return bytes_ <= max_task_bytes;
}

void expansion::stop_if_full(const task_draft& draft) {
  if (tasks_.size() > max_tasks)
    draft.where.complain("more than " + std::to_string(max_tasks)
                         + " tasks in all, with those of \"each\"");
  else if (bytes_ > max_task_bytes)
    draft.where.complain("more than " + render_byte_size(max_task_bytes)
                         + " of text in all tasks together");
  else
    return;
  full_ = true;
}

} // namespace turnstile::config
