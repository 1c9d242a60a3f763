#pragma once

#include "core/base/result.hpp"
#include "messages/event.pb.h"
#include "messages/journal.pb.h"

#include <cstdint>
#include <vector>

namespace turnstile {

/// Where a journal actor keeps facts. They come in as they happen, and many of
/// them become durable together. Blocks; one actor owns it.
class journal_store {
public:
  virtual ~journal_store() = default;

  /// Takes facts into the draft: all, or on refusal none.
  virtual status append(const wire::AppendFacts& facts) = 0;

  /// Whether anything waits for a commit.
  [[nodiscard]] virtual bool has_draft() const noexcept = 0;

  /// Makes the draft durable. On failure it stays, for another try.
  virtual status commit() = 0;

  /// Says that its owner lives. Called now and then.
  virtual status renew() = 0;

  /// How many facts are durable.
  [[nodiscard]] virtual std::uint64_t facts() const noexcept = 0;

  /// A number for the next life of a request that none here has.
  [[nodiscard]] virtual std::uint64_t next_life() const noexcept = 0;

  /// What is durable of a request, or `unknown_request`.
  virtual result<wire::History> history(const wire::HistoryQuery& query) = 0;

  /// Events of a run, those that are durable.
  virtual result<wire::EventBatch> events(const wire::EventsQuery& query) = 0;

  /// The newest durable outcome that is remembered under a key.
  virtual result<wire::MemoAnswer> memo(const wire::MemoQuery& query) = 0;

  /// Takes what other processes have asked for since this was last called.
  virtual std::vector<wire::JournalCommand> take_commands() = 0;

  /// Lets who asked know what became of it.
  virtual status answer(std::uint64_t command,
                        const wire::CommandAnswer& answer) = 0;

  /// Takes the events that became durable since this was last called.
  virtual std::vector<wire::Event> take_events() = 0;
};

} // namespace turnstile
