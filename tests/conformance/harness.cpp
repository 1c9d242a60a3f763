#include "tests/conformance/harness.hpp"

#include "core/base/check.hpp"

#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace turnstile::conformance {

namespace {

/// A line that does not follow the protocol.
struct malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The words of one line, taken one by one.
class words {
public:
  explicit words(std::string_view line) {
    std::istringstream in{std::string{line}};
    for (std::string word; in >> word;)
      all_.push_back(std::move(word));
  }

  [[nodiscard]] bool empty() const { return next_ >= all_.size(); }

  const std::string& take(const char* what) {
    if (empty())
      throw malformed{std::string{"missing "} + what};
    return all_[next_++];
  }

  std::uint64_t number(const char* what) {
    const auto& word = take(what);
    if (word == "max")
      return std::numeric_limits<std::uint64_t>::max();
    return parse<std::uint64_t>(word, what);
  }

  std::int64_t signed_number(const char* what) {
    return parse<std::int64_t>(take(what), what);
  }

  bool flag(const char* what) {
    const auto& word = take(what);
    if (word != "0" && word != "1")
      throw malformed{std::string{what} + " must be 0 or 1"};
    return word == "1";
  }

  request_id request() { return {number("request")}; }

  instant time() {
    return instant{duration{static_cast<std::int64_t>(number("time"))}};
  }

  std::optional<instant> deadline() {
    if (!empty() && all_[next_] == "-") {
      ++next_;
      return std::nullopt;
    }
    return time();
  }

  std::pair<request_id, std::uint64_t> work() {
    const auto& word = take("work id");
    auto slash = word.find('/');
    if (slash == std::string::npos)
      throw malformed{"a work id is REQUEST/SEQUENCE"};
    return {{parse<std::uint64_t>(word.substr(0, slash), "work id")},
            parse<std::uint64_t>(word.substr(slash + 1), "work id")};
  }

  void end() const {
    if (!empty())
      throw malformed{"too many words"};
  }

  template <class T>
  static T parse(const std::string& word, const char* what) {
    T value{};
    auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size())
      throw malformed{std::string{what} + " is not a number: " + word};
    return value;
  }

private:
  std::vector<std::string> all_;
  std::size_t next_ = 0;
};

harness_work parse_work(const std::string& word) {
  harness_work work;
  auto first = word.find(':');
  work.payload = words::parse<std::uint32_t>(word.substr(0, first), "payload");
  if (first == std::string::npos)
    return work;
  auto second = word.find(':', first + 1);
  auto slice =
    word.substr(first + 1, second == std::string::npos ? std::string::npos
                                                       : second - first - 1);
  work.slice = slice == "max" ? std::numeric_limits<std::uint64_t>::max()
                              : words::parse<std::uint64_t>(slice, "slice");
  if (second == std::string::npos)
    return work;
  auto flags = word.substr(second + 1);
  if (flags == "-")
    return work;
  for (std::size_t i = 0; i < flags.size();) {
    if (flags[i] == 'e') {
      work.fails = true;
      ++i;
    } else if (flags[i] == 't') {
      work.throws = true;
      ++i;
    } else if (flags[i] == 'x') {
      auto digits = flags.find_first_not_of("0123456789", i + 1);
      auto count =
        flags.substr(i + 1, digits == std::string::npos ? std::string::npos
                                                        : digits - i - 1);
      work.extra_words = words::parse<std::uint32_t>(count, "flag x");
      i = digits == std::string::npos ? flags.size() : digits;
    } else {
      throw malformed{"unknown flag in " + word};
    }
  }
  return work;
}

