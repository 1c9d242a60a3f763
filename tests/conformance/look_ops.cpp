#include "tests/conformance/answers.hpp"
#include "tests/conformance/ops.hpp"
#include "tests/conformance/report_fields.hpp"

#include <algorithm>

namespace turnstile::conformance {

namespace {

std::string status_(world& w, words& in) {
  const auto id = in.request();
  in.end();
  auto known = w.under_test().status_of(id);
  return known ? std::string{to_string(*known)} : "none";
}

std::string lifecycle(world& w, words& in) {
  const auto key = in.work_id();
  in.end();
  auto known = w.under_test().lifecycle(w.newest(key));
  return known ? std::string{to_string(*known)} : "none";
}

std::string queued(world& w, words& in) {
  const auto id = in.request();
  in.end();
  return std::to_string(w.under_test().queued_for(id));
}

std::string state(world& w, words& in) {
  const auto id = in.request();
  in.end();
  const auto* found = w.under_test().request_state(id);
  return found == nullptr ? "none"
                          : std::to_string(found->value) + " "
                              + std::to_string(found->commits);
}

std::string capabilities(world& w, words& in) {
  in.end();
  const auto known = w.under_test().capabilities();
  const auto& l = known.limits;
  const auto limits = {l.max_active_requests,          l.max_queued_work,
                       l.max_new_submissions_per_turn, l.max_in_flight_global,
                       l.max_in_flight_per_request,    l.execution_slice};
  return "limits="
         + list(limits, ',', [](auto limit) { return std::to_string(limit); })
         + " backends="
         + list(known.observed_backends, ',',
                [](const auto& backend) { return backend.first; })
         + " preemptible="
         + (known.executing_work_physically_preemptible ? "1" : "0");
}

/// Every backend by what its newest submission said: `cpu:0 gpu:1`.
std::string backends(world& w, words& in) {
  in.end();
  const auto known = w.under_test().capabilities();
  return list(known.observed_backends, ' ', [](const auto& backend) {
    return backend.first + (backend.second ? ":1" : ":0");
  });
}

template <class Wanted>
std::string fields(world& w, Wanted&& wanted) {
  std::string out;
  const auto all = fields_of(w.under_test().report());
  for (std::size_t at = 0; at < all.size(); ++at)
    if (wanted(at, all[at].first))
      out.append(out.empty() ? "" : " ")
        .append(all[at].first)
        .append("=")
        .append(all[at].second);
  return out;
}

std::string report(world& w, words& in) {
  in.end();
  return fields(w, [](std::size_t at, auto) { return at < seed_fields; });
}

std::string more(world& w, words& in) {
  in.end();
  return fields(w, [](std::size_t at, auto) { return at >= seed_fields; });
}

/// `counts NAME...`: only these fields, in the order of the report.
std::string counts(world& w, words& in) {
  const auto known = fields_of(scheduler_report{});
  std::vector<std::string> names;
  while (!in.empty()) {
    names.push_back(in.take("field"));
    if (std::none_of(known.begin(), known.end(), [&](const auto& field) {
          return field.first == names.back();
        }))
      throw malformed{"unknown field " + names.back()};
  }
  in.end();
  return fields(w, [&](std::size_t, auto name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  });
}

std::string poison(world& w, words& in) {
  in.end();
  return w.under_test().poison_reason().value_or("none");
}

/// The rows of the last op that had an outcome.
std::string rows(world& w, words& in) {
  in.end();
  return w.last_rows;
}

/// The newest life of a request that has accepted a work.
std::string life(world& w, words& in) {
  const auto id = in.request();
  in.end();
  auto first = w.under_test().newest_work(id, 0);
  return first ? std::to_string(first->life) : "none";
}

} // namespace

const op_table& look_ops() {
  static const op_table table{
    {"status", status_},    {"lifecycle", lifecycle},
    {"queued", queued},     {"state", state},
    {"report", report},     {"capabilities", capabilities},
    {"backends", backends}, {"more", more},
    {"counts", counts},     {"poison", poison},
    {"rows", rows},         {"life", life},
  };
  return table;
}

} // namespace turnstile::conformance
