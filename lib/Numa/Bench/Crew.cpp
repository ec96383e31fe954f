//===- Numa/Bench/Crew.cpp - Threads that stay on processors --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Crew.h"
#include "Kernels.h"
#include <cstring>
#include <sched.h>
#include <time.h>

namespace graupel::numa::bench {

/// Spins while `Now` is `Old`; false if it still is after some milliseconds.
static bool spinWhile(const std::atomic<uint32_t> &Now, uint32_t Old) {
  constexpr long Limit = 4'000'000;
  timespec Start, T;
  clock_gettime(CLOCK_MONOTONIC, &Start);
  do {
    for (unsigned N = 0; N < 50; ++N) {
      if (Now.load(std::memory_order_acquire) != Old)
        return true;
      pause(1);
    }
    clock_gettime(CLOCK_MONOTONIC, &T);
  } while ((T.tv_sec - Start.tv_sec) * 1'000'000'000 + T.tv_nsec -
               Start.tv_nsec <
           Limit);
  return false;
}

void Crew::Member::run() {
  for (uint32_t Last = 0;; ++Last) {
    if (!spinWhile(Begun, Last))
      Begun.wait(Last, std::memory_order_acquire);
    if (Stop)
      return;
    (*Given)();
    Done.store(Last + 1, std::memory_order_release);
    Done.notify_one();
  }
}

/// An error number.
static int keepOn(pthread_t Thread, unsigned Processor) {
  const size_t Bytes = CPU_ALLOC_SIZE(Processor + 1);
  cpu_set_t *Set = CPU_ALLOC(Processor + 1);
  CPU_ZERO_S(Bytes, Set);
  CPU_SET_S(Processor, Bytes, Set);
  int Error = pthread_setaffinity_np(Thread, Bytes, Set);
  CPU_FREE(Set);
  return Error;
}

std::optional<std::string>
Crew::start(const std::vector<unsigned> &Processors) {
  for (unsigned P : Processors) {
    auto M = std::make_unique<Member>();
    M->Processor = P;
    int Error = pthread_create(
        &M->Thread, nullptr,
        [](void *Raw) -> void * {
          static_cast<Member *>(Raw)->run();
          return nullptr;
        },
        M.get());
    if (Error)
      return "a thread cannot be started (" + std::string(strerror(Error)) +
             "); allow more (ulimit -u), or name fewer processors with --cpus";
    Members.push_back(std::move(M));
    Error = keepOn(Members.back()->Thread, P);
    if (Error)
      return "a thread cannot be put on processor " + std::to_string(P) + " (" +
             strerror(Error) + "); name others with --cpus";
  }
  return std::nullopt;
}

Crew::~Crew() {
  for (auto &M : Members) {
    M->Stop = true;
    M->Begun.fetch_add(1, std::memory_order_release);
    M->Begun.notify_one();
  }
  for (auto &M : Members)
    pthread_join(M->Thread, nullptr);
}

Crew::Member &Crew::at(unsigned Processor) {
  size_t N = 0;
  while (Members[N]->Processor != Processor)
    ++N;
  return *Members[N];
}

void Crew::begin(unsigned Processor, const Work &W) {
  Member &M = at(Processor);
  M.Given = &W;
  M.Begun.fetch_add(1, std::memory_order_release);
  M.Begun.notify_one();
}

void Crew::wait(unsigned Processor) {
  Member &M = at(Processor);
  uint32_t Begun = M.Begun.load(std::memory_order_relaxed);
  for (uint32_t Done = M.Done; Done != Begun; Done = M.Done)
    if (!spinWhile(M.Done, Done))
      M.Done.wait(Done, std::memory_order_acquire);
}

void Crew::on(unsigned Processor, const Work &W) {
  begin(Processor, W);
  wait(Processor);
}

void Crew::lead(unsigned Processor, const Work &W) {
  Member &M = at(Processor);
  begin(Processor, W);
  uint32_t Begun = M.Begun.load(std::memory_order_relaxed);
  for (uint32_t Done = M.Done; Done != Begun; Done = M.Done)
    M.Done.wait(Done, std::memory_order_acquire);
}

} // namespace graupel::numa::bench