/// The seed's name of a code; ours where the seed has none.
std::string variant(errc code) {
  switch (code) {
  case errc::invalid_limits:
    return "InvalidLimits";
  case errc::duplicate_request:
    return "DuplicateRequest";
  case errc::unknown_request:
    return "UnknownRequest";
  case errc::capacity:
    return "Capacity";
  case errc::descriptor:
    return "Descriptor";
  case errc::state:
    return "State";
  case errc::submission:
    return "Submission";
  case errc::completion:
    return "Completion";
  case errc::consensus:
    return "Consensus";
  case errc::distributed_completion:
    return "DistributedCompletion";
  case errc::poisoned:
    return "Poisoned";
  case errc::conflict:
    return "Conflict";
  case errc::unknown_work:
    return "UnknownWork";
  default:
    return std::string{to_string(code)};
  }
}

std::string error(const failure& why) {
  return "error " + variant(why.code);
}

std::string_view reason_name(drop_reason reason) {
  switch (reason) {
  case drop_reason::with_request:
    return "with_request";
  case drop_reason::expired:
    return "expired";
  case drop_reason::released:
    return "released";
  case drop_reason::reclaimed:
    return "reclaimed";
  }
  return "unknown";
}

/// Joins what `each` makes of the rows, or `-` if there are none.
template <class Rows, class Each>
std::string list(const Rows& rows, char separator, Each&& each) {
  if (rows.empty())
    return "-";
  std::string out;
  for (const auto& row : rows) {
    if (!out.empty())
      out += separator;
    out += each(row);
  }
  return out;
}

/// The names and values of all 28 fields, in the seed's order.
std::string render(const scheduler_report& r) {
  std::ostringstream out;
  auto put = [&](const char* name, auto value) {
    out << (out.tellp() > 0 ? " " : "") << name << '=' << value;
  };
  auto put_ns = [&](const char* name, std::optional<std::uint64_t> value) {
    put(name, value ? std::to_string(*value) : "-");
  };
  put("active_requests", r.active_requests);
  put("queued_work", r.queued_work);
  put("prepared_work", r.prepared_work);
  put("submitted_in_flight_work", r.submitted_in_flight_work);
  put("completing_work", r.completing_work);
  put("abandoned_in_flight_work", r.abandoned_in_flight_work);
  put("failed_in_flight_work", r.failed_in_flight_work);
  put("current_in_flight_work", r.current_in_flight_work);
  put("peak_in_flight_work", r.peak_in_flight_work);
  put("peak_queued_work", r.peak_queued_work);
  put("submitted_work", r.submitted_work);
  put("completed_work", r.completed_work);
  put("failed_work", r.failed_work);
  put("discarded_work", r.discarded_work);
  put("cancellation_before_submission", r.cancellation_before_submission);
  put("cancellation_after_submission", r.cancellation_after_submission);
  put("abandoned_released_work", r.abandoned_released_work);
  put("abandoned_retained_resources", r.abandoned_retained_resources);
  put("peak_abandoned_retained_resources", r.peak_abandoned_retained_resources);
  put_ns("last_cancellation_to_release_ns", r.last_cancellation_to_release_ns);
  put_ns("max_cancellation_to_release_ns", r.max_cancellation_to_release_ns);
  put("finished_requests", r.finished_requests);
  put("cancelled_requests", r.cancelled_requests);
  put("deadline_expired_requests", r.deadline_expired_requests);
  put("drain_cycles", r.drain_cycles);
  put("configured_submission_bound", r.configured_submission_bound);
  put("configured_slice_bound", r.configured_slice_bound);
  put("poisoned", r.poisoned ? 1 : 0);
  return out.str();
}

} // namespace

struct harness::world {
  using core = scheduler<harness_program>;
  using outcome = core::outcome;
  using verb = std::string (world::*)(words&);

  struct plan {
    bool refuses = false;
    bool throws = false;
    std::string message;
    handle::stage stage = handle::stage::pending;
    std::string backend;
    bool preemptible = false;
    std::uint64_t resources = 0;
  };

  world() { reset(scheduler_settings{}); }

