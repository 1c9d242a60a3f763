#pragma once

#include "core/base/result.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// What a user's program looks like to the scheduler. Whatever these functions
// return as a failure, or throw, is caught where it enters and becomes the
// failure of the one work concerned; no table is ever left half changed.
//
// All values must move without throwing. The scheduler owns them: a work from
// `enqueue` until the row that tells its end gives it back, a branch from
// `branch()` until it is committed or discarded, an output from submission
// until the row of its commit gives it back or it is destroyed.

namespace turnstile {

/// One transition of a request's state.
///
/// `encode_descriptor` appends every semantic field in a stable order, so that
/// ranks can compare what they are about to run; shapes and routing, never
/// payload. It may fail or throw: the work fails before anything ran.
template <class W>
concept work_descriptor =
  std::is_nothrow_move_constructible_v<W> && std::is_object_v<W> && requires(
    const W& work, std::vector<std::uint32_t>& words) {
  { work.encode_descriptor(words) } -> std::same_as<status>;
};

/// Optional: how many non-preemptible operations the work needs, from 1 to
/// `scheduler_limits::execution_slice`. Without it: one. Should it throw, the
/// work fails before anything ran.
template <class W>
concept sliced_work = requires(const W& work) {
  { work.execution_slice_size() } -> std::convertible_to<std::uint64_t>;
};

/// Optional on a state's commit: it is told how many commits the request has
/// published since this branch was cut, and may refuse with `errc::conflict`,
/// leaving the branch intact. The work is then queued again on the new base.
template <class S>
concept conflict_aware_state = requires(S& state,
                                        typename S::branch_type branch,
                                        std::uint64_t commits) {
  { state.commit_branch(std::move(branch), commits) } -> std::same_as<status>;
};

/// Canonical state of a request.
///
/// `branch()` cuts an unpublished branch; may fail or throw: the work and its
/// request fail. `commit_branch` publishes a branch, which is its own then; may
/// fail or throw: the work and its request fail, and the state must be as
/// before. Only a branch that it refuses with a conflict is discarded.
template <class S>
concept semantic_state = std::is_nothrow_move_constructible_v<S> && std::
  is_nothrow_move_constructible_v<typename S::branch_type> && requires(
    const S& canonical, S& state, typename S::branch_type branch) {
  { canonical.branch() } -> std::same_as<result<typename S::branch_type>>;
  requires conflict_aware_state<S> || requires {
    { state.commit_branch(std::move(branch)) } -> std::same_as<status>;
  };
};

/// Optional: rolls an unpublished branch back. May fail or throw: the work
/// counts as failed, and its request ends as failed. Without it a branch is
/// just destroyed.
template <class S>
concept discarding_state = requires(typename S::branch_type branch) {
  { S::discard_branch(std::move(branch)) } -> std::same_as<status>;
};

/// Optional: whether several branches may be cut from the same base. Asked at
/// registration, after every commit and after `edit_state`; without it, and
/// should it throw: no.
template <class S>
concept parallel_state = requires(const S& state) {
  { state.permits_parallel_branches() } -> std::convertible_to<bool>;
};

/// Optional: whether commits must come in the order of sequence. An early
/// completion then waits as `completing`. Asked when `parallel_state` is;
/// without it: no; should it throw: yes.
template <class S>
concept ordered_state = requires(const S& state) {
  { state.ordered_commits() } -> std::convertible_to<bool>;
};

/// What a backend owes for one submission. `retained_resources` is how many of
/// them it holds; read at submission, abandonment and polls. Should it throw,
/// the number stays.
template <class O>
concept transition_output =
  std::is_nothrow_move_constructible_v<O> && requires(const O& output) {
  { output.retained_resources() } -> std::convertible_to<std::uint64_t>;
};

/// Optional: the output can be asked, without blocking, whether exactly its own
/// submission has completed; a failure is the failure of the execution. Such
/// outputs are asked at every poll; all others are completed by id.
template <class O>
concept polled_output = requires(const O& output) {
  { output.is_complete() } -> std::same_as<result<bool>>;
};

/// Optional: a stable backend name, for capabilities. Empty, and should it
/// throw: none.
template <class O>
concept named_output = requires(const O& output) {
  { output.backend_name() } -> std::convertible_to<std::string>;
};

/// Optional: whether running work can be physically interrupted. Without it,
/// and should it throw: no.
template <class O>
concept preemptible_output = requires(const O& output) {
  { output.physically_preemptible() } -> std::convertible_to<bool>;
};

/// The outcome of programs whose completions carry no data.
using no_outcome = std::monostate;

namespace detail {

template <class P>
struct outcome_of {
  using type = no_outcome;
};

template <class P>
requires requires {
  typename P::outcome_type;
}
struct outcome_of<P> {
  using type = typename P::outcome_type;
};

} // namespace detail

template <class P>
using outcome_of = typename detail::outcome_of<P>::type;

/// Optional: a completion's outcome is put into the branch just before it is
/// committed; its failure is a commit failure. The row of the commit hands the
/// outcome on, so `apply` leaves in it what others are to see.
template <class P>
concept applying_program = requires(typename P::state_type::branch_type& branch,
                                    outcome_of<P>& outcome) {
  { P::state_type::apply(branch, outcome) } -> std::same_as<status>;
};

/// Optional: the state's byte form, for owners elsewhere. Without it those
/// verbs are refused with `errc::no_codec`. May fail or throw: then the state
/// stays where it is.
template <class S>
concept encodable_state = requires(const S& state) {
  { state.encode() } -> std::same_as<result<std::string>>;
};

/// Optional: the way back, for journals and ranks that are replaced.
template <class S>
concept restorable_state =
  encodable_state<S> && requires(const std::string& bytes) {
  { S::decode(bytes) } -> std::same_as<result<S>>;
};

/// The types of one kind of scheduler.
template <class P>
concept program = work_descriptor<typename P::work_type> && semantic_state<
  typename P::state_type> && transition_output<typename P::output_type> && std::
  is_nothrow_move_constructible_v<outcome_of<P>>;

} // namespace turnstile
