//===- numa/Replicas.cpp - Memory with copies -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The master is a memory file with a writable mapping. Each node has a view, a
// mapping for reading, whose units show the master's pages (single) or those of
// a holder, another memory file bound to one node (replicated).
//
// To replicate a unit: 1. protect it in the master's mapping, so that from here
// its contents are fixed; 2. copy them; 3. map the copies into the views.
// A write faults, and ends that: 1. map the master's pages into all views, with
// the same contents; 2. unprotect. Mapping replaces pages at once for all
// threads of the process, so at no time can two threads see different contents,
// or one see a value and later an older one.
//
//===----------------------------------------------------------------------===//

#include "Replicas.h"
#include "Faults.h"
#include "Machine.h"
#include "Numa/Placement/Replicas.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <numaif.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace graupel::numa;

namespace {

/// A memory file and a mapping of it.
struct File {
  int Descriptor = -1;
  char *Mapping = nullptr;

  /// `Where`: address space that is to be replaced, or null.
  bool make(const char *Name, size_t Bytes, char *Where = nullptr);
  void close(size_t Bytes);
};

struct Unit {
  bool Replicated = false;
  uint8_t Ends = 0; ///< How often a write has ended copies.
};

constexpr uint8_t MostEnds = 3;

} // namespace

struct graupel_numa_replicas {
  graupel_numa_replicas(size_t Bytes, size_t UnitBytes)
      : Bytes(Bytes), UnitBytes(UnitBytes),
        Units((Bytes + UnitBytes - 1) / UnitBytes) {}

  size_t Bytes, UnitBytes, Units;
  File Master;
  std::vector<File> Holders; ///< By index of the node.
  std::vector<char *> Views; ///< By index of the node.
  Cover Now;                 ///< Which holders have copies, who reads them.
  Unit *Of = nullptr;
  size_t Collapses = 0;
  bool Shared = false; ///< With another process: never copied again.
  mutable FaultLock Lock;
  graupel_numa_replicas *Next = nullptr;

  bool make(char *Where, size_t Distance);
  void destroy();
  bool show(size_t First, size_t Count, bool Copies);
  bool allowWrites(size_t First, size_t Count);
  void collapse(size_t First, size_t Count, bool ForWrite);
  bool replicate(size_t First, size_t Count);
  size_t at(size_t Unit) const { return std::min(Unit * UnitBytes, Bytes); }
};

namespace {
std::mutex ListLock;
std::atomic<graupel_numa_replicas *> First;

/// Mappings that are there to be given back: a call that is refused because
/// there are too many may leave one more than before, and then none is allowed
/// that would make them fewer.
class Spare {
public:
  /// Not by handlers, and by one thread at a time.
  void hold() {
    if (Held.load())
      return;
    void *Start = mmap(nullptr, Pages * PageBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Start == MAP_FAILED)
      return;
    // Neighbours with the same rights would be one.
    for (size_t N = 1; N < Pages; N += 2)
      mprotect(static_cast<char *>(Start) + N * PageBytes, PageBytes,
               PROT_READ);
    Held = Start;
  }
  void giveBack() {
    if (void *Start = Held.exchange(nullptr))
      munmap(Start, Pages * PageBytes);
  }

private:
  static constexpr size_t Pages = 9;
  std::atomic<void *> Held;
} SpareMappings;

[[noreturn]] void giveUp() {
  static const char Text[] =
      "graupel numa: error: replicas cannot be joined for a write: the system "
      "has no more mappings; raise vm.max_map_count\n";
  (void)!write(STDERR_FILENO, Text, sizeof(Text) - 1);
  abort();
}

bool handle(uint64_t Address) {
  for (auto *R = First.load(std::memory_order_acquire); R; R = R->Next) {
    uint64_t At = Address - reinterpret_cast<uint64_t>(R->Master.Mapping);
    if (At >= R->Bytes)
      continue;
    std::lock_guard Hold(R->Lock);
    R->collapse(At / R->UnitBytes, 1, true);
    return true;
  }
  return false;
}

/// Two processes write to the same file from now on, and neither sees the
/// other's faults: there must be no copies.
void beforeFork() {
  ListLock.lock();
  for (auto *R = First.load(); R; R = R->Next) {
    std::lock_guard Hold(R->Lock);
    R->collapse(0, R->Units, false);
    R->Shared = true;
  }
}
void afterFork() { ListLock.unlock(); }
/// Another thread may have looked for copies just then; there are none.
void afterForkInChild() {
  for (auto *R = First.load(); R; R = R->Next)
    R->Lock.forget();
  ListLock.unlock();
}

} // namespace

bool File::make(const char *Name, size_t Bytes, char *Where) {
  Descriptor = memfd_create(Name, MFD_CLOEXEC);
  if (Descriptor < 0 || ftruncate(Descriptor, off_t(Bytes)) != 0)
    return false;
  void *M = mmap(Where, Bytes, PROT_READ | PROT_WRITE,
                 MAP_SHARED | (Where ? MAP_FIXED : 0), Descriptor, 0);
  if (M == MAP_FAILED)
    return false;
  Mapping = static_cast<char *>(M);
  return true;
}

