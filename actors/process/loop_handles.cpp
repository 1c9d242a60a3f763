#include "actors/process/loop_handles.hpp"

#include "core/base/check.hpp"

#include <system_error>

namespace turnstile {

namespace {

template <class Handle>
void call(Handle* handle) {
  static_cast<loop_block<Handle>*>(handle->data)->call();
}

template <class Handle>
loop_block<Handle>* make_block(std::function<void()> what) {
  auto* block = new loop_block<Handle>{{}, std::move(what)};
  block->handle.data = block;
  return block;
}

template <class Handle>
void close_block(loop_block<Handle>* block) {
  ::uv_close(reinterpret_cast<uv_handle_t*>(&block->handle),
             [](uv_handle_t* handle) {
               delete static_cast<loop_block<Handle>*>(handle->data);
             });
}

std::uint64_t whole_milliseconds(duration time) {
  auto rounded = std::chrono::ceil<std::chrono::milliseconds>(time);
  return rounded.count() > 0 ? static_cast<std::uint64_t>(rounded.count()) : 0;
}

} // namespace

event_loop::event_loop() {
  if (auto error = ::uv_loop_init(&loop_); error != 0)
    throw std::system_error{-error, std::generic_category(), "event loop"};
}

event_loop::~event_loop() {
  ::uv_run(&loop_, UV_RUN_DEFAULT); // The goodbyes of what was on it.
  TURNSTILE_CHECK(::uv_loop_close(&loop_) == 0);
}

loop_timer::loop_timer(uv_loop_t& loop, std::function<void()> due)
  : block_(make_block<uv_timer_t>(std::move(due))) {
  ::uv_timer_init(&loop, &block_->handle);
}

loop_timer::~loop_timer() {
  close_block(block_);
}

void loop_timer::start(duration first, duration repeat) {
  ::uv_update_time(block_->handle.loop); // It may have worked for a while.
  ::uv_timer_start(&block_->handle, call<uv_timer_t>, whole_milliseconds(first),
                   whole_milliseconds(repeat));
}

void loop_timer::stop() {
  ::uv_timer_stop(&block_->handle);
}

fd_watch::fd_watch(uv_loop_t& loop, unique_fd fd, int events,
                   std::function<void()> ready)
  : fd_(std::move(fd)), block_(make_block<uv_poll_t>(std::move(ready))) {
  TURNSTILE_CHECK(::uv_poll_init(&loop, &block_->handle, fd_.get()) == 0);
  ::uv_poll_start(&block_->handle, events,
                  [](uv_poll_t* handle, int, int) { call(handle); });
}

fd_watch::~fd_watch() {
  ::uv_poll_stop(&block_->handle); // Before the descriptor is closed.
  close_block(block_);
}

loop_wakeup::loop_wakeup(uv_loop_t& loop, std::function<void()> woken)
  : block_(make_block<uv_async_t>(std::move(woken))) {
  auto error = ::uv_async_init(&loop, &block_->handle, call<uv_async_t>);
  if (error != 0) {
    delete block_;
    throw std::system_error{-error, std::generic_category(), "event loop"};
  }
}

loop_wakeup::~loop_wakeup() {
  close_block(block_);
}

void loop_wakeup::signal() {
  ::uv_async_send(&block_->handle);
}

} // namespace turnstile
