#include "tests/conformance/answers.hpp"
#include "tests/conformance/ops.hpp"

namespace turnstile::conformance {

namespace {

std::string enqueue_with(world& w, words& in, bool dated) {
  const auto id = in.request();
  auto work = in.work();
  work_options options;
  if (dated)
    options.deadline = in.deadline();
  while (!in.empty()) {
    if (in.take_if("work"))
      options.policy.ends = deadline_policy::scope::work;
    else if (in.take_if("until_commit"))
      options.policy.lasts = deadline_policy::until::commit;
    else
      throw malformed{"unknown policy " + in.take("policy")};
  }
  in.end();
  auto done = w.under_test().enqueue(id, std::move(work), options);
  return done ? "ok " + to_string(*done) : error(done.error());
}

std::string enqueue(world& w, words& in) {
  return enqueue_with(w, in, false);
}

std::string enqueue_deadline(world& w, words& in) {
  return enqueue_with(w, in, true);
}

std::string enqueue_batch(world& w, words& in) {
  const auto id = in.request();
  std::vector<harness_work> works;
  while (!in.empty())
    works.push_back(in.work());
  in.end();
  auto done = w.under_test().enqueue_batch(id, std::move(works));
  if (!done)
    return error(done.error());
  auto out = "ok " + std::to_string(done->size());
  for (const auto& work : *done)
    out += " " + to_string(work);
  return out;
}

std::string fault(world& w, words& in) {
  static const std::map<std::string, fault_kind, std::less<>> kinds{
    {"branch", fault_kind::branch},
    {"commit", fault_kind::commit},
    {"discard", fault_kind::discard},
    {"apply", fault_kind::apply}};
  const auto id = in.request();
  const auto& name = in.take("kind");
  const auto kind = kinds.find(name);
  if (kind == kinds.end())
    throw malformed{"unknown fault " + name};
  fault_plan::fault planned{in.signed_number("count"), false, false};
  while (!in.empty()) {
    if (in.take_if("throws"))
      planned.throws = true;
    else if (in.take_if("conflicts"))
      planned.conflicts = true;
    else
      throw malformed{"unknown way to fail " + in.take("way")};
  }
  in.end();
  w.faults.faults[{kind->second, id}] = planned;
  return "ok";
}

world::plan answering(words& in) {
  world::plan planned;
  const auto& stage = in.take("stage");
  if (stage == "done")
    planned.stage = handle::stage::done;
  else if (stage == "fail")
    planned.stage = handle::stage::failed;
  else if (stage != "pending")
    throw malformed{"unknown stage " + stage};
  if (const auto& backend = in.take("backend"); backend != "-")
    planned.backend = backend;
  planned.preemptible = in.flag("preemptible");
  planned.resources = in.number("resources");
  return planned;
}

std::string exec(world& w, words& in) {
  std::optional<work_key> key;
  if (!in.take_if("default"))
    key = in.work_id();
  world::plan planned;
  if (in.take_if("ok")) {
    planned = answering(in);
  } else if (in.take_if("err")) {
    planned.refuses = true;
    planned.message = in.rest();
  } else if (in.take_if("throw")) {
    planned.throws = true;
    planned.message = in.rest();
  } else {
    throw malformed{"expected ok, err or throw"};
  }
  in.end();
  (key ? w.plans[*key] : w.default_plan) = planned;
  return "ok";
}

std::string set_stage(world& w, words& in, handle::stage stage) {
  const auto key = in.work_id();
  in.end();
  auto found = w.handles.find(key);
  if (found == w.handles.end())
    return "none";
  found->second->now = stage;
  return "ok";
}

std::string set_done(world& w, words& in) {
  return set_stage(w, in, handle::stage::done);
}

std::string set_fail(world& w, words& in) {
  return set_stage(w, in, handle::stage::failed);
}

std::string set_pending(world& w, words& in) {
  return set_stage(w, in, handle::stage::pending);
}

std::string set_throw(world& w, words& in) {
  return set_stage(w, in, handle::stage::throws);
}

std::string set_res(world& w, words& in) {
  const auto key = in.work_id();
  const auto resources = in.number("resources");
  in.end();
  auto found = w.handles.find(key);
  if (found == w.handles.end())
    return "none";
  found->second->resources = resources;
  static_cast<void>(w.under_test().resources_changed(w.newest(key), resources));
  return "ok";
}

std::string resources(world& w, words& in) {
  const auto key = in.work_id();
  const auto now = in.number("resources");
  in.end();
  auto done = w.under_test().resources_changed(w.newest(key), now);
  return done ? "ok" : error(done.error());
}

} // namespace

const op_table& work_ops() {
  static const op_table table{
    {"enqueue", enqueue},
    {"enqueue_deadline", enqueue_deadline},
    {"enqueue_batch", enqueue_batch},
    {"fault", fault},
    {"exec", exec},
    {"set_done", set_done},
    {"set_fail", set_fail},
    {"set_pending", set_pending},
    {"set_throw", set_throw},
    {"set_res", set_res},
    {"resources", resources},
  };
  return table;
}

} // namespace turnstile::conformance
