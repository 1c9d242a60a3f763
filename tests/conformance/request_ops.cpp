#include "tests/conformance/answers.hpp"
#include "tests/conformance/ops.hpp"

namespace turnstile::conformance {

namespace {

/// What the seed has no settings for, each with its value.
void option(words& in, scheduler_settings& settings) {
  const auto name = in.take("option");
  if (name == "per_request")
    settings.limits.max_queued_per_request = in.number("per_request");
  else if (name == "conflicts")
    settings.max_conflicts = static_cast<std::uint32_t>(in.number("conflicts"));
  else if (name == "reclaim")
    settings.reclaim_after = in.time().time_since_epoch();
  else if (name == "overdue")
    settings.overdue_after = in.time().time_since_epoch();
  else if (name == "ended")
    settings.keep.max_ended_requests = in.number("ended");
  else if (name == "states")
    settings.keep.max_retained_states = in.number("states");
  else if (name == "exceptions")
    settings.keep.max_exceptions_per_request = in.number("exceptions");
  else if (name == "held")
    settings.hold_until_durable = in.flag("held");
  else
    throw malformed{"unknown option " + name};
}

std::string begin(world& w, words& in, scheduler_settings settings) {
  while (!in.empty())
    option(in, settings);
  in.end();
  if (auto valid = validate(settings.limits); !valid)
    return error(valid.error());
  w.reset(settings);
  return "ok";
}

std::string new_(world& w, words& in) {
  scheduler_settings settings;
  auto& limits = settings.limits;
  limits.max_active_requests = in.number("max_active");
  limits.max_queued_work = in.number("max_queued_work");
  limits.max_new_submissions_per_turn = in.number("per turn");
  limits.max_in_flight_global = in.number("in flight");
  limits.max_in_flight_per_request = in.number("per request");
  limits.execution_slice = in.number("slice");
  return begin(w, in, settings);
}

std::string new2(world& w, words& in) {
  const auto active = in.number("max_active");
  const auto queued = in.number("max_queued_work");
  scheduler_settings settings;
  settings.limits = scheduler_limits::of(active, queued);
  return begin(w, in, settings);
}

std::string register_(world& w, words& in) {
  const auto id = in.request();
  const auto parallel = in.flag("parallel");
  const auto value = in.number("value");
  in.end();
  const auto was = w.faults.parallel[id];
  w.faults.parallel[id] = parallel; // the state is asked at once
  auto done =
    w.under_test().register_request(id, harness_state{value, 0, id, &w.faults});
  if (done)
    return "ok";
  w.faults.parallel[id] = was;
  return error(done.error());
}

std::string validate_(world& w, words& in) {
  const auto id = in.request();
  in.end();
  auto may = w.under_test().validate_registration(id);
  return may ? "ok" : error(may.error());
}

std::string set_permission(world& w, words& in,
                           std::map<request_id, bool> fault_plan::*which) {
  const auto id = in.request();
  const auto on = in.flag("permission");
  in.end();
  (w.faults.*which)[id] = on;
  w.under_test().refresh_permissions(id);
  return "ok";
}

std::string parallel(world& w, words& in) {
  return set_permission(w, in, &fault_plan::parallel);
}

std::string ordered(world& w, words& in) {
  return set_permission(w, in, &fault_plan::ordered);
}

std::string strict(world& w, words& in) {
  return set_permission(w, in, &fault_plan::strict);
}

std::string cancel(world& w, words& in) {
  const auto id = in.request();
  const auto now = in.time();
  in.end();
  return simple(w, w.under_test().cancel(id, now));
}

std::string cancel_distributed(world& w, words& in) {
  const auto protocol = in.number("protocol");
  const auto id = in.request();
  const auto now = in.time();
  in.end();
  return simple(w,
                w.under_test().cancel_distributed(protocol, id, *w.group, now));
}

std::string finish(world& w, words& in) {
  const auto id = in.request();
  const auto now = in.empty() ? instant{} : in.time();
  in.end();
  return simple(w, w.under_test().finish(id, now));
}

std::string release(world& w, words& in) {
  const auto id = in.request();
  in.end();
  auto state = w.under_test().release(id);
  if (!state)
    return error(state.error());
  return "ok " + std::to_string(state->value) + " "
         + std::to_string(state->commits);
}

std::string forget(world& w, words& in) {
  const auto id = in.request();
  in.end();
  auto how = w.under_test().forget(id);
  return how ? "ok " + std::string{to_string(*how)} : error(how.error());
}

std::string state_add(world& w, words& in) {
  const auto id = in.request();
  const auto add = in.number("number");
  in.end();
  std::uint64_t value = 0;
  auto done = w.under_test().edit_state(
    id, [&](harness_state& state) { value = state.value += add; });
  return done ? "ok " + std::to_string(value) : error(done.error());
}

std::string keep(world& w, words& in) {
  const auto on = in.flag("keep");
  in.end();
  w.keep_states = on;
  return "ok";
}

} // namespace

const op_table& request_ops() {
  static const op_table table{
    {"new", new_},
    {"new2", new2},
    {"register", register_},
    {"validate", validate_},
    {"parallel", parallel},
    {"ordered", ordered},
    {"strict", strict},
    {"cancel", cancel},
    {"cancel_distributed", cancel_distributed},
    {"finish", finish},
    {"release", release},
    {"forget", forget},
    {"state_add", state_add},
    {"keep", keep},
  };
  return table;
}

} // namespace turnstile::conformance