  void reset(const scheduler_settings& settings) {
    auto fresh = core::create(settings);
    TURNSTILE_CHECK(fresh.has_value());
    under_test.emplace(std::move(*fresh));
    plans.clear();
    default_plan = {};
    handles.clear();
    faults = {};
    group = std::make_unique<mirror_group>(1);
    calls.clear();
    last_facts.clear();
  }

  // --- what an op prints
  // ---------------------------------------------------------

  /// Takes the last states out of the rows that end a request, and remembers
  /// what `rows` is to print.
  void look_at(const outcome& out) {
    last_rows.clear();
    auto add = [&](const std::string& text) {
      last_rows += (last_rows.empty() ? "" : " ") + text;
    };
    for (const auto& row : out.submitted)
      add("submitted:" + to_string(row.id) + "#"
          + std::to_string(row.submission));
    for (const auto& row : out.resumed)
      add("resumed:" + to_string(row.id));
    for (const auto& row : out.committed)
      add("committed:" + to_string(row.id) + ":"
          + std::to_string(row.work.payload) + (row.late ? ":late" : ""));
    for (const auto& row : out.failed)
      add("failed:" + to_string(row.id) + ":" + std::to_string(row.work.payload)
          + ":" + variant(row.why.code));
    for (const auto& row : out.dropped)
      add("dropped:" + to_string(row.id) + ":"
          + std::to_string(row.work.payload) + ":"
          + std::string{reason_name(row.reason)} + ":"
          + std::string{to_string(row.lifecycle)});
    for (const auto& row : out.abandoned)
      add("abandoned:" + to_string(row.id));
    for (const auto& row : out.requeued)
      add("requeued:" + to_string(row.id));
    for (const auto& row : out.overdue)
      add("overdue:" + to_string(row.id) + ":"
          + std::to_string(row.age.count()));
    for (const auto& row : out.ended) {
      add("ended:" + to_string(row.request) + ":"
          + std::string{to_string(row.status)}
          + (row.why ? ":" + variant(row.why->code) : ""));
      if (!keep_states)
        static_cast<void>(under_test->release(row.request));
    }
    for (const auto& row : out.facts)
      add("fact:" + std::to_string(row.position) + ":" + to_string(row.request)
          + (row.sequence ? "/" + std::to_string(*row.sequence) + ":"
                              + std::string{to_string(row.lifecycle)}
                          : ":" + std::string{to_string(row.status)}));
    if (out.next_wake)
      add("wake:" + std::to_string(out.next_wake->time_since_epoch().count()));
    if (last_rows.empty())
      last_rows = "-";
  }

  std::string progress(const outcome& out) {
    look_at(out);
    return "ok new=" + std::to_string(out.submitted.size()) + " committed="
           + list(out.committed, ',',
                  [](const auto& row) {
                    return to_string(row.id) + ":"
                           + std::to_string(row.work.payload);
                  })
           + " failed=" + list(out.failed, ';', [](const auto& row) {
               return to_string(row.id) + ":" + variant(row.why.code);
             });
  }

  std::string simple(const result<outcome>& done) {
    if (!done)
      return error(done.error());
    look_at(*done);
    if (done->poisoned)
      return error(*done->poisoned);
    return "ok";
  }

  std::string with_calls(const std::string& text) {
    auto out = text + " | calls";
    for (const auto& id : calls)
      out += " " + to_string(id);
    calls.clear();
    return out;
  }

  std::string turn(const result<outcome>& done) {
    if (!done)
      return with_calls(error(done.error()));
    auto text = progress(*done);
    return with_calls(done->poisoned ? error(*done->poisoned) : text);
  }

  auto executor() {
    return [this](const submission& what, const harness_work& work,
                  harness_branch& branch) -> result<harness_output> {
      calls.push_back(what.id);
      auto found = plans.find({what.id.request, what.id.sequence});
      const auto& plan = found == plans.end() ? default_plan : found->second;
      if (plan.throws)
        throw std::runtime_error{plan.message};
      if (plan.refuses)
        return fail(errc::submission, plan.message);
      branch.value = branch.value * 31 + work.payload;
      auto shared = std::make_shared<handle>();
      shared->now = plan.stage;
      shared->resources = plan.resources;
      handles[{what.id.request, what.id.sequence}] = shared;
      return harness_output{what.id, shared, plan.backend, plan.preemptible};
    };
  }

