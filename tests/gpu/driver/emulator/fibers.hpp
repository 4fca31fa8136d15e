#pragma once

// The threads of a group as fibers of one host thread: each runs until it reaches a barrier, then the next one. Warps
// run alternately in ascending and descending order, which reveals results that depend on the order because a barrier
// is missing.
#include <ucontext.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

namespace emulator {

enum class Waiting { no, for_warp, for_group, done };

class Fibers {
 public:
  /// Runs work(thread) for every thread. `enter` is called with the number of a thread whenever that thread starts or
  /// resumes.
  void run(unsigned threads, const std::function<void(unsigned)>& work, const std::function<void(unsigned)>& enter) {
    constexpr unsigned warp = 32;
    work_ = &work;
    while (stacks_.size() < threads) stacks_.push_back(std::make_unique<char[]>(stack_bytes));
    fibers_.assign(threads, {});
    for (unsigned thread = 0; thread < threads; ++thread) {
      ucontext_t& context = fibers_[thread].context;
      getcontext(&context);
      context.uc_stack.ss_sp = stacks_[thread].get();
      context.uc_stack.ss_size = stack_bytes;
      context.uc_link = nullptr;
      makecontext(&context, reinterpret_cast<void (*)()>(&Fibers::begin), 0);
    }
    const unsigned warps = (threads + warp - 1) / warp;
    for (unsigned left = threads; left > 0;) {
      ++rounds_;
      for (unsigned n = 0; n < warps; ++n) {
        const unsigned first = (rounds_ % 2 == 0 ? n : warps - 1 - n) * warp;
        run_warp(first, std::min(threads, first + warp), enter);
      }
      left = 0;
      for (Fiber& fiber : fibers_)
        if (fiber.waiting == Waiting::for_group) fiber.waiting = Waiting::no, ++left;
      if (left > 0 && left < threads) fail("some threads of a group ended while others wait at a barrier");
    }
  }

  /// Suspends the current thread until its warp or its group has reached the barrier.
  void wait(Waiting what) {
    Fiber& own = fibers_[current_];
    own.waiting = what;
    if (_setjmp(own.place) == 0) _longjmp(main_place_, 1);
  }

  static Fibers& all() {
    static Fibers fibers;
    return fibers;
  }

 private:
  static constexpr std::size_t stack_bytes = 65536;
  struct Fiber {
    ucontext_t context;
    std::jmp_buf place;  ///< point of suspension: jumps are faster than context switches, which need a system call
    bool begun = false;
    Waiting waiting = Waiting::no;
  };

  static void begin() {
    Fibers& fibers = all();
    const unsigned own = fibers.current_;
    (*fibers.work_)(own);
    fibers.fibers_[own].waiting = Waiting::done;
    _longjmp(fibers.main_place_, 1);
  }

  [[noreturn]] static void fail(const char* what) {
    std::fprintf(stderr, "emulated GPU: %s\n", what);
    std::abort();
  }

  void resume(Fiber& fiber) {
    if (_setjmp(main_place_) != 0) return;
    if (fiber.begun) _longjmp(fiber.place, 1);
    fiber.begun = true;
    setcontext(&fiber.context);
  }

  /// Runs a warp until all of its threads have ended or wait for the group.
  void run_warp(unsigned first, unsigned last, const std::function<void(unsigned)>& enter) {
    for (bool again = true; again;) {
      unsigned waiting = 0;
      for (current_ = first; current_ < last; ++current_) {
        Fiber& fiber = fibers_[current_];
        if (fiber.waiting != Waiting::no) continue;
        enter(current_);
        resume(fiber);
      }
      for (unsigned thread = first; thread < last; ++thread)
        if (fibers_[thread].waiting == Waiting::for_warp) fibers_[thread].waiting = Waiting::no, ++waiting;
      if (waiting > 0 && waiting < last - first) fail("threads of a warp wait at different places");
      again = waiting > 0;
    }
  }

  const std::function<void(unsigned)>* work_ = nullptr;
  std::vector<std::unique_ptr<char[]>> stacks_;
  std::vector<Fiber> fibers_;
  std::jmp_buf main_place_;
  unsigned current_ = 0;
  unsigned long long rounds_ = 0;
};

}  // namespace emulator
