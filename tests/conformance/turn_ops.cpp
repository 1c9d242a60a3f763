#include "tests/conformance/answers.hpp"
#include "tests/conformance/ops.hpp"

namespace turnstile::conformance {

namespace {

std::string prepare(world& w, words& in) {
  const auto limit = in.number("limit");
  const auto now = in.time();
  in.end();
  auto done = w.under_test().prepare_bounded(limit, now);
  if (!done)
    return error(done.error());
  w.look_at(*done);
  return "ok " + std::to_string(done->prepared);
}

std::string submit(world& w, words& in) {
  const auto now = in.time();
  in.end();
  auto done = w.under_test().submit_prepared(now, w.executor());
  if (!done)
    return with_calls(w, error(done.error()));
  w.look_at(*done);
  return with_calls(w, "ok " + std::to_string(done->submitted.size()));
}

std::string poll(world& w, words& in) {
  const auto now = in.time();
  in.end();
  return progress(w, w.under_test().poll_completions(now));
}

std::string local(world& w, words& in) {
  const auto now = in.time();
  in.end();
  return turn(w, w.under_test().run_local_turn(now, w.executor()));
}

std::string distributed(world& w, words& in) {
  const auto protocol = in.number("protocol");
  const auto now = in.time();
  in.end();
  return turn(w, w.under_test().run_distributed_turn(protocol, *w.group, now,
                                                     w.executor()));
}

std::string transport(world& w, words& in) {
  const auto ranks = in.number("ranks");
  const auto later = in.take_if("later");
  in.end();
  if (later)
    w.group = std::make_unique<later_group>(ranks);
  else
    w.group = std::make_unique<mirror_group>(ranks);
  return "ok";
}

/// `resume T [lost | RANK WORD VALUE]`: the others answer as this rank did, or
/// never, or one of them says something else at one word.
std::string resume(world& w, words& in) {
  const auto now = in.time();
  const auto lost = in.take_if("lost");
  auto* group = dynamic_cast<later_group*>(w.group.get());
  if (group == nullptr)
    throw malformed{"the ranks do not answer later"};
  std::vector<frame> frames(group->ranks(), group->asked);
  for (std::size_t rank = 0; rank < frames.size(); ++rank)
    frames[rank].rank = rank;
  if (!lost && !in.empty()) {
    const auto rank = in.number("rank");
    const auto word = in.number("word");
    if (rank >= frames.size() || word >= frames[rank].words.size())
      throw malformed{"no such word"};
    frames[rank].words[word] = in.number("value");
  }
  in.end();
  result<std::vector<frame>> answer{std::move(frames)};
  if (lost)
    answer = fail(errc::consensus, "the others were lost");
  return turn(w,
              w.under_test().resume_turn(std::move(answer), now, w.executor()));
}

std::string requeue(world& w, words& in) {
  const auto key = in.work_id();
  const auto not_before = in.deadline();
  const auto now = in.time();
  in.end();
  return simple(w, w.under_test().requeue(w.newest(key), not_before, now));
}

std::string park(world& w, words& in) {
  const auto key = in.work_id();
  const auto now = in.time();
  in.end();
  return simple(w, w.under_test().park(w.newest(key), now));
}

std::string unpark(world& w, words& in) {
  const auto key = in.work_id();
  const auto now = in.time();
  in.end();
  return simple(w, w.under_test().unpark(w.newest(key), now));
}

/// Whom a pushed completion is for: `[life L] [number N]` may follow.
struct pushed {
  work_id id;
  std::uint32_t number = 0;
};

pushed addressed(world& w, words& in, const work_key& key) {
  pushed to{w.newest(key), 0};
  while (!in.empty()) {
    if (in.take_if("life"))
      to.id.life = in.number("life");
    else if (in.take_if("number"))
      to.number = static_cast<std::uint32_t>(in.number("number"));
    else
      throw malformed{"unknown address " + in.take("address")};
  }
  in.end();
  return to;
}

/// `complete ID T [add N]`, and the address.
std::string complete(world& w, words& in) {
  const auto key = in.work_id();
  const auto now = in.time();
  harness_outcome outcome;
  if (in.take_if("add"))
    outcome.add = in.number("add");
  const auto to = addressed(w, in, key);
  return progress(w, w.under_test().complete(to.id, outcome, now, to.number));
}

std::string complete_fail(world& w, words& in) {
  const auto key = in.work_id();
  const auto now = in.time();
  const auto to = addressed(w, in, key);
  return progress(
    w, w.under_test().complete(to.id, fail(errc::completion, "pushed fault"),
                               now, to.number));
}

/// Notes a completion and settles nothing.
std::string observe(world& w, words& in) {
  const auto key = in.work_id();
  const auto fails = in.take_if("fails");
  const auto to = addressed(w, in, key);
  world::core::completion what{harness_outcome{}};
  if (fails)
    what = fail(errc::completion, "pushed fault");
  return w.under_test().observe(to.id, std::move(what), to.number) ? "ok"
                                                                   : "stale";
}

std::string durable(world& w, words& in) {
  const auto position = in.number("position");
  const auto now = in.time();
  in.end();
  return progress(w, w.under_test().durable(position, now));
}

std::string poison_now(world& w, words& in) {
  const auto now = in.time();
  in.end();
  return progress(w, w.under_test().poison("by the script", now));
}

} // namespace

const op_table& turn_ops() {
  static const op_table table{
    {"prepare", prepare},
    {"submit", submit},
    {"poll", poll},
    {"local", local},
    {"distributed", distributed},
    {"transport", transport},
    {"resume", resume},
    {"requeue", requeue},
    {"park", park},
    {"unpark", unpark},
    {"complete", complete},
    {"complete_fail", complete_fail},
    {"observe", observe},
    {"durable", durable},
    {"poison_now", poison_now},
  };
  return table;
}

} // namespace turnstile::conformance
