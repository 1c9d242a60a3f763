#pragma once

#include "core/base/result.hpp"
#include "messages/event.pb.h"
#include "messages/journal.pb.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace turnstile::testing {

/// A fact as a recording journal was given it, and by which scheduler. An
/// event has the number and the time that the journal gave it.
struct recorded_fact {
  std::string scheduler;
  wire::Fact fact;
};

/// What recording journals keep, for a test to look at and to steer: what is
/// durable, and when, and whether anything can be kept. It outlives them: the
/// next journal on the same recording goes on from what is durable, as the next
/// process does with a file.
///
/// Facts have positions from 1 in the order in which they came; `Durable.facts`
/// is one of them. Any thread may look and steer. A question reads all facts
/// that are durable.
///
/// Invariant: the first `durable()` facts are durable, and end with a whole
/// message.
class recording {
public:
  recording() = default;
  recording(const recording&) = delete;

  /// Returns all facts, those included that are not durable yet.
  [[nodiscard]] std::vector<recorded_fact> facts() const;

  /// Returns them as one line, each with its work's sequence or its event's
  /// number, and a bar where those end that are durable: "opened, accepted 0,
  /// started 0, event 1 | ended 0 ok, closed completed".
  [[nodiscard]] std::string text() const;

  /// Returns how many facts are durable.
  [[nodiscard]] std::uint64_t durable() const;

  /// Returns how often facts were made durable: what a disk would have synced.
  [[nodiscard]] std::uint64_t syncs() const;

  /// Lets nothing more become durable, as a disk that takes long.
  void hold();

  /// Lets all become durable again.
  void release();

  /// Lets what came up to `position` become durable, as far as its messages are
  /// whole, and nothing after it.
  void release(std::uint64_t position);

  /// Lets nothing be kept any more, for this reason: `storage_full` and
  /// `storage_failed` may pass, `fenced` and `journal_damaged` are for good.
  void fail(failure why);

  /// Lets nothing be read any more, which some facts and all questions need.
  void fail_reading(failure why);

  /// Lets all be kept and read again. The journal notices when it tries again.
  void recover();

  /// Asks the journal's schedulers for something, as another process does:
  /// "cancel" or "explain", of a run, or if it is not empty, of a task. Returns
  /// by which number the answer is asked for.
  std::uint64_t ask(const std::string& verb, const std::string& run,
                    const std::string& task = {});

  /// Returns what became of it, once anything did.
  [[nodiscard]] std::optional<wire::CommandAnswer>
  answer_to(std::uint64_t command) const;

  // What a journal answers. Of what is durable.

  [[nodiscard]] std::uint64_t next_life() const;
  [[nodiscard]] result<wire::History>
  history(const wire::HistoryQuery& query) const;
  [[nodiscard]] result<wire::EventBatch>
  events(const wire::EventsQuery& query) const;
  [[nodiscard]] result<wire::MemoAnswer>
  memo(const wire::MemoQuery& query) const;

private:
  friend class recording_store;

  static constexpr auto all = std::numeric_limits<std::uint64_t>::max();

  struct stream {
    std::uint64_t next = 1;
    bool ended = false;
  };

  // For the store of the journal that has this number. The one that came last
  // may write.

  /// Takes the recording over, and drops what is not durable.
  std::uint64_t attach(std::function<void()> wake);
  void detach(std::uint64_t store);
  status append(std::uint64_t store, const wire::AppendFacts& facts,
                std::int64_t unix_ns);
  [[nodiscard]] bool may_commit() const;
  status commit(std::uint64_t store, std::vector<wire::Event>& told);
  status owns(std::uint64_t store) const;
  std::vector<wire::JournalCommand> commands_after(std::uint64_t command) const;
  status answer(std::uint64_t command, const wire::CommandAnswer& answer);

  [[nodiscard]] std::uint64_t committable() const;
  status check(const wire::AppendFacts& facts) const;
  void note(const recorded_fact& one);
  void steer(const std::function<void()>& change);

  mutable std::mutex mutex_;
  std::vector<recorded_fact> facts_;
  std::vector<std::uint64_t> ends_; ///< Of messages: positions of their last.
  std::uint64_t durable_ = 0;
  std::uint64_t released_ = all;
  std::uint64_t syncs_ = 0;
  std::optional<failure> trouble_;
  std::optional<failure> unreadable_;
  std::vector<wire::JournalCommand> commands_;
  std::map<std::uint64_t, wire::CommandAnswer> answers_;
  std::function<void()> wake_;
  std::uint64_t store_ = 0; ///< The one that may write.

  // What the facts say, those included that are not durable.
  std::map<std::string, stream> streams_;
  std::set<std::tuple<std::string, std::uint64_t, std::uint64_t>> lives_;
};

} // namespace turnstile::testing
