#include "actors/testing/recording_journal.hpp"

namespace turnstile::testing {

recording_store::recording_store(std::shared_ptr<recording> where,
                                 std::function<std::int64_t()> unix_now,
                                 std::function<void()> wake)
  : where_(std::move(where)), unix_now_(std::move(unix_now)),
    number_(where_->attach(std::move(wake))) {}

recording_store::~recording_store() {
  where_->detach(number_);
}

status recording_store::append(const wire::AppendFacts& facts) {
  is_stale_ = !where_->owns(number_);
  if (is_stale_)
    return {}; // the commit will say so
  return where_->append(number_, facts, unix_now_());
}

bool recording_store::has_draft() const noexcept {
  return is_stale_ || where_->may_commit();
}

status recording_store::commit() {
  return where_->commit(number_, told_);
}

status recording_store::renew() {
  return where_->owns(number_);
}

std::uint64_t recording_store::facts() const noexcept {
  return where_->durable();
}

std::uint64_t recording_store::next_life() const noexcept {
  return where_->next_life();
}

result<wire::History>
recording_store::history(const wire::HistoryQuery& query) {
  return where_->history(query);
}

result<wire::EventBatch>
recording_store::events(const wire::EventsQuery& query) {
  return where_->events(query);
}

result<wire::MemoAnswer> recording_store::memo(const wire::MemoQuery& query) {
  return where_->memo(query);
}

std::vector<wire::JournalCommand> recording_store::take_commands() {
  auto later = where_->commands_after(last_command_);
  if (!later.empty())
    last_command_ = later.back().id();
  return later;
}

status recording_store::answer(std::uint64_t command,
                               const wire::CommandAnswer& answer) {
  return where_->answer(command, answer);
}

std::vector<wire::Event> recording_store::take_events() {
  return std::exchange(told_, {});
}

} // namespace turnstile::testing
