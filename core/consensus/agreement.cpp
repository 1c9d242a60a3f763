#include "core/consensus/agreement.hpp"

#include "core/consensus/side_by_side.hpp"
#include "core/work/work_table.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace turnstile {

namespace {

constexpr auto conflict = static_cast<std::uint64_t>(errc::conflict);

/// A name that is put together when it is needed.
auto named(std::string_view before, std::uint64_t number, const char* field) {
  return [=] {
    return std::string{before} + " " + std::to_string(number) + ": " + field;
  };
}

auto named(std::string_view before, const work_id& id, const char* field) {
  return
    [=] { return std::string{before} + " " + to_string(id) + ": " + field; };
}

auto plainly(const char* field) {
  return [=] { return std::string{field}; };
}

/// Reads the three words of an identity, and names them by ours.
work_id read_identity(side_by_side& both, const char* what) {
  const work_id id{{both.ahead(0)}, both.ahead(2), both.ahead(1)};
  for (const auto* field : {"request", "life", "sequence"})
    both.same(named(what, id, field));
  return id;
}

void add_words(std::string& into, const side_by_side& both,
               std::uint64_t place) {
  if (!into.empty())
    into += "; ";
  into += "rank " + std::to_string(both.their_frame().rank) + ": ";
  into += text_of(both.their_frame(), place);
}

/// Adds what their verdict says to what the lower ranks' said.
void add_verdict(agreed_failure& into, const side_by_side& both,
                 const side_by_side::opinions& said) {
  if (said.theirs == 0)
    return;
  if (!into)
    into = failure{static_cast<errc>(said.theirs), {}};
  add_words(into->detail, both, said.place);
}

/// A rank that was poisoned says so instead of what it is asked.
status nobody_stopped(const frame& local, const std::vector<frame>& all) {
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (const auto& said = all[rank];
        said.kind == frame_kind::poisoned && local.kind != said.kind
        && said.rank == rank && rank != local.rank && said.words.empty()
        && said.texts.size() == 1)
      return fail(errc::consensus, "rank " + std::to_string(rank)
                                     + " had stopped before round "
                                     + std::to_string(local.round) + ": "
                                     + said.texts.front().text);
  return {};
}

/// Lets `read` read each rank's frame beside ours.
template <class Read>
status read_all(const frame& local, const std::vector<frame>& all,
                Read&& read) {
  if (auto go_on = nobody_stopped(local, all); !go_on)
    return go_on;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    side_by_side both{local, all[rank], rank};
    read(both);
    if (auto same = both.end(); !same)
      return same;
  }
  return {};
}

// --- observation

struct tally {
  bool failed = false;
  bool incomplete = false;
  std::string why;
};

void count(tally& into, side_by_side& both, const side_by_side::opinions& said,
           const work_id& id) {
  switch (said.theirs) {
  case static_cast<std::uint64_t>(observation::incomplete):
    into.incomplete = true;
    break;
  case static_cast<std::uint64_t>(observation::complete):
    break;
  case static_cast<std::uint64_t>(observation::failed):
    into.failed = true;
    add_words(into.why, both, said.place);
    break;
  default:
    both.means_nothing(named("work", id, "seen")(), said.theirs);
  }
}

resolution resolution_of(const tally& of) {
  if (of.failed)
    return of.incomplete ? resolution::failed_pending
                         : resolution::failed_complete;
  return of.incomplete ? resolution::incomplete : resolution::complete;
}

void read_works_seen(side_by_side& both, std::vector<tally>& works) {
  const auto expired = both.same(plainly("expired requests"));
  for (std::uint64_t i = 0; i < expired; ++i)
    both.same(named("expired request", i, "request"));
  works.resize(both.same(plainly("works")));
  for (auto& work : works) {
    const auto id = read_identity(both, "work");
    const auto said = both.opinion(named("work", id, "seen"));
    count(work, both, said, id);
  }
}

void read_commands(side_by_side& both, std::vector<agreed_failure>& commands) {
  commands.resize(both.same(plainly("commands")));
  for (std::size_t i = 0; i < commands.size(); ++i) {
    for (const auto* field : {"kind", "request", "life", "sequence", "works",
                              "remaining", "policy", "digest"})
      both.same(named("command", i, field));
    add_verdict(commands[i], both, both.verdict(named("command", i, "ready")));
  }
}

// --- schedule

/// What the ranks say of one work of a plan.
struct planned {
  agreed_failure failed;

  /// The descriptor that all who could prepare the work have to have.
  std::optional<std::vector<std::uint64_t>> descriptor;
};

std::vector<std::uint64_t> take_ours(side_by_side& both) {
  std::vector<std::uint64_t> words(both.ours());
  for (auto& word : words)
    word = both.ours();
  return words;
}

