#include "tests/model/core_side.hpp"

namespace turnstile::model {

namespace {

told answer(naive_scheduler& m, const operation& op) {
  const auto submission = static_cast<std::uint32_t>(op.number);
  switch (op.what) {
  case verb::validate:
    return m.validate(op.request);
  case verb::register_request:
    return m.register_request(op.request, op.number);
  case verb::finish:
    return m.finish(op.request, op.now);
  case verb::cancel:
    return m.cancel(op.request, op.now);
  case verb::release:
    return m.release(op.request);
  case verb::forget:
    return m.forget(op.request);
  case verb::edit:
    return m.edit(op.request, op.number, op.number == 0);
  case verb::refresh:
    return m.refresh(op.request);
  case verb::enqueue:
    return m.enqueue(op.request, op.orders);
  case verb::requeue:
    return m.requeue(op.work, op.at, op.now);
  case verb::cancel_work:
    return m.cancel_work(op.work, op.now);
  case verb::park:
    return m.park(op.work, op.now);
  case verb::unpark:
    return m.unpark(op.work, op.now);
  case verb::resources_changed:
    return m.resources_changed(op.work, op.number);
  case verb::observe:
    return m.observe(op.work, op.done, submission);
  case verb::complete:
    return m.complete(op.work, op.done, submission, op.now);
  case verb::poll:
    return m.poll(op.now);
  case verb::prepare:
    return m.prepare(op.number, op.now);
  case verb::submit:
    return m.submit(op.now);
  case verb::local_turn:
    return m.local_turn(op.now);
  case verb::distributed_turn:
    return m.distributed_turn(op.group, op.now);
  case verb::cancel_distributed:
    return m.cancel_distributed(op.request, op.group, op.now);
  case verb::resume:
    return m.resume(op.group.answer, op.now);
  case verb::durable:
    return m.durable(op.number, op.now);
  case verb::poison:
    return m.poison(op.now);
  default:
    change(m.world, op);
    return {};
  }
}

} // namespace

void change(steering& world, const operation& op) {
  switch (op.what) {
  case verb::plan_fault:
    return world.plan_fault(op.request, op.call, op.how,
                            static_cast<std::uint32_t>(op.number));
  case verb::permit:
    return world.permit(op.request, op.permitted);
  case verb::plan_execution:
    return world.plan_execution(op.request, op.next);
  case verb::set_stage:
    return world.set_stage(op.work, op.becomes);
  case verb::set_resources:
    return world.set_resources(op.work, op.number);
  default:
    return;
  }
}

told run(naive_scheduler& m, const operation& op) {
  auto out = answer(m, op);
  out.calls = m.world.take_log();
  return out;
}

std::string picture(const naive_scheduler& m, std::int64_t now) {
  std::string out;
  for (std::uint64_t id = 0; id < m.requests(); ++id)
    out += m.request_picture({id});
  return out + m.works_picture() + m.backends_picture() + "phase "
         + std::to_string(m.phase()) + " wake " + m.next_wake(now) + '\n';
}

} // namespace turnstile::model
