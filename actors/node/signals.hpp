#pragma once

#include <functional>
#include <thread>

namespace turnstile::node {

/// Lets INT and TERM end the program with `exit_interrupted` until they are
/// blocked. As the first process of a container it would not hear them, since
/// the kernel spares that one all signals that it does not expect.
void exit_on_interrupts();

/// Blocks INT and TERM for this thread and all that it will start. Call it
/// before any other thread begins.
void block_interrupts();

/// Waits for INT and TERM on a thread of its own and tells how many have come,
/// from 1. @pre `block_interrupts` was called
class interrupts {
public:
  explicit interrupts(std::function<void(int count)> on_interrupt);
  ~interrupts();

  interrupts(const interrupts&) = delete;
  interrupts& operator=(const interrupts&) = delete;

private:
  std::function<void(int)> on_interrupt_;
  int wake_ = -1; ///< An eventfd that ends the thread.
  int news_ = -1; ///< A signalfd.
  std::thread thread_;
};

} // namespace turnstile::node