void File::close(size_t Bytes) {
  if (Mapping)
    munmap(Mapping, Bytes);
  if (Descriptor >= 0)
    ::close(Descriptor);
}

bool graupel_numa_replicas::make(char *Where, size_t Distance) {
  Of = new (std::nothrow) Unit[Units];
  if (!Of || !Master.make("graupel-numa-master", Bytes, Where))
    return false;
  const Topology &T = machine().T;
  Holders.resize(T.Nodes.size());
  for (size_t N = 0; N < T.Nodes.size(); ++N) {
    void *View =
        mmap(Where ? Where + (N + 1) * Distance : nullptr, Bytes, PROT_READ,
             MAP_SHARED | (Where ? MAP_FIXED : 0), Master.Descriptor, 0);
    if (View == MAP_FAILED)
      return false;
    Views.push_back(static_cast<char *>(View));
  }
  return true;
}

void graupel_numa_replicas::destroy() {
  int Error = errno;
  Master.close(Bytes);
  for (File &F : Holders)
    F.close(Bytes);
  for (char *View : Views)
    munmap(View, Bytes);
  delete[] Of;
  errno = Error;
}

/// Has the views show the copies, or the master. False if there are no more
/// mappings.
bool graupel_numa_replicas::show(size_t First, size_t Count, bool Copies) {
  for (size_t N = 0; N < Views.size(); ++N) {
    int From =
        Copies ? Holders[Now.ReadsFrom[N]].Descriptor : Master.Descriptor;
    if (mmap(Views[N] + at(First), at(First + Count) - at(First), PROT_READ,
             MAP_SHARED | MAP_FIXED, From, off_t(at(First))) == MAP_FAILED)
      return false;
  }
  return true;
}

bool graupel_numa_replicas::allowWrites(size_t First, size_t Count) {
  return mprotect(Master.Mapping + at(First), at(First + Count) - at(First),
                  PROT_READ | PROT_WRITE) == 0;
}

/// Units that are single already may be among them. Called by handlers.
void graupel_numa_replicas::collapse(size_t First, size_t Count,
                                     bool ForWrite) {
  for (size_t U = First; U < First + Count; ++U) {
    if (!Of[U].Replicated)
      continue;
    size_t End = U + 1;
    while (End < First + Count && Of[End].Replicated)
      ++End;
    // The whole object takes fewer mappings than any part of it.
    if (!show(U, End - U, false) || !allowWrites(U, End - U)) {
      U = 0;
      End = Units;
      SpareMappings.giveBack();
      if (!show(0, Units, false) || !allowWrites(0, Units))
        giveUp();
    }
    for (unsigned N : Now.Holders)
      fallocate(Holders[N].Descriptor,
                FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(at(U)),
                off_t(at(End) - at(U)));
    for (; U < End; ++U)
      if (Of[U].Replicated) {
        Of[U].Replicated = false;
        Collapses += ForWrite;
        Of[U].Ends += ForWrite && Of[U].Ends < MostEnds;
      }
    --U;
  }
}

/// Single units become replicated. False if there is no memory for that.
bool graupel_numa_replicas::replicate(size_t First, size_t Count) {
  size_t Start = at(First), Length = at(First + Count) - Start;
  if (mprotect(Master.Mapping + Start, Length, PROT_READ) != 0)
    return false;
  for (unsigned N : Now.Holders)
    memcpy(Holders[N].Mapping + Start, Master.Mapping + Start, Length);
  for (size_t U = First; U < First + Count; ++U)
    Of[U].Replicated = true;
  if (show(First, Count, true))
    return true;
  collapse(First, Count, false);
  return false;
}

graupel_numa_replicas *graupel_numa_replicas_new(size_t Bytes) {
  return graupel::numa::newReplicas(Bytes, nullptr, 0);
}

graupel_numa_replicas *graupel::numa::newReplicas(size_t Bytes, char *Where,
                                                  size_t Distance) {
  // A unit may be a mapping in each view, which a process has 65530 of.
  constexpr size_t MostMappings = 16384;
  size_t Nodes = machine().T.Nodes.size();
  size_t Rounded = std::max(PageBytes, pageUp(Bytes));
  size_t Unit =
      std::max(PageBytes, pageUp(Rounded * (Nodes + 1) / MostMappings));
  auto *R = new (std::nothrow) graupel_numa_replicas(Rounded, Unit);
  if (!R || !R->make(Where, Distance)) {
    sayError(R ? -errno : -ENOMEM, "no memory for what is to be replicated");
    if (R)
      R->destroy();
    delete R;
    return nullptr;
  }
  addFaultHandler(handle);
  static std::once_flag Forks;
  std::call_once(
      Forks, [] { pthread_atfork(beforeFork, afterFork, afterForkInChild); });
  std::lock_guard Hold(ListLock);
  SpareMappings.hold();
  R->Next = First.load();
  First.store(R, std::memory_order_release);
  return R;
}

