#include "actors/agent/uuid.hpp"
#include "actors/journal/journal_file.hpp"
#include "actors/node/cancel_in_journal.hpp"
#include "actors/node/exit_code.hpp"
#include "actors/node/explain.hpp"
#include "actors/node/json_text.hpp"
#include "actors/node/look_flags.hpp"
#include "actors/node/past_run.hpp"
#include "actors/node/print.hpp"
#include "actors/node/run_json.hpp"
#include "actors/node/run_summary.hpp"
#include "actors/node/standard_streams.hpp"
#include "messages/event_json.hpp"
#include "messages/json/unix_time.hpp"
#include "messages/translate.hpp"

#include <chrono>
#include <filesystem>
#include <thread>
#include <unistd.h>
#include <utility>

namespace turnstile::node {

namespace {

std::string unix_time_text(std::int64_t unix_ns) {
  return detail::to_rfc3339(unix_ns);
}

int print_or_fail(const std::string& text, int code = exit_ok) {
  return print(text) ? code : exit_tasks_failed;
}

std::string word_of(const request_head& run) {
  return run.word.empty() ? "unended" : run.word;
}

/// A run in one object, as `list` and `status` show it.
json object_of(const request_head& run) {
  json ended = json::object();
  for (const auto& [word, works] : run.tally.ended())
    ended[word] = works;
  return {{"run", run.name},
          {"name", run.label},
          {"status", word_of(run)},
          {"opened", unix_time_text(run.opened_at)},
          {"closed", run.closed_at ? json(unix_time_text(*run.closed_at))
                                   : json(nullptr)},
          {"accepted", run.tally.accepted()},
          {"ended", std::move(ended)}};
}

std::string line_of(const request_head& run) {
  std::uint64_t ended = 0;
  std::string words;
  for (const auto& [word, works] : run.tally.ended()) {
    ended += works;
    words += ", " + std::to_string(works) + ' ' + word;
  }
  return run.name + "  " + word_of(run) + "  " + run.label + "  "
         + unix_time_text(run.opened_at).substr(0, 19) + "  "
         + std::to_string(ended) + '/' + std::to_string(run.tally.accepted())
         + words + '\n';
}

/// Finds the run that is meant, and calls `then(journal, head)`.
template <class Then>
int with_run(const look_flags& flags, Then then) {
  auto journal = journal_view::open(flags.journal);
  if (!journal)
    return complain(journal.error());
  auto run = find_run(*journal, flags.run, false);
  if (!run)
    return complain(run.error());
  return then(*journal, *run);
}

/// An event as people read it: when, what, and what is said of it.
std::string text_of(const wire::Event& event) {
  auto all = read_json(event_json(event));
  auto text = std::to_string(event.number()) + "  "
              + unix_time_text(event.ts_ns()).substr(11, 12) + "  "
              + event_type(event);
  for (const auto* left_out : {"type", "run_id", "number", "ts"})
    all.erase(left_out);
  for (const auto& [key, value] : all.items())
    if (!value.is_null() && value != "" && value != json::array())
      text += "  " + key + '=' + write_json(value);
  return text + '\n';
}

} // namespace

int list_runs(const look_flags& flags) {
  auto journal = journal_view::open(flags.journal);
  if (!journal)
    return complain(journal.error());
  auto runs = journal->see(
    [](journal_reader& reader) -> result<std::vector<request_head>> {
      return reader.all(10'000);
    });
  if (!runs)
    return complain(runs.error());
  if (flags.json) {
    auto all = json::array();
    for (const auto& run : *runs)
      all.push_back(object_of(run));
    return print_or_fail(write_json({{"runs", std::move(all)}}, 2) + '\n');
  }
  std::string text;
  for (const auto& run : *runs)
    text += line_of(run);
  return print_or_fail(text);
}

int tell_status(const look_flags& flags) {
  return with_run(flags, [&](journal_view&, const request_head& run) {
    return print_or_fail(flags.json ? write_json(object_of(run), 2) + '\n'
                                    : line_of(run));
  });
}

int tell_report(const look_flags& flags) {
  return with_run(flags, [&](journal_view& journal, const request_head& run) {
    auto past = read_past_run(journal, run);
    if (!past)
      return complain(past.error());
    auto result = read_result(journal, *past);
    if (!result)
      return complain(result.error());
    return print_or_fail(
      flags.json ? to_json(*result)
                 : to_text(*result, past->plan, look_of(STDOUT_FILENO)),
      exit_code(*result, false));
  });
}

int tell_events(const look_flags& flags) {
  return with_run(flags, [&](journal_view& journal, const request_head& run) {
    auto from = flags.from;
    for (;;) {
      auto batch =
        journal.see([&](journal_reader& reader) -> result<wire::EventBatch> {
          return reader.events(run.name, from, 0);
        });
      if (!batch)
        return complain(batch.error());
      std::string text;
      for (const auto& event : batch->events())
        text += flags.json ? event_json(event) + '\n' : text_of(event);
      if (!text.empty() && !print(text))
        return exit_tasks_failed;
      if (batch->ended() || (batch->events_size() == 0 && !flags.follow))
        return exit_ok;
      if (batch->events_size() == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
      from = batch->next();
    }
  });
}

int cancel_run(const look_flags& flags) {
  return with_run(flags, [&](journal_view& journal, const request_head& run) {
    if (run.closed_at) {
      say("run " + run.name + " has ended already: " + run.word);
      return run.word == "cancelled" ? exit_ok : exit_wrong_input;
    }
    std::string agent;
    if (!flags.task.empty()) {
      auto known = journal.see(
        [&](journal_reader& reader) -> result<std::vector<work_head>> {
          return reader.works_called(run, flags.task);
        });
      if (!known)
        return complain(known.error());
      if (known->size() > 1)
        return complain({errc::invalid_argument,
                         std::to_string(known->size()) + " tasks of run "
                           + run.name + " are called " + flags.task});
      // One that has not come in yet is known to its run by this.
      agent = known->empty() ? uuid_within(run.name, flags.task)
                             : known->front().name;
    }
    auto done = cancel_in_journal(flags.journal, run, agent);
    if (!done)
      return complain(done.error());
    return exit_ok;
  });
}

int explain_task(const look_flags& flags) {
  return with_run(flags, [&](journal_view& journal, const request_head& run) {
    auto past = read_past_run(journal, run);
    if (!past)
      return complain(past.error());
    auto why = explain(journal, *past, flags.task);
    if (!why)
      return complain(why.error());
    return print_or_fail(flags.json ? to_json(*why) : to_text(*why));
  });
}

int verify_journal(const look_flags& flags) {
  auto journal = journal_view::open(flags.journal);
  if (!journal)
    return complain(journal.error());
  auto wrong = journal->verify();
  if (!wrong)
    return complain(wrong.error());
  if (flags.json) {
    const json whole = {{"journal", flags.journal},
                        {"wrong", *wrong},
                        {"dropped_frames", journal->dropped().frames}};
    return print_or_fail(write_json(whole, 2) + '\n',
                         wrong->empty() ? exit_ok : exit_journal_refused);
  }
  std::string text;
  for (const auto& line : *wrong)
    text += flags.journal + ": " + line + '\n';
  if (wrong->empty())
    text = flags.journal + ": nothing is wrong\n";
  else
    text +=
      "turnstile journal repair " + flags.journal + " saves what is left\n";
  if (journal->dropped().frames > 0)
    text += to_string(journal->dropped(), flags.journal) + '\n';
  return print_or_fail(text, wrong->empty() ? exit_ok : exit_journal_refused);
}

int compact_journal(const look_flags& flags) {
  if (auto there = journal_view::open(flags.journal); !there)
    return complain(there.error());
  const auto before = std::filesystem::file_size(flags.journal);
  journal_file_options how;
  how.path = flags.journal;
  auto file = journal_file::open(std::move(how));
  if (!file)
    return complain(file.error());
  if (auto kept = (*file)->retain(flags.kept); !kept)
    return complain(kept.error());
  if (auto done = (*file)->compact(); !done)
    return complain(done.error());
  const auto after = std::filesystem::file_size(flags.journal);
  if (flags.json)
    return print_or_fail(write_json({{"journal", flags.journal},
                                     {"bytes_before", before},
                                     {"bytes_after", after}},
                                    2)
                         + '\n');
  return print_or_fail(flags.journal + ": " + std::to_string(before)
                       + " bytes before, " + std::to_string(after)
                       + " bytes now\n");
}

int look(const look_flags& flags) {
  switch (flags.what) {
  case look_flags::verb::list:
    return list_runs(flags);
  case look_flags::verb::status:
    return tell_status(flags);
  case look_flags::verb::report:
    return tell_report(flags);
  case look_flags::verb::events:
    return tell_events(flags);
  case look_flags::verb::cancel:
    return flags.connect.empty() ? cancel_run(flags) : cancel_connected(flags);
  case look_flags::verb::explain:
    return explain_task(flags);
  case look_flags::verb::verify:
    return verify_journal(flags);
  case look_flags::verb::compact:
    return compact_journal(flags);
  case look_flags::verb::nodes:
    return tell_nodes(flags);
  case look_flags::verb::repair:
    return repair_journal(flags);
  }
  return exit_wrong_input;
}

} // namespace turnstile::node
