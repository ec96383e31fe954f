//===- numa/Run/Copies.cpp - Making and reading copies --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a thread that makes copies, and has the program's threads read the
// copies of their node.
//
// 1. startCopying begins that thread, with all signals blocked. Nothing begins
//    on a machine with one node, or on a described one.
// 2. readNearCopies enters the calling thread as a reader, with the distance
//    from the memory to its node's copies. Its loads use the distance once
//    there may be copies; forgetReader removes it when the thread ends.
// 3. The copying thread repeats steps 4 to 6, with pauses of 20 ms.
// 4. followThreads looks up the nodes on which each reader may run now. If that
//    is one node, the reader gets the distance of this node.
// 5. readCommands reads the ranges that the launcher wants copies of, from
//    $GRAUPEL_NUMA_AUTO. The first one makes all readers use their distances.
// 6. Arena::replicate and copyData make copies.
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Arena.h"
#include "Data.h"
#include "Machine.h"
#include "graupel/numa_copies.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <threads.h>
#include <unistd.h>

using namespace graupel::numa;

extern "C" __thread uint64_t graupel_numa_distance;

namespace {

/// A thread whose loads read copies, once there are any.
struct Reader {
  pid_t Thread;
  uint64_t *Distance;
  uint64_t Near;
  Reader *Next;
};

/// Never destroyed: threads may end after the program.
std::mutex &lock() {
  static auto *Lock = new std::mutex;
  return *Lock;
}
Reader *Readers;
bool IsCopying; ///< There is a thread that makes copies.
bool AreRead;   ///< There may be copies.
pthread_key_t EndOfThread;

void forgetReader(void *Pass) {
  std::lock_guard Hold(lock());
  for (Reader **Link = &Readers; *Link; Link = &(*Link)->Next)
    if (*Link == Pass) {
      *Link = (*Link)->Next;
      delete static_cast<Reader *>(Pass);
      return;
    }
}

/// Somebody may have bound a thread to another node since it began.
void followThreads() {
  std::lock_guard Hold(lock());
  for (Reader *R = Readers; R; R = R->Next) {
    cpu_set_t Set;
    if (sched_getaffinity(R->Thread, sizeof(Set), &Set) != 0)
      continue;
    std::optional<unsigned> Node;
    bool IsOne = true;
    for (const Processor &P : machine().T.Processors)
      if (P.Id < CPU_SETSIZE && CPU_ISSET(P.Id, &Set)) {
        IsOne &= !Node || *Node == P.Node;
        Node = P.Node;
      }
    if (!Node || !IsOne)
      continue;
    R->Near = uint64_t(*Node + 1) << GRAUPEL_NUMA_WINDOW_SHIFT;
    if (AreRead)
      __atomic_store_n(R->Distance, R->Near, __ATOMIC_RELAXED);
  }
}

/// Until there are copies, all readers read the master: pages that are mapped
/// twice do not move for everybody.
void beginReading() {
  std::lock_guard Hold(lock());
  AreRead = true;
  for (Reader *R = Readers; R; R = R->Next)
    __atomic_store_n(R->Distance, R->Near, __ATOMIC_RELAXED);
}

/// Reads the lines that the launcher has written since the last time:
/// "ADDRESS BYTES".
void readCommands(FILE *File) {
  unsigned long long From, Bytes;
  bool Any = false;
  clearerr(File);
  for (; fscanf(File, "%llx %llx\n", &From, &Bytes) == 2; Any = true)
    Arena::wantCopies(From, Bytes);
  if (Any && !AreRead)
    beginReading();
}

int copy(void *) {
  // Data that are still being filled would have copies that end at once.
  const timespec Pause = {0, 20000000};
  const char *Commands = getenv("GRAUPEL_NUMA_AUTO");
  for (FILE *File = nullptr;; nanosleep(&Pause, nullptr)) {
    if (Commands && !File)
      File = fopen(Commands, "re");
    followThreads();
    if (File)
      readCommands(File);
    Arena::replicate();
    copyData();
  }
}

} // namespace

void graupel::numa::startCopying() {
  if (machine().Trivial)
    return;
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  thrd_t Thread;
  pthread_key_create(&EndOfThread, forgetReader);
  AreRead = !getenv("GRAUPEL_NUMA_AUTO");
  // Not by pthread_create, which somebody may have interposed to count threads.
  IsCopying = thrd_create(&Thread, copy, nullptr) == thrd_success;
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  if (IsCopying)
    thrd_detach(Thread);
  else
    fprintf(stderr, "graupel numa: warning: there can be no more threads; "
                    "nothing has copies\n");
}

void graupel::numa::readNearCopies() {
  auto Index = machine().T.indexOfNode(unsigned(graupel_numa_here()));
  if (!IsCopying || !Index)
    return;
  auto *R = new (std::nothrow)
      Reader{gettid(), &graupel_numa_distance,
             uint64_t(*Index + 1) << GRAUPEL_NUMA_WINDOW_SHIFT, nullptr};
  if (!R)
    return;
  pthread_setspecific(EndOfThread, R);
  std::lock_guard Hold(lock());
  R->Next = Readers;
  Readers = R;
  if (AreRead)
    graupel_numa_distance = R->Near;
}

void graupel::numa::lockReaders() { lock().lock(); }
void graupel::numa::unlockReaders() { lock().unlock(); }