void graupel_numa_replicas_delete(graupel_numa_replicas *R) {
  if (!R)
    return;
  {
    std::lock_guard Hold(ListLock);
    if (First == R)
      First = R->Next;
    else
      for (auto *P = First.load(); P; P = P->Next)
        if (P->Next == R)
          P->Next = R->Next;
  }
  R->destroy();
  delete R;
}

bool graupel::numa::isStill(graupel_numa_replicas *R, size_t &Present) {
  std::vector<unsigned char> Pages(R->Bytes / PageBytes);
  size_t Now = 0;
  if (mincore(R->Master.Mapping, R->Bytes, Pages.data()) == 0)
    for (unsigned char Page : Pages)
      Now += Page & 1;
  std::lock_guard Hold(R->Lock);
  size_t Single = 0;
  for (size_t U = 0; U < R->Units; ++U)
    Single += !R->Of[U].Replicated && R->Of[U].Ends < MostEnds;
  Now += R->Collapses;
  bool Same = Now && Now == Present;
  Present = Now;
  return Same && Single && !R->Shared;
}

void *graupel_numa_replicas_writable(graupel_numa_replicas *R) {
  return R->Master.Mapping;
}

const void *graupel_numa_replicas_of_node(const graupel_numa_replicas *R,
                                          int Node) {
  auto Index = machine().T.indexOfNode(unsigned(Node));
  return R->Views[Index.value_or(0)];
}

const void *graupel_numa_replicas_near(const graupel_numa_replicas *R) {
  return graupel_numa_replicas_of_node(R, currentNode());
}

/// Makes the files that hold copies on nodes which have none yet.
static int makeHolders(graupel_numa_replicas &R, const Cover &C) {
  for (unsigned N : C.Holders) {
    File &F = R.Holders[N];
    if (F.Mapping)
      continue;
    if (!F.make("graupel-numa-copy", R.Bytes))
      return sayError(-errno, "no memory for copies");
    auto Start = reinterpret_cast<uint64_t>(F.Mapping);
    if (int Error = bindMemory(Start, Start + R.Bytes, MPOL_PREFERRED,
                               Nodes(1) << machine().T.Nodes[N].Id, false))
      return sayError(Error, "the kernel refuses the copies' policy");
  }
  return 0;
}

int graupel_numa_replicate(graupel_numa_replicas *R, graupel_numa_nodes Readers,
                           unsigned Radius) {
  const Machine &M = machine();
  if (M.Trivial)
    return GRAUPEL_NUMA_TRIVIAL;
  std::vector<unsigned> Who;
  for (unsigned Id : M.idsOf(Readers ? Readers : M.WithProcessors)) {
    auto Index = M.T.indexOfNode(Id);
    if (!Index)
      return say(-EINVAL, "there is no node " + std::to_string(Id));
    Who.push_back(*Index);
  }
  {
    std::lock_guard Hold(ListLock);
    SpareMappings.hold();
  }
  Cover C = coverReaders(M.T, Who, Radius);
  if (int Error = makeHolders(*R, C))
    return Error;
  {
    std::lock_guard Hold(R->Lock);
    if (R->Shared)
      return say(GRAUPEL_NUMA_FELL_BACK,
                 "another process shares this memory since a fork: no copies");
    if (C.Holders != R->Now.Holders || C.ReadsFrom != R->Now.ReadsFrom) {
      R->collapse(0, R->Units, false);
      R->Now = C;
    }
  }
  // In parts, for writers that wait.
  constexpr size_t Most = 64;
  for (size_t U = 0; U < R->Units;) {
    std::lock_guard Hold(R->Lock);
    size_t End = U;
    while (End < R->Units && End - U < Most && !R->Of[End].Replicated &&
           R->Of[End].Ends < MostEnds)
      ++End;
    if (End > U && !R->replicate(U, End - U))
      return say(GRAUPEL_NUMA_FELL_BACK,
                 "the system has no more mappings; the rest has no copies");
    U = std::max(U + 1, End);
  }
  return GRAUPEL_NUMA_PLACED;
}

void graupel_numa_replicas_count(const graupel_numa_replicas *R,
                                 graupel_numa_replica_counts *Counts) {
  std::lock_guard Hold(R->Lock);
  *Counts = {R->Units, 0, 0, R->Collapses, 0};
  for (size_t U = 0; U < R->Units; ++U) {
    Counts->replicated += R->Of[U].Replicated;
    Counts->frozen += R->Of[U].Ends >= MostEnds;
  }
  for (unsigned N : R->Now.Holders)
    Counts->nodes |= Nodes(1) << machine().T.Nodes[N].Id;
}
