//===- numa/Replicas.cpp - Memory with copies -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory with copies on several nodes. Copies are made and ended by units of
// one or more pages.
//
// The master is a memory file with a writable mapping. Each node has a view, a
// mapping for reading, whose units show the master's pages (single) or those of
// a holder, another memory file bound to one node (replicated).
//
// 1. newAt makes the master and the views. It chooses a unit so large that the
//    views need few mappings.
// 2. graupel_numa_replicate chooses the holders and which of them each node
//    reads (coverReaders), and makes their files. If that differs from before,
//    all units become single first.
// 3. replicate protects units in the master's mapping, so that from here their
//    contents are fixed; copies them; and maps the copies into the views.
// 4. A write faults, and collapse ends the copies of its unit. It maps the
//    master's pages into all views, with the same contents, and unprotects the
//    unit. After three writes a unit gets no more copies, and after each of the
//    first two isStill waits eight times longer for it.
// 5. endCopies makes units single for the kernel's writes, and holds them so
//    until allowCopies.
// 6. A forked process gets a master of its own, since memory of two processes
//    is not the same memory. beforeFork makes all units single and copies the
//    masters; the child maps the copies, and the parent closes them.
//
// Mapping replaces pages at once for all threads of the process, so at no time
// can two threads see different contents, or one see a value and later an older
// one. If other threads write during a fork, the child may have the old or the
// new value, as after any fork.
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

  /// `Where`: address space that is to be replaced, or null; `Keep`: keeps its
  /// contents.
  bool make(const char *Name, size_t Bytes, char *Where = nullptr,
            bool Keep = false);
  void close(size_t Bytes);
};

struct Unit {
  bool Replicated = false;
  uint8_t Ends = 0;   ///< Number of times a write has ended copies.
  uint16_t Held = 0;  ///< Number of system calls that may write to it now.
  uint32_t Ended = 0; ///< The look (isStill) before which that was last.
};

constexpr uint8_t MostEnds = 3;

} // namespace

struct graupel_numa_replicas {
  graupel_numa_replicas(size_t Bytes, size_t UnitBytes)
      : Bytes(Bytes), UnitBytes(UnitBytes),
        Units((Bytes + UnitBytes - 1) / UnitBytes) {}

  size_t Bytes, UnitBytes, Units;
  File Master;
  File ForkedMaster;         ///< The master of a process that is being forked.
  std::vector<File> Holders; ///< By index of the node.
  std::vector<char *> Views; ///< By index of the node.
  Cover Now;                 ///< Holders with copies, and their readers.
  Unit *UnitStates = nullptr;
  size_t Collapses = 0;
  uint32_t Looks = 0; ///< Number of calls of isStill.
  mutable FaultLock Lock;
  graupel_numa_replicas *Next = nullptr;

  bool make(char *Where, size_t Distance, bool Keep);
  void destroy();
  bool show(size_t First, size_t Count, bool Copies);
  bool allowWrites(size_t First, size_t Count);
  void collapse(size_t First, size_t Count, bool ForWrite);
  bool replicate(size_t First, size_t Count);
  bool mayReplicate(size_t U) const {
    return !UnitStates[U].Replicated && UnitStates[U].Ends < MostEnds &&
           !UnitStates[U].Held && Looks - UnitStates[U].Ended >= patience(U);
  }
  /// A writer that had to wait for a processor has not ended. Callers of
  /// graupel_numa_replicate that never call isStill need not wait.
  uint32_t patience(size_t U) const {
    return Looks && UnitStates[U].Ends ? uint32_t(1) << 3 * UnitStates[U].Ends
                                       : 0;
  }
  void copyForChild();
  void becomeChilds();
  size_t at(size_t Unit) const { return std::min(Unit * UnitBytes, Bytes); }
};

