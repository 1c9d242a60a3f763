#include "actors/journal/repair/salvage.hpp"

#include "actors/journal/repair/columns.hpp"
#include "actors/journal/wal_check.hpp"

#include <algorithm>
#include <utility>

namespace turnstile::repair {

salvage::salvage(const journal_pages& pages, new_journal& into)
  : pages_(pages), into_(into), reader_(pages), rows_(journal_rows::in(pages)) {
  is_damaged_ = !rows_.bad_pages.empty() || !pages.bad_frames().empty()
                || !pages.log_header_is_whole();
  if (is_damaged_)
    names_ = journal_names::in(pages);
}

void salvage::run(const std::string& journal,
                  std::optional<std::uint64_t> told) {
  note_log(journal);
  note_unknown();
  read_requests();
  for (auto& [key, one] : requests_) {
    bring_works(key, one);
    bring_request(one);
  }
  bring_events();
  bring_memos();
  bring_owner(journal, told);
}

void salvage::lose(std::string run, std::string what, std::string name,
                   std::string text) {
  report_.lost.push_back(
    {std::move(run), std::move(what), std::move(name), std::move(text)});
}

std::string salvage::label_of(std::int64_t work) const {
  const auto found = std::lower_bound(
    names_.works.begin(), names_.works.end(), work,
    [](const index_entry& a, std::int64_t id) { return a.id < id; });
  return found != names_.works.end() && found->id == work ? found->text : "";
}

std::span<const row_place> salvage::works_of(std::int64_t key) const {
  return owned_by(key, rows_.works);
}

// --- the rest

void salvage::bring_memos() {
  for (const auto& [key, newest] : memos_)
    into_.put_memo(key, newest.second);
}

void salvage::bring_owner(const std::string& journal,
                          std::optional<std::uint64_t> told) {
  auto facts = static_cast<std::int64_t>(told.value_or(0));
  if (rows_.owner) {
    const auto it = reader_.read(*rows_.owner);
    const auto counted = it.columns[owner::facts].number;
    if (facts > counted)
      lose(
        "", "facts", std::to_string(facts - counted),
        missing_text(static_cast<std::uint64_t>(facts - counted), {}, journal));
    facts = std::max(facts, counted);
    epoch_ = std::max(epoch_, it.columns[owner::epoch].number);
    lives_ = std::max(lives_, it.columns[owner::lives].number);
  }
  into_.put_owner(epoch_, facts, lives_);
}

void salvage::note_log(const std::string& journal) {
  report_.bad_pages = rows_.bad_pages;
  for (const auto& one : pages_.bad_frames()) {
    report_.bad_frames.push_back(one.frame);
    lose("", "log", std::to_string(one.frame),
         "frame " + std::to_string(one.frame) + " of " + journal
           + "-wal cannot be read: what was committed with it last may be "
             "missing");
  }
}

bool salvage::is_any_whole(std::initializer_list<const char*> names) const {
  return std::any_of(names.begin(), names.end(), [&](const char* name) {
    return rows_.is_whole(pages_, name);
  });
}

// A run that was only in pages that are lost has left no name. Where a table is
// whole, or the index that has the same, there is none.
void salvage::note_unknown() {
  if (!is_damaged_)
    return;
  if (!is_any_whole({"requests", "sqlite_autoindex_requests_1"}))
    lose("", "run", "", "runs may be missing of which nothing else is left");
  if (!is_any_whole({"events", "streams"}))
    lose("", "events", "",
         "events may be missing of which nothing else is left");
}

} // namespace turnstile::repair
