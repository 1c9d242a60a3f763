#pragma once

#include "actors/caf/caf.hpp"
#include "actors/testing/still_world.hpp"

#include <caf/scoped_actor.hpp>
#include <google/protobuf/wrappers.pb.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

// Out of the way of every block that an application registers in this program.
CAF_BEGIN_TYPE_ID_BLOCK(seam_tests, caf::first_custom_type_id + 2000)

  CAF_ADD_TYPE_ID(seam_tests, (google::protobuf::StringValue))
  CAF_ADD_ATOM(seam_tests, seam_tests, note_atom, "note")
  CAF_ADD_ATOM(seam_tests, seam_tests, diary_atom, "diary")
  CAF_ADD_ATOM(seam_tests, seam_tests, later_atom, "later")

CAF_END_TYPE_ID_BLOCK(seam_tests)

namespace seam_tests {

using namespace turnstile;

using text = google::protobuf::StringValue;

inline text make_text(std::string value) {
  text result;
  result.set_value(std::move(value));
  return result;
}

using still_world = testing::still_world_of<caf::id_block::seam_tests>;

/// Keeps a diary, and refuses a note that says "no".
using diarist = typed_actor<
  /// Writes the note down.
  caf::result<void>(note_atom, text),
  /// Answers the note itself, or `errc::capacity`.
  caf::result<text>(text),
  /// Answers as above, but only when told to by a later note "now".
  caf::result<text>(later_atom, text),
  /// Answers all notes so far, each followed by a blank.
  caf::result<text>(diary_atom)>;

struct diarist_state {
  static constexpr const char* name = "diarist";

  explicit diarist_state(diarist::pointer selfptr, std::string first = "")
    : self(selfptr), notes(std::move(first)) {}

  diarist::behavior_type make_behavior() {
    return {
      [this](note_atom, const text& note) { write(note.value()); },
      [this](const text& note) { return answer(check(note)); },
      [this](later_atom, const text& note) -> caf::result<text> {
        waiting.emplace_back(self->make_response_promise<text>(), note);
        return waiting.back().first;
      },
      [this](diary_atom) { return make_text(notes); },
    };
  }

  [[nodiscard]] result<text> check(const text& note) const {
    if (note.value() == "no")
      return fail(errc::capacity, "the diary is full");
    return note;
  }

  void write(const std::string& note) {
    notes += note + ' ';
    if (note == "now")
      for (auto& [promise, held] : std::exchange(waiting, {}))
        deliver(promise, check(held));
  }

  diarist::pointer self;
  std::string notes;
  std::vector<std::pair<caf::typed_response_promise<text>, text>> waiting;
};

/// What came of a request: the text, the rendered error, or "waiting".
struct outcome {
  std::string seen = "waiting";
  std::optional<failure> why;
};

/// Requests, settles and receives. Only for requests that are answered without
/// anybody's further doing.
template <class Handle, class... Ts>
outcome ask(still_world& world, const Handle& whom, Ts&&... xs) {
  outcome result;
  caf::scoped_actor self{world.system()};
  auto pending =
    mail(self, std::forward<Ts>(xs)...).request(whom, caf::infinite);
  world.settle();
  std::move(pending).receive([&](const text& x) { result.seen = x.value(); },
                             [&](const caf::error& why) {
                               result.seen = render(world.system(), why);
                               result.why = to_failure(world.system(), why);
                             });
  return result;
}

inline std::string diary_of(still_world& world, const diarist& whom) {
  return ask(world, whom, diary_atom_v).seen;
}

} // namespace seam_tests