  work_id newest(const std::pair<request_id, std::uint64_t>& key) const {
    return under_test->newest_work(key.first, key.second)
      .value_or(work_id{key.first, key.second,
                        std::numeric_limits<std::uint64_t>::max()});
  }

  // --- the ops of the seed
  // -------------------------------------------------------

  std::string make(words& w, bool conservative) {
    scheduler_settings settings;
    auto active = w.number("max_active");
    auto queued = w.number("max_queued_work");
    settings.limits = scheduler_limits::of(active, queued);
    if (!conservative) {
      settings.limits.max_new_submissions_per_turn = w.number("per turn");
      settings.limits.max_in_flight_global = w.number("in flight");
      settings.limits.max_in_flight_per_request = w.number("per request");
      settings.limits.execution_slice = w.number("slice");
    }
    while (!w.empty())
      option(w, settings);
    if (auto valid = validate(settings.limits); !valid)
      return error(valid.error());
    reset(settings);
    return "ok";
  }

  /// What the seed has no settings for: `per_request N`, `conflicts N`, ...
  static void option(words& w, scheduler_settings& settings) {
    const auto& name = w.take("option");
    if (name == "per_request")
      settings.limits.max_queued_per_request = w.number("per_request");
    else if (name == "conflicts")
      settings.max_conflicts =
        static_cast<std::uint32_t>(w.number("conflicts"));
    else if (name == "reclaim")
      settings.reclaim_after = w.time().time_since_epoch();
    else if (name == "overdue")
      settings.overdue_after = w.time().time_since_epoch();
    else if (name == "ended")
      settings.keep.max_ended_requests = w.number("ended");
    else if (name == "states")
      settings.keep.max_retained_states = w.number("states");
    else if (name == "held")
      settings.hold_until_durable = w.flag("held");
    else
      throw malformed{"unknown option " + name};
  }

  std::string new_(words& w) { return make(w, false); }
  std::string new2(words& w) { return make(w, true); }

  std::string register_(words& w) {
    auto id = w.request();
    auto parallel = w.flag("parallel");
    auto value = w.number("value");
    auto was = faults.parallel[id];
    faults.parallel[id] = parallel;
    auto done =
      under_test->register_request(id, harness_state{value, 0, id, &faults});
    if (!done) {
      faults.parallel[id] = was;
      return error(done.error());
    }
    return "ok";
  }

  std::string validate_(words& w) {
    auto may = under_test->validate_registration(w.request());
    return may ? "ok" : error(may.error());
  }

  std::string parallel(words& w) {
    auto id = w.request();
    faults.parallel[id] = w.flag("parallel");
    under_test->refresh_permissions(id);
    return "ok";
  }

  std::string ordered(words& w) {
    auto id = w.request();
    faults.ordered[id] = w.flag("ordered");
    under_test->refresh_permissions(id);
    return "ok";
  }

  std::string fault(words& w) {
    auto id = w.request();
    const auto& name = w.take("kind");
    static const std::map<std::string, fault_kind, std::less<>> kinds{
      {"branch", fault_kind::branch},
      {"commit", fault_kind::commit},
      {"discard", fault_kind::discard},
      {"apply", fault_kind::apply}};
    auto kind = kinds.find(name);
    if (kind == kinds.end())
      throw malformed{"unknown fault " + name};
    fault_plan::fault planned{w.signed_number("count"), false, false};
    while (!w.empty()) {
      const auto& how = w.take("how");
      if (how == "throws")
        planned.throws = true;
      else if (how == "conflicts")
        planned.conflicts = true;
      else
        throw malformed{"unknown way to fail: " + how};
    }
    faults.faults[{kind->second, id}] = planned;
    return "ok";
  }

