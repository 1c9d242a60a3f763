#include "tests/model/core_side.hpp"

#include "tests/model/core_lines.hpp"
#include "tests/model/steered_group.hpp"
#include "tests/model/steered_program.hpp"

namespace turnstile::model {

namespace {

instant at_ns(std::int64_t ns) {
  return instant{duration{ns}};
}

scheduler_settings settings_of(const rules& r) {
  scheduler_settings s;
  s.limits = {r.active,       r.accepted, r.per_turn,       r.slots,
              r.slots_of_one, r.slice,    r.accepted_of_one};
  s.keep = {r.ended, r.states, r.exceptions};
  s.max_conflicts = r.conflicts;
  if (r.reclaim)
    s.reclaim_after = duration{*r.reclaim};
  if (r.overdue)
    s.overdue_after = duration{*r.overdue};
  s.hold_until_durable = r.hold;
  return s;
}

told said(std::string what) {
  told t;
  t.said = std::move(what);
  return t;
}

told said(const status& what) {
  return said(what ? "ok" : refusal(what.error().code));
}

template <bool Polled>
class side final : public core_side {
public:
  using program = steered_program<Polled>;
  using core = scheduler<program>;

  explicit side(const rules& r)
    : requests_(r.requests), core_(*core::create(settings_of(r))) {}

  told run(const operation& op) override {
    auto t = answer(op);
    core_.audit();
    t.calls = world_.take_log();
    return t;
  }

  std::string picture(const std::vector<life>& lives,
                      std::int64_t now) override {
    std::string out;
    for (std::uint64_t id = 0; id < requests_; ++id)
      out += request_picture({id});
    for (const auto& l : lives)
      out += works_picture({l.id, 0, l.number}, l.works.size());
    out += "backends";
    const auto seen = core_.capabilities();
    for (const auto& [name, preemptible] : seen.observed_backends)
      out += ' ' + name + (preemptible ? "+" : "-");
    out +=
      seen.executing_work_physically_preemptible ? " all preemptible\n" : "\n";
    return out + "phase " + std::to_string(static_cast<int>(core_.phase()))
           + " wake " + nanoseconds(core_.next_wake(at_ns(now))) + '\n';
  }

  scheduler_report report() override { return core_.report(); }

private:
  std::string request_picture(request_id id) {
    const auto how = core_.status_of(id);
    auto out =
      to_string(id) + ' ' + (how ? std::string{to_string(*how)} : "none");
    if (auto number = core_.life_of(id))
      out += " life " + std::to_string(*number) + " live "
             + std::to_string(core_.in_progress_for(id)) + " queued "
             + std::to_string(core_.queued_for(id));
    if (const auto* state = core_.request_state(id))
      out += " state " + std::to_string(state->value) + ' '
             + std::to_string(state->commits);
    for (std::uint64_t sequence : {0, 2}) {
      const auto newest = core_.newest_work(id, sequence);
      out += " newest " + (newest ? std::to_string(newest->life) : "");
    }
    return out + '\n';
  }

  std::string works_picture(work_id id, std::uint64_t works) {
    auto out = text(id.request, id.life) + ' ';
    for (; id.sequence < works; ++id.sequence) {
      out += letter(core_.lifecycle(id));
      if (const auto* work = core_.find_work(id))
        out += std::to_string(work->payload);
    }
    return out + '\n';
  }

  auto executor() {
    return
      [this](const submission& what, const steered_work& work,
             steered_branch& branch) -> result<typename program::output_type> {
        const auto how = world_.execute(
          what.id, what.number, what.deadline.time_since_epoch().count(),
          work.payload, branch.value);
        if (auto went = suffer(how, errc::backend_lost, "executor"); !went)
          return fail(went.error());
        typename program::output_type made;
        made.index = world_.newest_output();
        made.world = &world_;
        return made;
      };
  }

  told give(typename core::outcome out) {
    auto t = lines_of<program>(out);
    core_.recycle(std::move(out));
    return t;
  }

  told give(result<typename core::outcome> out) {
    return out ? give(std::move(*out)) : said(refusal(out.error().code));
  }

