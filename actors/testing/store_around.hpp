#pragma once

#include "actors/journal/journal_store.hpp"

#include <memory>
#include <utility>

namespace turnstile::testing {

/// A journal's store around another one, to which it passes everything on:
/// derive from it to count, to fail or to watch.
class store_around : public journal_store {
public:
  explicit store_around(std::unique_ptr<journal_store> below)
    : below_(std::move(below)) {}

  status append(const wire::AppendFacts& facts) override {
    return below_->append(facts);
  }
  [[nodiscard]] bool has_draft() const noexcept override {
    return below_->has_draft();
  }
  status commit() override { return below_->commit(); }
  status renew() override { return below_->renew(); }
  [[nodiscard]] std::uint64_t facts() const noexcept override {
    return below_->facts();
  }
  [[nodiscard]] std::uint64_t next_life() const noexcept override {
    return below_->next_life();
  }
  result<wire::History> history(const wire::HistoryQuery& query) override {
    return below_->history(query);
  }
  result<wire::EventBatch> events(const wire::EventsQuery& query) override {
    return below_->events(query);
  }
  result<wire::MemoAnswer> memo(const wire::MemoQuery& query) override {
    return below_->memo(query);
  }
  std::vector<wire::JournalCommand> take_commands() override {
    return below_->take_commands();
  }
  status answer(std::uint64_t command,
                const wire::CommandAnswer& answer) override {
    return below_->answer(command, answer);
  }
  std::vector<wire::Event> take_events() override {
    return below_->take_events();
  }

private:
  std::unique_ptr<journal_store> below_;
};

} // namespace turnstile::testing
