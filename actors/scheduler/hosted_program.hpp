#pragma once

#include "actors/caf/wall_clock.hpp"
#include "actors/scheduler/attempt_limits.hpp"
#include "core/attempt/backend_gate.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/turn/outcome.hpp"
#include "core/work/program.hpp"
#include "messages/event.pb.h"

#include <google/protobuf/message_lite.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// A program that a scheduler actor can host: works and outcomes are one
// Protobuf message each, so that they can cross messages, nodes and journals.
//
//     struct counter_program {
//       using work_message = demo::Add;     // what a client submits
//       using outcome_message = demo::Sum;  // what a backend answers
//       using state_type = counter_state;   // see core/work/program.hpp;
//                                           // with apply(branch, outcome)
//       // Makes a request's state from RegisterRequest.state.
//       static result<state_type> make_state(const std::string& bytes);
//     };
//
// Everything else is optional; what each hook does is said at its concept.

namespace turnstile {

template <class T>
concept protobuf_message = std::derived_from<
  T, google::protobuf::MessageLite> && std::is_nothrow_move_constructible_v<T>;

namespace detail {

template <class P>
struct result_of_program {
  using type = typename P::outcome_message;
};

template <class P>
requires requires {
  typename P::result_message;
}
struct result_of_program<P> {
  using type = typename P::result_message;
};

template <class P>
struct terms_of_program {
  using type = std::monostate;
};

template <class P>
requires requires {
  typename P::terms_type;
}
struct terms_of_program<P> {
  using type = typename P::terms_type;
};

template <class P>
struct attempts_of_program {
  using type = std::monostate;
};

template <class P>
requires requires {
  typename P::attempts_type;
}
struct attempts_of_program<P> {
  using type = typename P::attempts_type;
};

} // namespace detail

/// What is applied to the state and told to clients. The backend's outcome,
/// unless the program names a `result_message` of its own.
template <class P>
using result_of_program = typename detail::result_of_program<P>::type;

/// What a request was registered with that is not state: quota, policies.
/// Made once by `make_terms(bytes)` from RegisterRequest.state.
template <class P>
using terms_of_program = typename detail::terms_of_program<P>::type;

/// What a program remembers from one attempt of a work to the next.
template <class P>
using attempts_of_program = typename detail::attempts_of_program<P>::type;

/// How one submission of a work began.
struct attempt_start {
  const std::string& backend; ///< Who shall execute it; may not be there.
  std::uint32_t submission = 1;
  instant now;
};

/// How one submission of a work ended.
template <class P>
struct attempt_end {
  result<typename P::outcome_message> how;
  std::optional<attempt_timeout> timed_out; ///< Then we had it stopped.
  std::string backend;                      ///< Who executed it.
  std::uint32_t submission = 1;
  instant started; ///< When this submission began.
  instant now;
};

/// The work is tried again, after so long.
struct try_again {
  duration delay{};
};

/// Either the work is tried again, or this is its completion.
template <class P>
using next_of_attempt = std::variant<try_again, result<result_of_program<P>>>;

/// How a work ended, whatever became of it.
template <class P>
struct end_of_work {
  work_lifecycle lifecycle = work_lifecycle::committed;
  const result_of_program<P>* result = nullptr; ///< If it was committed.
  const failure* why = nullptr; ///< If it failed by a cause of its own.