  std::string enqueue_with(words& w, bool dated) {
    auto id = w.request();
    auto work = parse_work(w.take("work"));
    work_options options;
    if (dated)
      options.deadline = w.deadline();
    while (!w.empty()) {
      const auto& policy = w.take("policy");
      if (policy == "work")
        options.policy.ends = deadline_policy::scope::work;
      else if (policy == "until_commit")
        options.policy.lasts = deadline_policy::until::commit;
      else
        throw malformed{"unknown policy " + policy};
    }
    auto done = under_test->enqueue(id, std::move(work), options);
    return done ? "ok " + to_string(*done) : error(done.error());
  }

  std::string enqueue(words& w) { return enqueue_with(w, false); }
  std::string enqueue_deadline(words& w) { return enqueue_with(w, true); }

  std::string enqueue_batch(words& w) {
    auto id = w.request();
    std::vector<harness_work> works;
    while (!w.empty())
      works.push_back(parse_work(w.take("work")));
    auto done = under_test->enqueue_batch(id, std::move(works));
    if (!done)
      return error(done.error());
    auto out = "ok " + std::to_string(done->size());
    for (const auto& work : *done)
      out += " " + to_string(work);
    return out;
  }

  std::string exec(words& w) {
    plan planned;
    std::optional<std::pair<request_id, std::uint64_t>> key;
    if (words peek = w; peek.take("work id") == "default")
      w.take("work id");
    else
      key = w.work();
    const auto& how = w.take("ok or err");
    if (how == "ok") {
      const auto& stage = w.take("stage");
      if (stage == "done")
        planned.stage = handle::stage::done;
      else if (stage == "fail")
        planned.stage = handle::stage::failed;
      else if (stage != "pending")
        throw malformed{"unknown stage " + stage};
      if (const auto& backend = w.take("backend"); backend != "-")
        planned.backend = backend;
      planned.preemptible = w.flag("preemptible");
      planned.resources = w.number("resources");
    } else if (how == "err" || how == "throw") {
      planned.refuses = how == "err";
      planned.throws = how == "throw";
      while (!w.empty())
        planned.message +=
          (planned.message.empty() ? "" : " ") + w.take("message");
    } else {
      throw malformed{"expected ok or err, found " + how};
    }
    (key ? plans[*key] : default_plan) = planned;
    return "ok";
  }

  std::string set_stage(words& w, handle::stage stage) {
    auto found = handles.find(w.work());
    if (found == handles.end())
      return "none";
    found->second->now = stage;
    return "ok";
  }

  std::string set_done(words& w) { return set_stage(w, handle::stage::done); }
  std::string set_fail(words& w) { return set_stage(w, handle::stage::failed); }
  std::string set_pending(words& w) {
    return set_stage(w, handle::stage::pending);
  }

  std::string set_res(words& w) {
    auto key = w.work();
    auto resources = w.number("resources");
    auto found = handles.find(key);
    if (found == handles.end())
      return "none";
    found->second->resources = resources;
    static_cast<void>(under_test->resources_changed(newest(key), resources));
    return "ok";
  }

  std::string prepare(words& w) {
    auto limit = w.number("limit");
    auto done = under_test->prepare_bounded(limit, w.time());
    if (!done)
      return error(done.error());
    look_at(*done);
    return "ok " + std::to_string(done->prepared);
  }

  std::string submit(words& w) {
    auto done = under_test->submit_prepared(w.time(), executor());
    if (!done)
      return with_calls(error(done.error()));
    look_at(*done);
    return with_calls("ok " + std::to_string(done->submitted.size()));
  }

  std::string poll(words& w) {
    return progress(under_test->poll_completions(w.time()));
  }

  std::string local(words& w) {
    return turn(under_test->run_local_turn(w.time(), executor()));
  }

