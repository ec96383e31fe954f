// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++20's waiting on atomics, latches and semaphores in shared memory, between
// threads of all nodes: with the types that a futex can wait for and those that
// libstdc++ waits for by another word, which every process has of its own.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <graupel/dsm.hpp>
#include <latch>
#include <semaphore>

namespace {

constexpr int Rounds = 20;

struct Meeting {
  std::atomic<int> Turn{0};
  std::atomic<long> LongTurn{0};
  std::atomic_flag Flag;
  std::latch Start, End;
  std::counting_semaphore<64> Tickets{0};
  std::binary_semaphore Never{0};
  long Sum = 0;

  explicit Meeting(int Threads) : Start(Threads), End(Threads) {}
};

Meeting *Shared;

/// Thread by thread, Rounds times around.
template <class T> void takeTurns(std::atomic<T> &Turn, int Me, int Threads) {
  for (int Round = 0; Round != Rounds; ++Round) {
    const T Mine = Round * Threads + Me;
    for (T Now; (Now = Turn.load()) != Mine;)
      Turn.wait(Now);
    ++Shared->Sum;
    Turn.store(Mine + 1);
    Turn.notify_all();
  }
}

void work(void *) {
  const int Me = gdsm_thread(), Threads = gdsm_threads();
  Shared->Start.arrive_and_wait();
  takeTurns(Shared->Turn, Me, Threads);
  takeTurns(Shared->LongTurn, Me, Threads);
  if (Me == 0) {
    Shared->Flag.test_and_set();
    Shared->Flag.notify_all();
    Shared->Tickets.release(Threads - 1);
  } else {
    Shared->Flag.wait(false);
    Shared->Tickets.acquire();
  }
  if (Shared->Never.try_acquire_for(std::chrono::milliseconds(20)))
    std::printf("acquired what nobody released\n");
  Shared->End.arrive_and_wait();
}

} // namespace

int main() {
  if (gdsm_node() == 0)
    Shared = graupel::dsm_new<Meeting>(gdsm_threads());
  gdsm_broadcast(&Shared, sizeof Shared, 0);
  gdsm_parallel(work, nullptr);
  if (gdsm_node() == 0)
    std::printf("%ld turns of %d threads\n", Shared->Sum, gdsm_threads());
}