  /// Why it may not publish, if neither: `with_request`, `expired` or
  /// `cancelled`.
  std::optional<drop_reason> lost_by;
  bool reclaimed = false; ///< Its backend never said that it ended.
  request_status request = request_status::active; ///< How that stands now.
  instant now;
};

/// A program is an object that its scheduler owns; what it needs beside its
/// terms (a place to send news to, say) are its members. Hooks may be static.
template <class P>
concept hosted_program =
  protobuf_message<typename P::work_message> && protobuf_message<typename P::outcome_message> && protobuf_message<
    result_of_program<
      P>> && semantic_state<typename P::state_type> && requires(P& program,
                                                                const std::
                                                                  string&
                                                                    bytes) {
  { program.make_state(bytes) } -> std::same_as<result<typename P::state_type>>;
};

/// Optional: terms per request, from its registration to its end.
template <class P>
concept has_terms = requires(P& program, const std::string& bytes,
                             instant now) {
  {
    program.make_terms(bytes, now)
    } -> std::same_as<result<typename P::terms_type>>;
};

/// Optional: whether a work may come in, asked before the core is; a refusal
/// is the answer to its submission. `take_back` undoes an admission if the work
/// does not come in after all, for another reason or because of a sibling of
/// its batch; otherwise `accepted` follows.
template <class P>
concept admits_works = requires(P& program, terms_of_program<P>& terms,
                                typename P::work_message& work,
                                attempts_of_program<P>& attempts, instant now,
                                const work_id& id) {
  { program.admit(terms, work, attempts, now) } -> std::same_as<status>;
  program.take_back(terms, work);
  program.accepted(terms, work, attempts, id);
};

/// Optional: works have names of the program's, by which they can be withdrawn,
/// also before they come in (`withdraw_early`, which may refuse).
template <class P>
concept names_works = requires(P& program, terms_of_program<P>& terms,
                               const std::string& name) {
  {
    program.find_work(terms, name)
    } -> std::same_as<std::optional<std::uint64_t>>;
  { program.withdraw_early(terms, name) } -> std::same_as<status>;
};

/// Optional: hears of the beginning of a request, and of its end, once nothing
/// of it runs any more.
template <class P>
concept hears_requests = requires(P& program, terms_of_program<P>& terms,
                                  request_status how) {
  program.request_opened(terms);
  program.request_closed(terms, how);
};

/// Optional: hears of every work that does not come in, and why.
template <class P>
concept hears_refusals = requires(P& program, terms_of_program<P>& terms,
                                  const typename P::work_message& work,
                                  const failure& why) {
  program.refused(terms, work, why);
};

/// Optional, for programs that admit: when an admitted work is due. It then
/// ends alone, also in flight; an earlier deadline of its client's wins.
template <class P>
concept dates_works = requires(P& program,
                               const attempts_of_program<P>& attempts) {
  { program.due(attempts) } -> std::same_as<std::optional<instant>>;
};

/// Optional: the backend that a work wants; empty: the scheduler's default.
template <class P>
concept routes_works = requires(P& program,
                                const typename P::work_message& work) {
  { program.backend_of(work) } -> std::convertible_to<std::string>;
};

/// Optional: how long one attempt may take.
template <class P>
concept times_attempts = requires(P& program,
                                  const typename P::work_message& work) {
  { program.limits_of(work) } -> std::same_as<attempt_limits>;
};

/// Optional: hears of each submission when it begins. The work goes to its
/// backend as this leaves it.
template <class P>
concept starts_attempts = requires(P& program, terms_of_program<P>& terms,
                                   typename P::work_message& work,
                                   attempts_of_program<P>& attempts,
                                   const attempt_start& start) {
  program.attempt_started(terms, work, attempts, start);
};

/// Optional: hears what a backend says of a submission while it goes on.
template <class P>
concept hears_progress = requires(P& program, terms_of_program<P>& terms,
                                  const typename P::work_message& work,
                                  const std::string& detail) {
  program.progressed(terms, work, detail);
};

/// Optional: what follows the end of an attempt. Without it, every end is the
/// work's completion, and a timeout is a failure.
template <class P>
concept judges_attempts = requires(P& program, terms_of_program<P>& terms,
                                   typename P::work_message& work,
                                   attempts_of_program<P>& attempts,
                                   attempt_end<P>&& end) {
  {
    program.after_attempt(terms, work, attempts, std::move(end))
    } -> std::same_as<next_of_attempt<P>>;
};

/// Optional: whether a backend's outcome is what was asked of it, so that it
/// counts although the attempt was to be stopped. Without it: any is.
template <class P>
concept tells_success = requires(const typename P::outcome_message& outcome) {
  { P::succeeded(outcome) } -> std::same_as<bool>;
};

/// Optional: what the end of an attempt shows of the backend, nothing if it was
/// never asked. Without it no backend is rested.
template <class P>
concept watches_backends = requires(P& program, const attempt_end<P>& end) {
  { program.news_of(end) } -> std::same_as<std::optional<backend_news>>;
};

/// Optional: hears of the end of an attempt whose work can publish no more.
template <class P>
concept hears_lost_attempts = requires(P& program, terms_of_program<P>& terms,
                                       typename P::work_message& work,
                                       attempts_of_program<P>& attempts,
                                       attempt_end<P>&& end) {
  program.after_lost_attempt(terms, work, attempts, std::move(end));
};

/// Optional: hears of the end of every accepted work, exactly once. For one
/// that was not committed it may make the outcome that its client is told.
template <class P>
concept hears_ends = requires(P& program, terms_of_program<P>& terms,
                              const typename P::work_message& work,
                              const attempts_of_program<P>& attempts,
                              const end_of_work<P>& end) {
  {
    program.work_ended(terms, work, attempts, end)
    } -> std::same_as<std::optional<result_of_program<P>>>;
};

/// Optional: adds to an ended request's encoded state what only its terms know,
/// once all of its works have ended.
template <class P>
concept completes_states = requires(P& program, terms_of_program<P>& terms,
                                    std::string& state) {
  program.complete_state(terms, state);
};

/// What people who read a journal call a request or a work.
struct journal_label {
  std::string name;  ///< The program's own name for it; unique, or empty.
  std::string label; ///< What people call it.
};

/// Optional: names and words for journals. `word_of` says in one word how a
/// work or a request has ended.
template <class P>
concept labels_facts = requires(const P& program,
                                const terms_of_program<P>& terms,
                                const typename P::work_message& work,
                                const result_of_program<P>& result,
                                request_status how) {
  { program.label_of(terms) } -> std::same_as<journal_label>;
  { program.label_of(work) } -> std::same_as<journal_label>;
  { program.word_of(result) } -> std::convertible_to<std::string>;
  { program.word_of(terms, how) } -> std::convertible_to<std::string>;
};

/// Optional: what became of the attempts that a work has had, as a sentence;
/// empty: it had none.
template <class P>
concept tells_attempts = requires(const attempts_of_program<P>& attempts) {
  { P::so_far(attempts) } -> std::convertible_to<std::string>;
};

/// Optional: works whose outcome is known when they come in, so that no backend
/// is asked.
template <class P>
concept knows_outcomes = requires(const P& program,
                                  const typename P::work_message& work) {
  {
    program.known_outcome(work)
    } -> std::same_as<std::optional<result_of_program<P>>>;
};

/// Optional: under which key a journal is to remember an outcome for works that
/// ask for the same; empty: it is not to.
template <class P>
concept remembers_outcomes = requires(const P& program,
                                      const typename P::work_message& work,
                                      const result_of_program<P>& result) {
  { program.memo_key_of(work, result) } -> std::convertible_to<std::string>;
};

/// Optional: a program with news for others, which its journal is to have
/// first. After `collect_news()` it keeps them until they are taken.
template <class P>
concept has_news = requires(P& program) {
  program.collect_news();
  { program.take_news() } -> std::same_as<std::vector<wire::Event>>;
};

/// Optional: is told by whoever finishes a request how that end shall be
/// called (`FinishRequest.verdict`).
template <class P>
concept hears_verdicts = requires(P& program, terms_of_program<P>& terms,
                                  const std::string& verdict) {
  { program.judged(terms, verdict) } -> std::same_as<status>;
};

/// What a journal knows of a work whose request is taken up again.
struct past_of_work {
  work_id id;
  instant accepted; ///< When it came in.
  std::uint32_t submissions = 0;
  std::string attempts; ///< As `encode_attempts` had it; may be empty.
  bool lost = false;    ///< The last submission ended unknown, with us.
  std::string backend;  ///< Who had it last.
};

/// And of one that has ended.
template <class P>
struct past_of_ended {
  work_id id;
  std::string name;       ///< As `label_of` had it.
  bool committed = false; ///< Whether the state has its outcome.

