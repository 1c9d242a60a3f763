#include "actors/process/process_loop.hpp"

#include "actors/process/keeper_image.hpp"
#include "core/base/check.hpp"

#include <utility>

namespace turnstile {

namespace {

// One read, and what a pipe holds by default.
constexpr auto chunk_bytes = std::size_t{64} << 10;

// A start takes about a millisecond; running children get their turn between.
constexpr auto max_orders_per_wake = 16;

constexpr auto patience = std::chrono::seconds{2};

} // namespace

process_loop::process_loop()
  : keeper_image_(open_keeper_image()), chunk_(chunk_bytes),
    patience_(loop_.get(), [this] { abandon_all(); }),
    wakeup_(loop_.get(), [this] { wake(); }) {}

void process_loop::post(process_order order) {
  {
    auto lock = std::lock_guard{mutex_};
    orders_.push_back(std::move(order));
  }
  wakeup_.signal();
}

void process_loop::close() {
  {
    auto lock = std::lock_guard{mutex_};
    closing_ = true;
  }
  wakeup_.signal();
}

void process_loop::run() {
  ::uv_run(&loop_.get(), UV_RUN_DEFAULT);
}

void process_loop::wake() {
  ended_.clear();
  auto closing = [this] {
    auto lock = std::lock_guard{mutex_};
    return closing_;
  }();
  if (closing) {
    refuse_waiting();
    end_all();
  } else {
    take_orders();
  }
  if (ending_ && children_.empty())
    ::uv_stop(&loop_.get());
}

void process_loop::take_orders() {
  for (int taken = 0; taken < max_orders_per_wake; ++taken) {
    auto lock = std::unique_lock{mutex_};
    if (orders_.empty())
      return;
    auto order = std::move(orders_.front());
    orders_.pop_front();
    lock.unlock();
    std::visit([this](auto& it) { obey(it); }, order);
  }
  wakeup_.signal(); // There may be more.
}

void process_loop::obey(start_order& order) {
  auto number = order.number;
  auto around = child_surroundings{loop_.get(), chunk_, keeper_image_.get()};
  auto child = std::make_unique<child_process>(
    around, std::move(order.spec), std::move(order.callbacks),
    [this, number] { retire(number); });
  auto& placed = *children_.emplace(number, std::move(child)).first->second;
  placed.start();
}

void process_loop::obey(stop_order& order) {
  if (auto found = children_.find(order.number); found != children_.end())
    found->second->stop(order.grace);
}

void process_loop::refuse_waiting() {
  auto waiting = [this] {
    auto lock = std::lock_guard{mutex_};
    return std::exchange(orders_, {});
  }();
  for (auto& order : waiting) {
    if (auto* start = std::get_if<start_order>(&order)) {
      auto refused = process_exit{};
      refused.stopped = true;
      refused.failure = {start_problem::other, {}, "while its host ends"};
      start->callbacks.on_exit(std::move(refused));
    }
  }
}

void process_loop::end_all() {
  if (std::exchange(ending_, true))
    return;
  for (auto* child : running())
    child->stop_for_good();
  patience_.start(patience);
}

void process_loop::abandon_all() {
  for (auto* child : running())
    child->abandon();
}

// Children leave the table while they end, so collect them first.
std::vector<child_process*> process_loop::running() const {
  auto out = std::vector<child_process*>{};
  for (const auto& [number, child] : children_)
    out.push_back(child.get());
  return out;
}

void process_loop::retire(std::uint64_t number) {
  auto node = children_.extract(number);
  TURNSTILE_CHECK(!node.empty());
  ended_.push_back(std::move(node.mapped()));
  wakeup_.signal();
}

} // namespace turnstile
