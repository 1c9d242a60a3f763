// Slots given back and asked for again: decision T19.
#include "tests/model/naive_scheduler.hpp"

#include <algorithm>

namespace turnstile::model {

told naive_scheduler::touch_running(const work_id& id,
                                    std::optional<at>& who) const {
  if (auto why = may_change())
    return refused(*why);
  who = find(id);
  if (!who)
    return refused(errc::unknown_work);
  if (!of(*who).running())
    return refused(errc::state);
  return {};
}

told naive_scheduler::requeue(const work_id& id,
                              std::optional<std::int64_t> not_before,
                              std::int64_t now) {
  std::optional<at> who;
  if (auto no = touch_running(id, who); !no.said.empty())
    return no;
  begin(now);
  if (discard(*who)) {
    put_back(*who, not_before && *not_before > now ? not_before : std::nullopt);
  } else {
    end_work(*who, bucket::failed, work_lifecycle::failed, "", errc::state);
    retire(who->first, request_status::failed, errc::state);
  }
  return whole();
}

told naive_scheduler::park(const work_id& id, std::int64_t now) {
  std::optional<at> who;
  if (auto no = touch_running(id, who); !no.said.empty())
    return no;
  if (of(*who).at != place::flying)
    return refused(errc::state);
  begin(now);
  of(*who).at = place::parked;
  return whole();
}

told naive_scheduler::unpark(const work_id& id, std::int64_t now) {
  std::optional<at> who;
  if (auto no = touch_running(id, who); !no.said.empty())
    return no;
  if (of(*who).at != place::parked)
    return refused(errc::state);
  begin(now);
  of(*who).at = place::resuming;
  enter_queue(*who, true);
  return whole();
}

told naive_scheduler::resources_changed(const work_id& id,
                                        std::uint64_t resources) {
  auto who = find(id);
  if (!who || !of(*who).at_backend())
    return refused(errc::unknown_work);
  of(*who).resources = resources;
  note_peaks();
  told answer;
  answer.said = "ok";
  return answer;
}

} // namespace turnstile::model
