#include "actors/journal/lost_work.hpp"
#include "actors/journal/repair/columns.hpp"
#include "actors/journal/repair/salvage.hpp"

#include <algorithm>
#include <utility>

// Works, each whole, without its end, or lost.

namespace turnstile::repair {

namespace {

/// "a", "#7" if it has no name.
std::string name_of_task(const std::string& label, std::uint64_t sequence) {
  return label.empty() ? '#' + std::to_string(sequence) : label;
}

} // namespace

void salvage::bring_works(std::int64_t key, request& whose) {
  const auto rows = works_of(key);
  const auto all = std::uint64_t{rows.size()};
  if (!is_damaged_ && whose.tally && whose.tally->accepted() == all)
    return copy_works(rows);
  auto found = look_at_works(key, whose);
  if (!whose.tally && !is_any_whole({"works", "works_by_label"}))
    lose(whose.name, "task", "",
         whose.called + ": tasks may be missing of which nothing else is left");
  const auto is_whole = [](const work& one) { return one.is == left::whole; };
  if (whose.tally && whose.tally->accepted() == all
      && std::all_of(found.begin(), found.end(), is_whole))
    return copy_works(rows);
  mend_works(key, whose, found);
}

void salvage::copy_works(std::span<const row_place> rows) {
  for (const auto& where : rows)
    put_work(reader_.read(where));
}

void salvage::put_work(row&& it) {
  wire::EndedFact ended;
  if (is_there(it.columns[works::ended])
      && reads(it.columns[works::ended], ended) && !ended.memo_key().empty()) {
    auto& newest = memos_[ended.memo_key()];
    newest = std::max(newest, std::pair{ended.at_unix_ns(), it.id});
  }
  epoch_ = std::max(epoch_, it.columns[epoch_at].number);
  into_.put("works", it);
  ++report_.works;
}

salvage::left salvage::judge(const row& it, const request& whose) const {
  wire::AcceptedFact accepted;
  wire::EndedFact ended;
  if (!is_readable(it, 1, works::accepted)
      || !reads(it.columns[works::accepted], accepted))
    return left::nothing;
  const auto& end = it.columns[works::ended];
  if (is_there(end) && !reads(end, ended))
    return left::without_end;
  // It may have ended since, and that may be in the state already.
  if (!is_there(end) && it.is_older && whose.has_state)
    return left::without_end;
  return it.columns[works::attempts].is_readable ? left::whole
                                                 : left::without_attempts;
}

std::vector<salvage::work> salvage::look_at_works(std::int64_t key,
                                                  const request& whose) {
  auto count = whose.tally ? whose.tally->accepted() : 0;
  const auto rows = works_of(key);
  if (!rows.empty())
    count = std::max(count, row_id{rows.back().id}.place() + 1);
  const auto names = owned_by(key, names_.works);
  if (!names.empty())
    count = std::max(count, row_id{names.back().id}.place() + 1);
  // Where pages have no checksums, a number may be wrong.
  constexpr std::uint64_t most_missing = 1U << 24;
  count = std::min(count, rows.size() + most_missing);
  std::vector<work> all(count);
  for (const auto& where : rows) {
    if (row_id{where.id}.place() >= count)
      continue;
    const auto it = reader_.read(where);
    auto& one = all[row_id{where.id}.place()];
    one.where = where;
    one.is = judge(it, whose);
    if (is_readable(it, works::label, works::label))
      one.label = it.columns[works::label].bytes;
    if (is_readable(it, works::place, works::word)) {
      one.place = static_cast<std::uint64_t>(it.columns[works::place].number);
      one.word = it.columns[works::word].bytes;
    }
  }
  for (std::uint64_t i = 0; i < count; ++i)
    if (all[i].label.empty())
      all[i].label = label_of(row_id::of(key, i).value);
  return all;
}

// Ends keep their order, but not their places, which have holes.
void salvage::mend_works(std::int64_t key, request& whose,
                         std::vector<work>& found) {
  std::vector<work*> in_order;
  for (auto& one : found)
    if (one.is == left::whole && one.place > 0)
      in_order.push_back(&one);
  std::sort(in_order.begin(), in_order.end(),
            [](const work* a, const work* b) { return a->place < b->place; });
  std::uint64_t ends = 0;
  for (auto* one : in_order)
    one->place = ++ends;
  const auto runs_again = !whose.is_closed && !whose.has_state;
  wire::Tally tally;
  tally.set_accepted(found.size());
  for (std::uint64_t i = 0; i < found.size(); ++i) {
    auto& one = found[i];
    const auto called =
      whose.called + ": " + "task " + name_of_task(one.label, i);
    auto lost = [&](const std::string& what) {
      lose(whose.name, "task", name_of_task(one.label, i), called + what);
    };
    const auto is_live = one.is == left::whole
                         || one.is == left::without_attempts
                         || (one.is == left::without_end && runs_again);
    if (!is_live) {
      const auto* after = runs_again ? "; when its run is resumed it runs again"
                                     : "; nobody knows how it ended";
      lost((one.is == left::nothing ? " cannot be read"
                                    : ": its end cannot be read")
           + std::string{after});
      one.place = ++ends;
      ++(*tally.mutable_ended())[lost_word];
      put_lost_work(key, i, whose, one);
      continue;
    }
    auto it = reader_.read(*one.where);
    if (one.is == left::without_end) {
      lost(": its end (" + one.word
           + ") cannot be read; when its run is resumed it runs again");
      lost_works_.insert(it.id);
      it.columns[works::executing] = number(1); // nobody saw that end
      it.columns[works::place] = nothing();
      it.columns[works::word] = nothing();
      it.columns[works::ended] = nothing();
    } else if (one.place > 0) {
      it.columns[works::place] = number(static_cast<std::int64_t>(one.place));
      ++(*tally.mutable_ended())[one.word];
    }
    if (!it.columns[works::attempts].is_readable) {
      if (one.is == left::without_attempts)
        lost(": what failed in its attempts so far cannot be read");
      it.columns[works::attempts] = nothing();
    }
    put_work(std::move(it));
  }
  whose.tally = std::move(tally);
}

void salvage::put_lost_work(std::int64_t key, std::uint64_t sequence,
                            const request& whose, const work& one) {
  wire::AcceptedFact accepted;
  auto& id = *accepted.mutable_work_id();
  *id.mutable_request() = whose.opened.request();
  id.set_life(whose.opened.life());
  id.set_sequence(sequence);
  accepted.set_at_unix_ns(whose.opened.at_unix_ns());
  // In a run that goes on another work will have its name.
  const auto label = whose.is_closed || whose.has_state ? one.label : "";
  row made;
  made.id = row_id::of(key, sequence).value;
  made.columns.assign(works::columns, nothing());
  made.columns[epoch_at] = number(epoch_);
  made.columns[works::place] = number(static_cast<std::int64_t>(one.place));
  made.columns[works::submissions] = number(0);
  made.columns[works::executing] = number(0);
  made.columns[works::word] = text(lost_word);
  made.columns[works::backend] = text("");
  made.columns[works::name] = text("");
  made.columns[works::label] = text(label);
  made.columns[works::accepted] = blob(accepted);
  made.columns[works::ended] = blob(lost_end(id, whose.opened.at_unix_ns()));
  lost_works_.insert(made.id);
  into_.put("works", made);
}

} // namespace turnstile::repair