  std::string distributed(words& w) {
    auto protocol = w.number("protocol");
    return turn(
      under_test->run_distributed_turn(protocol, *group, w.time(), executor()));
  }

  std::string cancel(words& w) {
    auto id = w.request();
    return simple(under_test->cancel(id, w.time()));
  }

  std::string cancel_distributed(words& w) {
    auto protocol = w.number("protocol");
    auto id = w.request();
    return simple(
      under_test->cancel_distributed(protocol, id, *group, w.time()));
  }

  std::string finish(words& w) {
    return simple(under_test->finish(w.request(), instant{}));
  }

  std::string release(words& w) {
    auto state = under_test->release(w.request());
    if (!state)
      return error(state.error());
    return "ok " + std::to_string(state->value) + " "
           + std::to_string(state->commits);
  }

  std::string forget(words& w) {
    auto how = under_test->forget(w.request());
    return how ? "ok " + std::string{to_string(*how)} : error(how.error());
  }

  std::string status(words& w) {
    auto known = under_test->status_of(w.request());
    return known ? std::string{to_string(*known)} : "none";
  }

  std::string lifecycle(words& w) {
    auto key = w.work();
    auto id = under_test->newest_work(key.first, key.second);
    auto known = id ? under_test->lifecycle(*id) : std::nullopt;
    return known ? std::string{to_string(*known)} : "none";
  }

  std::string queued(words& w) {
    return std::to_string(under_test->queued_for(w.request()));
  }

  std::string state(words& w) {
    const auto* found = under_test->request_state(w.request());
    return found == nullptr ? "none"
                            : std::to_string(found->value) + " "
                                + std::to_string(found->commits);
  }

  std::string state_add(words& w) {
    auto id = w.request();
    auto add = w.number("number");
    std::uint64_t value = 0;
    auto done = under_test->edit_state(
      id, [&](harness_state& state) { value = state.value += add; });
    return done ? "ok " + std::to_string(value) : error(done.error());
  }

  std::string capabilities(words&) {
    auto known = under_test->capabilities();
    const auto& l = known.limits;
    std::string out = "limits=";
    auto put = [&](std::uint64_t value) {
      out += (out.back() == '=' ? "" : ",") + std::to_string(value);
    };
    put(l.max_active_requests);
    put(l.max_queued_work);
    put(l.max_new_submissions_per_turn);
    put(l.max_in_flight_global);
    put(l.max_in_flight_per_request);
    put(l.execution_slice);
    return out + " backends="
           + list(known.observed_backends, ',',
                  [](const auto& backend) { return backend.first; })
           + " preemptible="
           + (known.executing_work_physically_preemptible ? "1" : "0");
  }

  std::string report(words&) { return render(under_test->report()); }

  std::string transport(words& w) {
    group = std::make_unique<mirror_group>(w.number("ranks"));
    return "ok";
  }

  std::string poison(words&) {
    return under_test->poison_reason().value_or("none");
  }

  // --- the ops for what the seed cannot do (tests/conformance/decided)
  // ------------

  /// The rows of the last op that had an outcome.
  std::string rows(words&) { return last_rows; }

  std::string more(words&) {
    auto r = under_test->report();
    std::ostringstream out;
    out << "failed_requests=" << r.failed_requests
        << " delayed_work=" << r.delayed_work
        << " parked_work=" << r.parked_work
        << " reclaimed_work=" << r.reclaimed_work << " requeues=" << r.requeues
        << " late_completions=" << r.late_completions
        << " stale_completions=" << r.stale_completions
        << " ended_requests=" << r.ended_requests
        << " dropped_requests=" << r.dropped_requests;
    return out.str();
  }

  std::string keep(words& w) {
    keep_states = w.flag("keep");
    return "ok";
  }

  std::string requeue(words& w) {
    auto key = w.work();
    auto not_before = w.deadline();
    return simple(under_test->requeue(newest(key), not_before, w.time()));
  }

  std::string park(words& w) {
    auto key = w.work();
    return simple(under_test->park(newest(key), w.time()));
  }