std::vector<std::uint64_t> take_theirs(side_by_side& both, const work_id& id) {
  std::vector<std::uint64_t> words;
  const auto length = both.theirs(named("work", id, "descriptor length"));
  while (words.size() < length && both.is_same())
    words.push_back(both.theirs(named("work", id, "descriptor")));
  return words;
}

void expect_theirs(side_by_side& both, const work_id& id,
                   const std::vector<std::uint64_t>& words) {
  both.theirs_is(words.size(), named("work", id, "descriptor length"));
  for (std::size_t i = 0; i < words.size() && both.is_same(); ++i)
    both.theirs_is(words[i], [&] {
      return named("work", id, "descriptor word ")() + std::to_string(i);
    });
}

/// A rank that could not prepare a work has nothing to say of it.
void expect_nothing(side_by_side& both, const work_id& id,
                    const side_by_side::opinions& said) {
  if (both.theirs(named("work", id, "descriptor length")) != 0)
    both.may_not_differ(said, named("work", id, "prepared"));
}

void read_plan(side_by_side& both, std::vector<planned>& works) {
  works.resize(both.same(plainly("works")));
  for (auto& work : works) {
    const auto id = read_identity(both, "work");
    const auto said = both.verdict(named("work", id, "prepared"));
    add_verdict(work.failed, both, said);
    auto ours = take_ours(both);
    if (said.ours == 0 && !work.descriptor)
      work.descriptor = std::move(ours);
    if (said.theirs != 0)
      expect_nothing(both, id, said);
    else if (work.descriptor)
      expect_theirs(both, id, *work.descriptor);
    else
      work.descriptor = take_theirs(both, id);
  }
}

/// Reads which commits went well. One that conflicts is queued again, so that
/// ranks may not differ in that, unless it failed on one of them.
void read_commits(side_by_side& both, std::vector<agreed_failure>& commits) {
  commits.resize(both.same(plainly("commits")));
  for (auto& commit : commits) {
    const auto id = read_identity(both, "commit");
    const auto name = named("commit", id, "committed");
    const auto said = both.verdict(name);
    const auto settled = [](std::uint64_t word) {
      return word == 0 || word == conflict;
    };
    if (!settled(said.theirs))
      add_verdict(commit, both, said);
    else if (settled(said.ours) && said.ours != said.theirs)
      both.may_not_differ(said, name);
  }
}

void read_results(side_by_side& both) {
  const auto commands = both.same(plainly("commands"));
  for (std::uint64_t i = 0; i < commands; ++i)
    both.same(named("command", i, "result"));
}

} // namespace

status agree(const frame& local, const std::vector<frame>& all) {
  return read_all(local, all, [&](side_by_side& both) {
    const auto word = local.kind == frame_kind::disposition
                        ? std::vector<const char*>{"request", "cause"}
                        : std::vector<const char*>{};
    for (std::size_t i = 0; i < local.words.size(); ++i)
      both.same([&] {
        return i < word.size() ? word[i] : "word " + std::to_string(i);
      });
  });
}

result<agreed_observation> agree_observation(const frame& local,
                                             const std::vector<frame>& all) {
  std::vector<tally> works;
  agreed_observation agreed;
  auto same = read_all(local, all, [&](side_by_side& both) {
    read_works_seen(both, works);
    read_commands(both, agreed.commands);
  });
  if (!same)
    return fail(same.error());
  for (auto& work : works)
    agreed.works.push_back({resolution_of(work), std::move(work.why)});
  return agreed;
}

result<agreed_schedule> agree_schedule(const frame& local,
                                       const std::vector<frame>& all) {
  std::vector<planned> works;
  agreed_schedule agreed;
  auto same = read_all(local, all, [&](side_by_side& both) {
    read_plan(both, works);
    read_commits(both, agreed.commits);
    read_results(both);
  });
  if (!same)
    return fail(same.error());
  for (auto& work : works)
    agreed.works.push_back(std::move(work.failed));
  return agreed;
}

result<std::uint64_t> agree_formation(const frame& local,
                                      const std::vector<frame>& all) {
  std::uint64_t life = 0;
  auto same = read_all(local, all, [&](side_by_side& both) {
    life = std::max(life, both.opinion(plainly("next life")).theirs);
    const auto requests = both.same(plainly("requests"));
    for (std::uint64_t i = 0; i < requests; ++i) {
      const request_id id{both.ahead(0)};
      both.same([&] { return "request " + to_string(id) + ": identity"; });
      both.same([&] { return "request " + to_string(id) + ": commits"; });
    }
  });
  if (!same)
    return fail(same.error());
  return life;
}

} // namespace turnstile