namespace {
std::mutex ListLock;
std::atomic<graupel_numa_replicas *> First;
/// Nobody makes copies.
std::atomic<bool> Forking;
/// All masters are between these addresses.
std::atomic<uint64_t> LowestMaster{~uint64_t(0)}, HighestMaster;

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
    // Neighbors with the same rights would be one.
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

[[noreturn]] void giveUp(const char *Text) {
  (void)!write(STDERR_FILENO, Text, strlen(Text));
  abort();
}
constexpr char NoMappings[] =
    "graupel numa: error: replicas cannot be joined for a write: the system "
    "has no more mappings; raise vm.max_map_count\n";
constexpr char NoChild[] =
    "graupel numa: error: a forked process has no memory for what its parent "
    "has copies of\n";

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

void beforeFork() {
  ListLock.lock();
  // Current holders of locks finish; later ones change nothing.
  Forking = true;
  for (auto *R = First.load(); R; R = R->Next) {
    std::lock_guard Hold(R->Lock);
    R->collapse(0, R->Units, false);
    R->copyForChild();
  }
}

void afterFork() {
  for (auto *R = First.load(); R; R = R->Next) {
    R->ForkedMaster.close(0);
    R->ForkedMaster = {};
  }
  Forking = false;
  ListLock.unlock();
}

void afterForkInChild() {
  for (auto *R = First.load(); R; R = R->Next) {
    // A thread that is not here may have had it.
    R->Lock.forget();
    R->becomeChilds();
  }
  Forking = false;
  ListLock.unlock();
}

} // namespace

/// Pages of zeros stay holes.
static bool writePages(int To, const char *From, size_t Bytes) {
  static const char Zeros[PageBytes] = {};
  for (size_t At = 0; At < Bytes; At += PageBytes)
    if (memcmp(From + At, Zeros, PageBytes) != 0 &&
        pwrite(To, From + At, PageBytes, off_t(At)) != ssize_t(PageBytes))
      return false;
  return true;
}

bool File::make(const char *Name, size_t Bytes, char *Where, bool Keep) {
  Descriptor = memfd_create(Name, MFD_CLOEXEC);
  if (Descriptor < 0 || ftruncate(Descriptor, off_t(Bytes)) != 0 ||
      (Keep && !writePages(Descriptor, Where, Bytes)))
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

bool graupel_numa_replicas::make(char *Where, size_t Distance, bool Keep) {
  UnitStates = new (std::nothrow) Unit[Units];
  if (!UnitStates || !Master.make("graupel-numa-master", Bytes, Where, Keep))
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
  delete[] UnitStates;
  errno = Error;
}

/// Makes the views show the copies, or the master. False if there are no more
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
    if (!UnitStates[U].Replicated)
      continue;
    size_t End = U + 1;
    while (End < First + Count && UnitStates[End].Replicated)
      ++End;
    // The whole object takes fewer mappings than any part of it.
    if (!show(U, End - U, false) || !allowWrites(U, End - U)) {
      U = 0;
      End = Units;
      SpareMappings.giveBack();
      if (!show(0, Units, false) || !allowWrites(0, Units))
        giveUp(NoMappings);
    }
    for (unsigned N : Now.Holders)
      fallocate(Holders[N].Descriptor,
                FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(at(U)),
                off_t(at(End) - at(U)));
    for (; U < End; ++U)
      if (UnitStates[U].Replicated) {
        UnitStates[U].Replicated = false;
        Collapses += ForWrite;
        UnitStates[U].Ends += ForWrite && UnitStates[U].Ends < MostEnds;
        UnitStates[U].Ended = Looks;
      }
    --U;
  }
}

/// Makes `ForkedMaster`, with the contents of the master; without a descriptor
/// if there is no memory for that.
void graupel_numa_replicas::copyForChild() {
  if (!ForkedMaster.make("graupel-numa-master", Bytes)) {
    ForkedMaster.close(Bytes);
    ForkedMaster = {};
    return;
  }
  off_t From = 0, To;
  while ((From = lseek(Master.Descriptor, From, SEEK_DATA)) >= 0) {
    To = lseek(Master.Descriptor, From, SEEK_HOLE);
    memcpy(ForkedMaster.Mapping + From, Master.Mapping + From,
           size_t(To - From));
    From = To;
  }
  munmap(ForkedMaster.Mapping, Bytes);
  ForkedMaster.Mapping = nullptr;
}

