#pragma once

#include "core/turn/outcome.hpp"
#include "tests/model/told.hpp"
#include "tests/model/words.hpp"

#include <string>
#include <utility>

namespace turnstile::model {

inline std::string nanoseconds(std::optional<instant> when) {
  return when ? std::to_string(when->time_since_epoch().count()) : "";
}

inline std::string name_of(drop_reason reason) {
  switch (reason) {
  case drop_reason::with_request:
    return "with_request";
  case drop_reason::expired:
    return "expired";
  case drop_reason::released:
    return "released";
  case drop_reason::reclaimed:
    return "reclaimed";
  case drop_reason::cancelled:
    return "cancelled";
  }
  return "unknown";
}

/// Writes an outcome of the core as the model writes its own.
template <class Program>
told lines_of(const turn_outcome<Program>& out) {
  told t;
  t.said = "ok";
  auto submission = [](const auto& row) {
    return text(row.id) + " #" + std::to_string(row.submission);
  };
  t.prepared = out.prepared;
  for (const auto& row : out.submitted)
    t.submitted.push_back(submission(row));
  for (const auto& row : out.resumed)
    t.resumed.push_back(submission(row));
  for (const auto& row : out.committed)
    t.committed.push_back(committed_line(
      row.id, row.work.payload,
      row.output ? std::optional{row.output->index} : std::nullopt, row.outcome,
      row.late));
  for (const auto& row : out.failed)
    t.failed.push_back(failed_line(row.id, row.why.code, row.work.payload));
  for (const auto& row : out.dropped)
    t.dropped.push_back(dropped_line(row.id, name_of(row.reason), row.lifecycle,
                                     row.work.payload));
  for (const auto& row : out.abandoned)
    t.abandoned.push_back(text(row.id));
  for (const auto& row : out.requeued)
    t.requeued.push_back(text(row.id));
  for (const auto& row : out.overdue)
    t.overdue.push_back(text(row.id) + ' ' + std::to_string(row.age.count()));
  for (const auto& row : out.ended)
    t.ended.push_back(
      ended_line(row.request, row.life, row.status,
                 row.why ? std::optional{row.why->code} : std::nullopt));
  for (const auto& row : out.facts)
    t.facts.push_back(fact_line(row.position, row.request, row.life,
                                row.sequence, row.lifecycle, row.status));
  t.wake = nanoseconds(out.next_wake);
  t.poisoned = out.poisoned.has_value();
  t.waiting = static_cast<int>(out.waiting);
  return t;
}

} // namespace turnstile::model
