#include "tests/conformance/answers.hpp"

#include <cctype>
#include <string_view>

namespace turnstile::conformance {

namespace {

std::string_view name_of(drop_reason reason) {
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

std::string_view name_of(turn_phase phase) {
  switch (phase) {
  case turn_phase::idle:
    return "idle";
  case turn_phase::agree_observation:
    return "agree_observation";
  case turn_phase::agree_schedule:
    return "agree_schedule";
  case turn_phase::agree_disposition:
    return "agree_disposition";
  case turn_phase::agree_formation:
    return "agree_formation";
  }
  return "unknown";
}

/// Puts words one after the other.
class line {
public:
  void add(const std::string& word) {
    text_ += (text_.empty() ? "" : " ") + word;
  }

  [[nodiscard]] const std::string& text() const { return text_; }

private:
  std::string text_;
};

std::string of_fact(const world::outcome::fact_row& row) {
  auto text =
    "fact:" + std::to_string(row.position) + ":" + to_string(row.request);
  if (row.sequence)
    text.append("/").append(std::to_string(*row.sequence));
  return text.append(":").append(row.sequence ? to_string(row.lifecycle)
                                              : to_string(row.status));
}

} // namespace

std::string variant(errc code) {
  std::string out;
  bool begins = true;
  for (auto letter : to_string(code)) {
    if (letter == '_') {
      begins = true;
      continue;
    }
    out += static_cast<char>(
      begins ? std::toupper(static_cast<unsigned char>(letter)) : letter);
    begins = false;
  }
  return out;
}

std::string error(const failure& why) {
  return "error " + variant(why.code);
}

std::string rows_of(const world::outcome& out) {
  line rows;
  for (const auto& row : out.submitted)
    rows.add("submitted:" + to_string(row.id) + "#"
             + std::to_string(row.submission));
  for (const auto& row : out.resumed)
    rows.add("resumed:" + to_string(row.id) + "#"
             + std::to_string(row.submission));
  for (const auto& row : out.committed)
    rows.add("committed:" + to_string(row.id) + ":"
             + std::to_string(row.work.payload) + (row.late ? ":late" : ""));
  for (const auto& row : out.failed)
    rows.add("failed:" + to_string(row.id) + ":"
             + std::to_string(row.work.payload) + ":" + variant(row.why.code));
  for (const auto& row : out.dropped)
    rows.add("dropped:" + to_string(row.id) + ":"
             + std::to_string(row.work.payload) + ":"
             + std::string{name_of(row.reason)} + ":"
             + std::string{to_string(row.lifecycle)});
  for (const auto& row : out.abandoned)
    rows.add("abandoned:" + to_string(row.id));
  for (const auto& row : out.requeued)
    rows.add("requeued:" + to_string(row.id));
  for (const auto& row : out.overdue)
    rows.add("overdue:" + to_string(row.id) + ":"
             + std::to_string(row.age.count()));
  for (const auto& row : out.ended)
    rows.add("ended:" + to_string(row.request) + ":"
             + std::string{to_string(row.status)}
             + (row.why ? ":" + variant(row.why->code) : ""));
  for (const auto& row : out.facts)
    rows.add(of_fact(row));
  if (out.poisoned)
    rows.add("poisoned:" + variant(out.poisoned->code));
  if (out.waiting != turn_phase::idle)
    rows.add("waiting:" + std::string{name_of(out.waiting)});
  if (out.next_wake)
    rows.add("wake:"
             + std::to_string(out.next_wake->time_since_epoch().count()));
  return rows.text().empty() ? "-" : rows.text();
}

std::string progress(world& w, const world::outcome& out) {
  w.look_at(out);
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

std::string simple(world& w, const result<world::outcome>& done) {
  if (!done)
    return error(done.error());
  w.look_at(*done);
  return done->poisoned ? error(*done->poisoned) : "ok";
}

std::string with_calls(world& w, std::string text) {
  text += " | calls";
  for (const auto& id : w.take_calls())
    text.append(" ").append(to_string(id));
  return text;
}

std::string turn(world& w, const result<world::outcome>& done) {
  if (!done)
    return with_calls(w, error(done.error()));
  auto text = progress(w, *done);
  return with_calls(w, done->poisoned ? error(*done->poisoned) : text);
}

} // namespace turnstile::conformance