/// Called in the child.
void graupel_numa_replicas::becomeChilds() {
  if (ForkedMaster.Descriptor < 0 ||
      mmap(Master.Mapping, Bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED, ForkedMaster.Descriptor, 0) == MAP_FAILED)
    giveUp(NoChild);
  ::close(Master.Descriptor);
  Master.Descriptor = ForkedMaster.Descriptor;
  ForkedMaster = {};
  if (!show(0, Units, false))
    giveUp(NoChild);
  for (File &F : Holders) {
    F.close(Bytes);
    F = {};
  }
  Now = {};
}

/// Single units become replicated. False if there is no memory for that.
bool graupel_numa_replicas::replicate(size_t First, size_t Count) {
  size_t Start = at(First), Length = at(First + Count) - Start;
  if (mprotect(Master.Mapping + Start, Length, PROT_READ) != 0)
    return false;
  for (unsigned N : Now.Holders)
    memcpy(Holders[N].Mapping + Start, Master.Mapping + Start, Length);
  for (size_t U = First; U < First + Count; ++U)
    UnitStates[U].Replicated = true;
  if (show(First, Count, true))
    return true;
  collapse(First, Count, false);
  return false;
}

graupel_numa_replicas *graupel_numa_replicas_new(size_t Bytes) {
  return graupel::numa::newReplicas(Bytes, nullptr, 0);
}

void graupel::numa::watchForks() {
  static std::once_flag Once;
  std::call_once(
      Once, [] { pthread_atfork(beforeFork, afterFork, afterForkInChild); });
}

static graupel_numa_replicas *newAt(size_t Bytes, char *Where, size_t Distance,
                                    bool Keep) {
  // A unit may be a mapping in each view, which a process has 65530 of.
  constexpr size_t MostMappings = 16384;
  size_t Nodes = machine().T.Nodes.size();
  size_t Rounded = std::max(PageBytes, pageUp(Bytes));
  size_t Unit =
      std::max(PageBytes, pageUp(Rounded * (Nodes + 1) / MostMappings));
  auto *R = new (std::nothrow) graupel_numa_replicas(Rounded, Unit);
  if (!R || !R->make(Where, Distance, Keep)) {
    sayError(R ? -errno : -ENOMEM, "no memory for what is to be replicated");
    // Memory that was there already is needed.
    if (R && !Keep)
      R->destroy();
    delete R;
    return nullptr;
  }
  for (size_t U = 0; Keep && U < R->Units; ++U)
    R->UnitStates[U].Held = 1;
  addFaultHandler(handle);
  watchForks();
  std::lock_guard Hold(ListLock);
  SpareMappings.hold();
  auto Start = reinterpret_cast<uint64_t>(R->Master.Mapping);
  LowestMaster = std::min<uint64_t>(LowestMaster, Start);
  HighestMaster = std::max<uint64_t>(HighestMaster, Start + Rounded);
  R->Next = First.load();
  First.store(R, std::memory_order_release);
  return R;
}

graupel_numa_replicas *graupel::numa::newReplicas(size_t Bytes, char *Where,
                                                  size_t Distance) {
  return newAt(Bytes, Where, Distance, false);
}

graupel_numa_replicas *
graupel::numa::convertToReplicas(char *Where, size_t Bytes, size_t Distance) {
  return newAt(Bytes, Where, Distance, true);
}

