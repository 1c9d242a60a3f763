#pragma once

#include "core/base/time.hpp"

#include <functional>
#include <thread>

namespace turnstile::node {

/// Lets INT and TERM end the program with `exit_interrupted` until they are
/// blocked. As the first process of a container it would not hear them, since
/// the kernel spares that one all signals that it does not expect. An INT that
/// was ignored when the program began stays so here and below, as shells want
/// it for what they run in the background.
void exit_on_interrupts();

/// Blocks INT and TERM for this thread and all that it will start. Call it
/// before any other thread begins.
void block_interrupts();

/// What to do about INT and TERM.
struct interrupt_plan {
  std::function<void(int count)> on_interrupt; ///< Counted from 1.
  duration patience{}; ///< How long the first may take to have its effect.
  std::function<void()> on_impatience; ///< No second one came in that time.
};

/// Waits for INT and TERM on a thread of its own, which calls these.
/// @pre `block_interrupts` was called
class interrupts {
public:
  explicit interrupts(interrupt_plan plan);
  ~interrupts();

  interrupts(const interrupts&) = delete;
  interrupts& operator=(const interrupts&) = delete;

private:
  void watch() const;

  interrupt_plan plan_;
  int wake_ = -1; ///< An eventfd that ends the thread.
  int news_ = -1; ///< A signalfd.
  std::thread thread_;
};

} // namespace turnstile::node
