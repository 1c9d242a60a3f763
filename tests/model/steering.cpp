#include "tests/model/steering.hpp"

#include <utility>

namespace turnstile::model {

namespace {

const char* name_of(user_call call) {
  switch (call) {
  case user_call::branch:
    return "branch ";
  case user_call::apply:
    return "apply ";
  case user_call::commit:
    return "commit ";
  case user_call::discard:
    return "discard ";
  }
  return "?";
}

} // namespace

void steering::plan_fault(request_id id, user_call call, fault how,
                          std::uint32_t left) {
  std::erase_if(faults_, [&](const planned_fault& known) {
    return known.id == id && known.call == call;
  });
  faults_.push_back({id, call, how, left});
}

void steering::permit(request_id id, permissions what) {
  of(id).permitted = what;
}

void steering::plan_execution(request_id id, execution what) {
  of(id).next = std::move(what);
}

void steering::set_stage(const work_id& id, stage now) {
  if (auto* output = newest_of(id))
    output->now = now;
}

void steering::set_resources(const work_id& id, std::uint64_t resources) {
  if (auto* output = newest_of(id))
    output->made_by.resources = resources;
}

fault steering::meet(request_id id, user_call call, const std::string& text) {
  note(name_of(call) + to_string(id) + ' ' + text);
  for (auto& planned : faults_)
    if (planned.id == id && planned.call == call && planned.left > 0) {
      --planned.left;
      return planned.how;
    }
  return fault::none;
}

fault steering::execute(const work_id& id, std::uint32_t submission,
                        std::int64_t deadline, std::uint32_t payload,
                        std::uint64_t& branch) {
  note("execute " + to_string(id) + " #" + std::to_string(submission) + " by "
       + std::to_string(deadline) + " on " + std::to_string(branch));
  const auto& plan = of(id.request).next;
  if (plan.refuses != fault::none)
    return plan.refuses;
  branch = branch * 31 + payload;
  handles_.push_back({id, submission, plan.at_once, plan});
  return fault::none;
}

permissions steering::permitted(request_id id) const {
  for (const auto& known : manners_)
    if (known.id == id)
      return known.permitted;
  return {};
}

std::string steering::take_log() {
  return std::exchange(log_, {});
}

steering::manners& steering::of(request_id id) {
  for (auto& known : manners_)
    if (known.id == id)
      return known;
  manners_.push_back({id, {}, {}});
  return manners_.back();
}

handle* steering::newest_of(const work_id& id) {
  for (auto known = handles_.rbegin(); known != handles_.rend(); ++known)
    if (known->id == id)
      return &*known;
  return nullptr;
}

} // namespace turnstile::model