  std::string unpark(words& w) {
    auto key = w.work();
    return simple(under_test->unpark(newest(key), w.time()));
  }

  /// `complete ID T [ADD [LIFE]]`: pushes a completion with an outcome.
  std::string complete(words& w) {
    auto key = w.work();
    auto id = newest(key);
    auto now = w.time();
    harness_outcome outcome{w.empty() ? 0 : w.number("add")};
    if (!w.empty())
      id.life = w.number("life");
    return progress(under_test->complete(id, outcome, now));
  }

  std::string complete_fail(words& w) {
    auto key = w.work();
    return progress(under_test->complete(
      newest(key), fail(errc::completion, "pushed fault"), w.time()));
  }

  std::string durable(words& w) {
    auto position = w.number("position");
    return progress(under_test->durable(position, w.time()));
  }

  std::string poison_now(words& w) {
    return progress(under_test->poison("by the script", w.time()));
  }

  std::string life(words& w) {
    auto id = under_test->newest_work(w.request(), 0);
    return id ? std::to_string(id->life) : "none";
  }

  std::optional<core> under_test;
  std::map<std::pair<request_id, std::uint64_t>, plan> plans;
  plan default_plan;
  std::map<std::pair<request_id, std::uint64_t>, std::shared_ptr<handle>>
    handles;
  fault_plan faults;
  std::unique_ptr<rank_group> group;
  std::vector<work_id> calls;
  std::string last_rows = "-";
  std::string last_facts;
  bool keep_states = false;
};

harness::harness() : world_(std::make_unique<world>()) {}
harness::~harness() = default;

std::optional<std::string> harness::run(std::string_view line) {
  static const std::map<std::string, world::verb, std::less<>> verbs{
    {"new", &world::new_},
    {"new2", &world::new2},
    {"register", &world::register_},
    {"validate", &world::validate_},
    {"parallel", &world::parallel},
    {"ordered", &world::ordered},
    {"fault", &world::fault},
    {"enqueue", &world::enqueue},
    {"enqueue_deadline", &world::enqueue_deadline},
    {"enqueue_batch", &world::enqueue_batch},
    {"exec", &world::exec},
    {"set_done", &world::set_done},
    {"set_fail", &world::set_fail},
    {"set_pending", &world::set_pending},
    {"set_res", &world::set_res},
    {"prepare", &world::prepare},
    {"submit", &world::submit},
    {"poll", &world::poll},
    {"local", &world::local},
    {"distributed", &world::distributed},
    {"cancel", &world::cancel},
    {"cancel_distributed", &world::cancel_distributed},
    {"finish", &world::finish},
    {"release", &world::release},
    {"forget", &world::forget},
    {"status", &world::status},
    {"lifecycle", &world::lifecycle},
    {"queued", &world::queued},
    {"state", &world::state},
    {"state_add", &world::state_add},
    {"capabilities", &world::capabilities},
    {"report", &world::report},
    {"transport", &world::transport},
    {"poison", &world::poison},
    {"rows", &world::rows},
    {"more", &world::more},
    {"keep", &world::keep},
    {"requeue", &world::requeue},
    {"park", &world::park},
    {"unpark", &world::unpark},
    {"complete", &world::complete},
    {"complete_fail", &world::complete_fail},
    {"durable", &world::durable},
    {"poison_now", &world::poison_now},
    {"life", &world::life},
  };
  words w{line};
  if (w.empty())
    return std::nullopt;
  auto name = w.take("op");
  if (name.front() == '#')
    return std::nullopt;
  auto verb = verbs.find(name);
  if (verb == verbs.end())
    return "bad unknown op " + name;
  try {
    auto answer = ((*world_).*(verb->second))(w);
    w.end();
    world_->under_test->audit();
    return answer;
  } catch (const malformed& why) {
    return std::string{"bad "} + why.what();
  }
}

} // namespace turnstile::conformance
