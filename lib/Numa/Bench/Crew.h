//===- Numa/Bench/Crew.h - Threads that stay on processors ---- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_CREW_H
#define GRAUPEL_NUMA_BENCH_CREW_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <pthread.h>
#include <string>
#include <vector>

namespace graupel::numa::bench {

/// A thread on each of some processors, which does what it is given. A thread
/// that has nothing to do spins for some milliseconds before it sleeps: an idle
/// processor may lose what is in its caches while another one measures.
class Crew {
public:
  using Work = std::function<void()>;

  Crew() = default;
  ~Crew();
  Crew(const Crew &) = delete;
  Crew &operator=(const Crew &) = delete;

  /// Starts the threads; once. Returns an error, or nothing.
  std::optional<std::string> start(const std::vector<unsigned> &Processors);

  /// Gives work to a processor's thread, which must have none, and does not
  /// wait. `W` must live until wait(). Any thread may, one at a time.
  void begin(unsigned Processor, const Work &W);
  /// Waits, spinning: for members of the crew.
  void wait(unsigned Processor);
  /// Both, for members of the crew.
  void on(unsigned Processor, const Work &W);
  /// Both, for who is no member: sleeps meanwhile.
  void lead(unsigned Processor, const Work &W);

private:
  struct Member {
    unsigned Processor;
    std::atomic<uint32_t> Begun = 0, Done = 0;
    const Work *Given = nullptr;
    bool Stop = false;
    pthread_t Thread;
    void run();
  };
  Member &at(unsigned Processor);

  std::vector<std::unique_ptr<Member>> Members;
};

} // namespace graupel::numa::bench

#endif