void graupel::numa::allowCopiesIn(graupel_numa_replicas *R, const void *Memory,
                                  size_t Bytes) {
  size_t Start = size_t(static_cast<const char *>(Memory) - R->Master.Mapping);
  std::lock_guard Hold(R->Lock);
  for (size_t U = (Start + R->UnitBytes - 1) / R->UnitBytes;
       U < R->Units && R->at(U + 1) <= Start + Bytes; ++U)
    R->UnitStates[U].Held = 0;
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
  ++R->Looks;
  size_t Single = 0;
  for (size_t U = 0; U < R->Units; ++U)
    Single += R->mayReplicate(U);
  Now += R->Collapses;
  bool Same = Now && Now == Present;
  Present = Now;
  return Same && Single;
}

bool graupel::numa::mayHaveCopies(const void *Memory, size_t Bytes) {
  auto Start = reinterpret_cast<uint64_t>(Memory);
  return Start < HighestMaster.load(std::memory_order_relaxed) &&
         Start + Bytes > LowestMaster.load(std::memory_order_relaxed);
}

static void hold(const void *Memory, size_t Bytes, int By) {
  auto Start = reinterpret_cast<uint64_t>(Memory), End = Start + Bytes;
  for (auto *R = First.load(std::memory_order_acquire); R; R = R->Next) {
    auto Master = reinterpret_cast<uint64_t>(R->Master.Mapping);
    uint64_t From = std::max(Start, Master),
             To = std::min(End, Master + R->Bytes);
    if (From >= To)
      continue;
    size_t U = (From - Master) / R->UnitBytes;
    size_t Last = (To - 1 - Master) / R->UnitBytes;
    std::lock_guard Hold(R->Lock);
    if (By > 0)
      R->collapse(U, Last + 1 - U, true);
    for (; U <= Last; ++U)
      R->UnitStates[U].Held = uint16_t(R->UnitStates[U].Held + By);
  }
}

void graupel::numa::endCopies(const void *Memory, size_t Bytes) {
  hold(Memory, Bytes, 1);
}

void graupel::numa::allowCopies(const void *Memory, size_t Bytes) {
  hold(Memory, Bytes, -1);
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
  std::vector<unsigned> ReaderNodes;
  for (unsigned Id : M.idsOf(Readers ? Readers : M.WithProcessors)) {
    auto Index = M.T.indexOfNode(Id);
    if (!Index)
      return say(-EINVAL, "there is no node " + std::to_string(Id));
    ReaderNodes.push_back(*Index);
  }
  {
    std::lock_guard Hold(ListLock);
    SpareMappings.hold();
  }
  Cover C = coverReaders(M.T, ReaderNodes, Radius);
  if (int Error = makeHolders(*R, C))
    return Error;
  {
    std::lock_guard Hold(R->Lock);
    if (C.Holders != R->Now.Holders || C.ReadsFrom != R->Now.ReadsFrom) {
      R->collapse(0, R->Units, false);
      R->Now = C;
    }
  }
  // In parts, for writers that wait.
  constexpr size_t Most = 64;
  for (size_t U = 0; U < R->Units;) {
    std::lock_guard Hold(R->Lock);
    if (Forking.load()) {
      sched_yield();
      continue;
    }
    size_t End = U;
    while (End < R->Units && End - U < Most && R->mayReplicate(End))
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
  *Counts = graupel::numa::copiesIn(R, R->Master.Mapping, R->Bytes);
}

graupel_numa_replica_counts
graupel::numa::copiesIn(const graupel_numa_replicas *R, const void *Memory,
                        size_t Bytes) {
  size_t Start = size_t(static_cast<const char *>(Memory) - R->Master.Mapping);
  size_t First = Start / R->UnitBytes;
  size_t End = (Start + Bytes + R->UnitBytes - 1) / R->UnitBytes;
  std::lock_guard Hold(R->Lock);
  graupel_numa_replica_counts C = {End - First, 0, 0, R->Collapses, 0};
  for (size_t U = First; U < End; ++U) {
    C.replicated += R->UnitStates[U].Replicated;
    C.frozen += R->UnitStates[U].Ends >= MostEnds;
  }
  for (unsigned N : R->Now.Holders)
    C.nodes |= Nodes(1) << machine().T.Nodes[N].Id;
  return C;
}