  /// What its client was told, if that was something.
  std::optional<result_of_program<P>> outcome;
};

/// Optional, for programs that admit works or remember attempts, and needed to
/// take their requests up again: is told of every work of the request, in their
/// order, before any other hook. `restore` of those that go on; if it answers a
/// result, the work ends with that and is not submitted again. `restore_ended`
/// of the others, whose outcome goes into the state afterwards.
template <class P>
concept restores_works = requires(P& program, terms_of_program<P>& terms,
                                  typename P::work_message& work,
                                  attempts_of_program<P>& attempts,
                                  const past_of_work& past,
                                  past_of_ended<P>& ended, instant now,
                                  const wall_clock& wall) {
  {
    program.encode_attempts(work, attempts, wall)
    } -> std::convertible_to<std::string>;
  {
    program.restore(terms, work, attempts, past, now, wall)
    } -> std::same_as<result<std::optional<result_of_program<P>>>>;
  { program.restore_ended(terms, ended) } -> std::same_as<status>;
};

/// Optional: the state is a function of the outcomes that were applied to it,
/// in their order, so that a journal need not keep it besides.
template <class S>
concept replaying_state = S::replays_outcomes;

/// Whether a journal can bring back the requests of this program.
template <class P>
inline constexpr bool can_restore =
  (restorable_state<typename P::state_type> || replaying_state<typename P::state_type>)&&(
    restores_works<
      P> || (!admits_works<P> && std::same_as<attempts_of_program<P>, std::monostate>));

/// Optional: the descriptor that ranks compare. Without it: the size of the
/// message.
template <class P>
concept describes_works = requires(const typename P::work_message& work,
                                   std::vector<std::uint32_t>& words) {
  { P::describe(work, words) } -> std::same_as<status>;
};

/// A client's work inside the core.
template <class P>
struct hosted_work {
  typename P::work_message message;
  [[no_unique_address]] attempts_of_program<P> attempts;

  /// Why it may not publish any more, once that is so.
  std::optional<drop_reason> lost_by;

  /// What its client is told, if that is in the journal and not told yet.
  std::unique_ptr<std::string> said;

  /// What it ends with instead of being submitted, if that is known.
  std::unique_ptr<result_of_program<P>> decided;

  status encode_descriptor(std::vector<std::uint32_t>& words) const {
    if constexpr (describes_works<P>) {
      return P::describe(message, words);
    } else {
      words.push_back(static_cast<std::uint32_t>(message.ByteSizeLong()));
      return {};
    }
  }
};

/// What a backend owes for one submission.
struct hosted_output {
  std::string backend;
  bool preemptible = false;

  [[nodiscard]] std::uint64_t retained_resources() const { return 1; }
  [[nodiscard]] const std::string& backend_name() const { return backend; }
  [[nodiscard]] bool physically_preemptible() const { return preemptible; }
};

/// The program as the core sees it.
template <hosted_program P>
struct core_program {
  using work_type = hosted_work<P>;
  using state_type = typename P::state_type;
  using output_type = hosted_output;
  using outcome_type = result_of_program<P>;
};

} // namespace turnstile
