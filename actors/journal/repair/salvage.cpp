#include "actors/journal/repair/salvage.hpp"

#include "actors/journal/lost_work.hpp"
#include "actors/journal/row_id.hpp"
#include "actors/journal/wal_check.hpp"
#include "messages/event.pb.h"

#include <algorithm>
#include <limits>

namespace turnstile::repair {

namespace {

// Where columns stand in their rows, as in `file_schema.hpp`.
constexpr std::size_t epoch_at = 1;
namespace requests {
constexpr std::size_t scheduler = 2, request = 3, life = 4, name = 5, label = 6,
                      opened_at = 7, closed_at = 8, word = 9, opened = 10,
                      closed = 11, state = 12, tally = 13, columns = 14;
} // namespace requests
namespace works {
constexpr std::size_t place = 2, submissions = 3, executing = 4, word = 5,
                      backend = 6, name = 7, label = 8, accepted = 9,
                      attempts = 10, ended = 11, columns = 12;
} // namespace works
namespace streams {
constexpr std::size_t run = 1, next = 2, ended = 3;
} // namespace streams
namespace events {
constexpr std::size_t about = 2, event = 3;
} // namespace events
namespace owner {
constexpr std::size_t epoch = 1, facts = 2, lives = 3;
} // namespace owner

column nothing() {
  return {column::type::nothing, true, 0, {}};
}
column number(std::int64_t it) {
  return {column::type::number, true, it, {}};
}
column text(std::string it) {
  return {column::type::text, true, 0, std::move(it)};
}
template <class Message>
column blob(const Message& it) {
  return {column::type::blob, true, 0, it.SerializeAsString()};
}

bool is_there(const column& it) {
  return it.is != column::type::nothing;
}

template <class Message>
bool reads(const column& from, Message& into) {
  return from.is_readable && into.ParseFromString(from.bytes);
}

bool is_readable(const row& it, std::size_t first, std::size_t last) {
  return it.columns.size() > last
         && std::all_of(it.columns.begin() + static_cast<std::ptrdiff_t>(first),
                        it.columns.begin() + static_cast<std::ptrdiff_t>(last)
                          + 1,
                        [](const column& one) { return one.is_readable; });
}

/// "a", "#7" if it has no name.
std::string name_of_task(const std::string& label, std::uint64_t sequence) {
  return label.empty() ? '#' + std::to_string(sequence) : label;
}

/// Those, in their order, that belong to an owner of that key.
template <class Row>
std::span<const Row> owned_by(std::int64_t key, const std::vector<Row>& rows) {
  const auto first =
    std::lower_bound(rows.begin(), rows.end(), row_id::of(key, 0).value,
                     [](const Row& a, std::int64_t id) { return a.id < id; });
  const auto behind =
    std::upper_bound(first, rows.end(), row_id::last(key).value,
                     [](std::int64_t id, const Row& a) { return id < a.id; });
  return {first, behind};
}

bool is_key(std::int64_t key) {
  return key >= 0 && key <= row_id::max_key;
}

} // namespace

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

// --- requests

void salvage::read_requests() {
  for (const auto& where : rows_.requests) {
    const auto it = reader_.read(where);
    if (is_key(where.id) && is_readable(it, 1, requests::word))
      know(it, where);
  }
  auto lost = lost_requests();
  name_lost(lost);
  for (auto& [key, it] : lost) {
    know(it, {});
    requests_.at(key).made = std::move(it);
  }
}

/// @pre all is readable up to the word of its end
void salvage::know(const row& it, const row_place& where) {
  const auto& columns = it.columns;
  request one;
  one.where = where;
  one.name = columns[requests::name].bytes;
  const auto request_id =
    static_cast<std::uint64_t>(columns[requests::request].number);
  const auto life = static_cast<std::uint64_t>(columns[requests::life].number);
  if (!reads(columns[requests::opened], one.opened)) {
    one.is_cut_off = true;
    one.opened.mutable_request()->set_value(request_id);
    one.opened.set_life(life);
    one.opened.set_name(one.name);
    one.opened.set_label(columns[requests::label].bytes);
    one.opened.set_at_unix_ns(columns[requests::opened_at].number);
  }
  one.called = one.name.empty()
                 ? "request " + std::to_string(request_id) + " of "
                     + columns[requests::scheduler].bytes
                 : "run " + one.name;
  if (const auto& label = columns[requests::label].bytes; !label.empty())
    one.called.append(" (").append(label).append(")");
  one.is_closed = one.is_cut_off || is_there(columns[requests::closed_at]);
  one.has_state = is_there(columns[requests::state]);
  if (wire::Tally tally;
      !where.is_older && reads(columns[requests::tally], tally))
    one.tally = std::move(tally);
  lives_ = std::max(lives_, columns[requests::life].number + 1);
  requests_.emplace(it.id, std::move(one));
}

/// Requests that only others know: an index, or their works. By key.
std::map<std::int64_t, row> salvage::lost_requests() {
  std::map<std::int64_t, row> lost;
  auto found = [&](std::int64_t key, const std::string& scheduler,
                   std::int64_t request_id, std::int64_t life) {
    if (!is_key(key) || requests_.contains(key) || lost.contains(key))
      return;
    auto& it = lost[key];
    it.id = key;
    it.columns.assign(requests::columns, nothing());
    it.columns[epoch_at] = number(0);
    it.columns[requests::scheduler] = text(scheduler);
    it.columns[requests::request] = number(request_id);
    it.columns[requests::life] = number(life);
    it.columns[requests::name] = text("");
    it.columns[requests::label] = text("");
    it.columns[requests::opened_at] = number(0);
    it.columns[requests::opened].is_readable = false;
    it.columns[requests::tally].is_readable = false;
  };
  for (const auto& one : names_.requests)
    found(one.id, one.scheduler, one.request, one.life);
  for (const auto& where : rows_.works) {
    const auto key = row_id{where.id}.key();
    if (requests_.contains(key) || lost.contains(key))
      continue;
    wire::AcceptedFact accepted;
    const auto it = reader_.read(where);
    if (is_readable(it, works::accepted, works::accepted)
        && reads(it.columns[works::accepted], accepted))
      found(key, "",
            static_cast<std::int64_t>(accepted.work_id().request().value()),
            static_cast<std::int64_t>(accepted.work_id().life()));
  }
  return lost;
}

// Events that tell the end of a task say whose it is; else an index may.
void salvage::name_lost(std::map<std::int64_t, row>& lost) {
  if (lost.empty())
    return;
  for (const auto& where : rows_.events) {
    const auto it = reader_.read(where);
    wire::Event event;
    if (!is_readable(it, 1, events::event)
        || !is_there(it.columns[events::about]))
      continue;
    const auto whose =
      lost.find(row_id{it.columns[events::about].number}.key());
    if (whose == lost.end()
        || !whose->second.columns[requests::name].bytes.empty()
        || !reads(it.columns[events::event], event))
      continue;
    whose->second.columns[requests::name] = text(event.run_id());
    whose->second.columns[requests::opened_at] = number(event.ts_ns());
  }
  for (auto& [key, it] : lost)
    if (it.columns[requests::name].bytes.empty())
      it.columns[requests::name] = text(name_in_index(key));
}

// Two indexes look alike: that of requests, and that of streams. What one of
// them says of a stream with this number is known.
std::string salvage::name_in_index(std::int64_t key) {
  std::vector<std::string> all;
  for (const auto& one : names_.called)
    if (one.id == key)
      all.push_back(one.text);
  for (const auto& where : rows_.streams)
    if (where.id == key)
      if (const auto stream =
            std::find(all.begin(), all.end(),
                      reader_.read(where).columns[streams::run].bytes);
          stream != all.end())
        all.erase(stream);
  return all.size() == 1 ? all.front() : "";
}

void salvage::bring_request(request& whose) {
  auto it = whose.made ? std::move(*whose.made) : reader_.read(whose.where);
  auto& columns = it.columns;
  const auto& id = whose.opened;
  auto close = [&](const std::string& word, std::int64_t at, const char* lost) {
    wire::ClosedFact closed;
    *closed.mutable_request() = id.request();
    closed.set_life(id.life());
    closed.set_word(word);
    closed.set_at_unix_ns(at);
    closed.set_status(to_wire(request_status::failed));
    *closed.mutable_failure() =
      to_wire(failure{errc::journal_damaged,
                      lost
                        + std::string{" was lost from a journal that was "
                                      "damaged"}});
    columns[requests::closed_at] = number(at);
    columns[requests::word] = text(word);
    columns[requests::closed] = blob(closed);
  };
  const auto had_closed = is_there(columns[requests::closed_at]);
  if (whose.is_cut_off) {
    columns[requests::opened] = blob(id);
    lose(whose.name, "run", whose.name,
         whose.called
           + ": what it was to do cannot be read; it can be looked at, but not "
             "resumed");
    if (!had_closed)
      close(lost_word, id.at_unix_ns(), "its beginning");
  }
  if (wire::ClosedFact closed;
      had_closed && !reads(columns[requests::closed], closed)) {
    if (!whose.is_cut_off)
      lose(whose.name, "run", whose.name,
           whose.called + ": only the word is left of its end, "
             + columns[requests::word].bytes);
    close(columns[requests::word].bytes, columns[requests::closed_at].number,
          "its end");
  }
  if (whose.has_state
      && (!columns[requests::state].is_readable || whose.where.is_older)) {
    columns[requests::state] = nothing();
    lose(whose.name, "state", whose.name,
         whose.called + ": its state cannot be read"
           + (whose.is_closed ? "" : ", so it counts as failed"));
    if (!whose.is_closed)
      close("failed", id.at_unix_ns(), "its state");
  }
  columns[requests::tally] = blob(whose.tally.value_or(wire::Tally{}));
  epoch_ = std::max(epoch_, columns[epoch_at].number);
  into_.put("requests", it);
  ++report_.requests;
}

// --- works

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
  std::vector<work> all(count);
  for (const auto& where : rows) {
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

// --- events

void salvage::bring_events() {
  std::map<std::int64_t, row_place> heads;
  for (const auto& one : rows_.streams)
    if (is_key(one.id))
      heads.emplace(one.id, one);
  for (const auto& one : rows_.events)
    heads.emplace(row_id{one.id}.key(), row_place{});
  for (const auto& [key, head] : heads)
    bring_stream(key, owned_by(key, rows_.events));
}

void salvage::bring_stream(std::int64_t key, std::span<const row_place> rows) {
  row head;
  const auto known = std::lower_bound(
    rows_.streams.begin(), rows_.streams.end(), key,
    [](const row_place& a, std::int64_t id) { return a.id < id; });
  if (known != rows_.streams.end() && known->id == key)
    head = reader_.read(*known);
  const auto is_known = is_readable(head, streams::run, streams::ended);
  std::string run = is_known ? head.columns[streams::run].bytes : "";
  std::uint64_t next = 1;
  auto ended = false;
  auto ts_ns = std::int64_t{0};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> holes;
  for (const auto& where : rows) {
    auto it = reader_.read(where);
    wire::Event event;
    if (!is_readable(it, 1, events::event)
        || !reads(it.columns[events::event], event))
      continue;
    const auto place = row_id{where.id}.place();
    if (place > next)
      holes.emplace_back(next, place - 1);
    next = place + 1;
    run = event.run_id();
    ended = event.has_run_done();
    ts_ns = event.ts_ns();
    bring_event(std::move(it));
  }
  if (is_known && !known->is_older) {
    const auto last =
      static_cast<std::uint64_t>(head.columns[streams::next].number);
    if (last > next)
      holes.emplace_back(next, last - 1);
    next = std::max(next, last);
    ended = ended || head.columns[streams::ended].number != 0;
  }
  if (run.empty())
    return; // nothing is left of it
  for (const auto& [first, last] : holes)
    put_gap(key, run, first, last, ts_ns);
  head.id = key;
  head.columns.assign(4, nothing());
  head.columns[streams::run] = text(run);
  head.columns[streams::next] = number(static_cast<std::int64_t>(next));
  head.columns[streams::ended] = number(ended ? 1 : 0);
  into_.put("streams", head);
}

// What it leaves to its work's row may be lost, and then it says so.
void salvage::bring_event(row&& it) {
  auto& about = it.columns[events::about];
  if (is_there(about)
      && (lost_works_.contains(about.number)
          || !requests_.contains(row_id{about.number}.key()))) {
    wire::Event event;
    event.ParseFromString(it.columns[events::event].bytes);
    event.mutable_agent_done()->set_trimmed(true);
    it.columns[events::event] = blob(event);
    about = nothing();
  }
  epoch_ = std::max(epoch_, it.columns[epoch_at].number);
  into_.put("events", it);
  ++report_.events;
}

void salvage::put_gap(std::int64_t stream, const std::string& run,
                      std::uint64_t first, std::uint64_t last,
                      std::int64_t ts_ns) {
  wire::Event event;
  event.set_run_id(run);
  event.set_number(last);
  event.set_ts_ns(ts_ns);
  event.mutable_gap()->set_first(first);
  event.mutable_gap()->set_last(last);
  row made;
  made.id = row_id::of(stream, last).value;
  made.columns.assign(4, nothing());
  made.columns[epoch_at] = number(epoch_);
  made.columns[events::event] = blob(event);
  into_.put("events", made);
  auto range = std::to_string(first);
  if (last > first)
    range.append("-").append(std::to_string(last));
  lose(run, "events", range,
       "run " + run + (first == last ? ": event " : ": events ") + range
         + " cannot be read");
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