  told enqueue(const operation& op) {
    work_options options;
    std::vector<steered_work> works;
    for (const auto& one : op.orders) {
      works.push_back({one.payload, one.slice, one.describe, one.slice_throws});
      if (one.deadline)
        options.deadline = at_ns(*one.deadline);
      options.policy = {one.alone ? deadline_policy::scope::work
                                  : deadline_policy::scope::request,
                        one.until_commit ? deadline_policy::until::commit
                                         : deadline_policy::until::submission};
    }
    if (works.size() == 1) {
      auto id = core_.enqueue(op.request, std::move(works[0]), options);
      return said(id ? "accepted " + text(*id) : refusal(id.error().code));
    }
    auto ids = core_.enqueue_batch(op.request, std::move(works), options);
    if (!ids)
      return said(refusal(ids.error().code));
    std::string all = "accepted";
    for (const auto& id : *ids)
      all += ' ' + text(id);
    return said(all);
  }

  told edit(const operation& op) {
    return said(core_.edit_state(op.request, [&](steered_state& state) {
      state.value += op.number;
      if (op.number == 0)
        throw std::runtime_error{"edit fault"};
    }));
  }

  /// A turn under way keeps the group that it began with.
  void gather_with(const group_plan& plan) {
    if (core_.phase() == turn_phase::idle)
      group_.emplace(plan, world_);
  }

  typename core::completion completion_of(const operation& op) {
    if (op.done.failed)
      return fail(*op.done.failed, "completion fault");
    return op.done.outcome;
  }

  told answer(const operation& op) {
    const auto now = at_ns(op.now);
    const auto number = static_cast<std::uint32_t>(op.number);
    switch (op.what) {
    case verb::validate:
      return said(core_.validate_registration(op.request));
    case verb::register_request:
      return said(core_.register_request(op.request,
                                         {op.number, 0, op.request, &world_}));
    case verb::finish:
      return give(core_.finish(op.request, now));
    case verb::cancel:
      return give(core_.cancel(op.request, now));
    case verb::release: {
      auto state = core_.release(op.request);
      return said(state ? "released " + std::to_string(state->value) + ' '
                            + std::to_string(state->commits)
                        : refusal(state.error().code));
    }
    case verb::forget: {
      auto how = core_.forget(op.request);
      return said(how ? "forgot " + std::string{to_string(*how)}
                      : refusal(how.error().code));
    }
    case verb::edit:
      return edit(op);
    case verb::refresh:
      core_.refresh_permissions(op.request);
      return said("ok");
    case verb::enqueue:
      return enqueue(op);
    case verb::requeue:
      return give(core_.requeue(
        op.work, op.at ? std::optional{at_ns(*op.at)} : std::nullopt, now));
    case verb::cancel_work:
      return give(core_.cancel_work(op.work, now));
    case verb::park:
      return give(core_.park(op.work, now));
    case verb::unpark:
      return give(core_.unpark(op.work, now));
    case verb::resources_changed:
      return said(core_.resources_changed(op.work, op.number));
    case verb::observe:
      return said(core_.observe(op.work, completion_of(op), number) ? "noted"
                                                                    : "stale");
    case verb::complete:
      return give(core_.complete(op.work, completion_of(op), now, number));
    case verb::poll:
      return give(core_.poll_completions(now));
    case verb::prepare:
      return give(core_.prepare_bounded(op.number, now));
    case verb::submit:
      return give(core_.submit_prepared(now, executor()));
    case verb::local_turn:
      return give(core_.run_local_turn(now, executor()));
    case verb::distributed_turn:
      gather_with(op.group);
      return give(core_.run_distributed_turn(
        group_terms{7, 0, now, op.group.seed}, *group_, {}, executor()));
    case verb::cancel_distributed:
      gather_with(op.group);
      return give(core_.cancel_distributed(
        group_terms{7, 0, now, op.group.seed}, op.request, *group_));
    case verb::resume:
      if (core_.phase() == turn_phase::idle)
        return give(core_.resume_turn(std::vector<frame>{}, now, executor()));
      return give(
        core_.resume_turn(group_->answer(op.group.answer), now, executor()));
    case verb::durable:
      return give(core_.durable(op.number, now));
    case verb::poison:
      return give(core_.poison("the host says so", now));
    default:
      change(world_, op);
      return {};
    }
  }

  std::uint64_t requests_;
  steering world_;
  core core_;
  std::optional<steered_group> group_;
};

} // namespace

std::unique_ptr<core_side> make_core_side(const rules& r) {
  if (r.polled)
    return std::make_unique<side<true>>(r);
  return std::make_unique<side<false>>(r);
}

} // namespace turnstile::model
