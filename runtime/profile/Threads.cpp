//===- profile/Threads.cpp - Threads count into slots of their own --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives each thread of the program a slot of its own. A slot that a thread has,
// mapped anywhere, is a mirror of the image's region. The difference of the
// addresses is the thread's GS base.
//
// 1. watchThreads leads calls of pthread_create and thrd_create to functions of
//    this file; also those that a definition of the program, or of a preloaded
//    library, makes of the C library's own.
// 2. createAttached keeps the thread's function and argument in a node, and has
//    the real function start graupelThreadEntry with the node. Without memory
//    for a node the thread starts unattached.
// 3. graupelThreadBegins, in the new thread, attaches it, frees the node and
//    returns the function to go on to.
// 4. attachThread takes the mirror of a thread that does not exist any more, or
//    maps a new slot. Without either, the thread counts into its creator's.
// 5. setThreadRegion sets the GS base, by instruction or by system call.
// 6. unmapMirrors unmaps all mirrors in the child of a fork.
//
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include "Slot.h"

namespace graupel {

/// A mirror is free if its thread does not exist any more.
struct Mirror {
  uint64_t Thread;
  char *Region;
};

struct MirrorChunk {
  MirrorChunk *Next;
  uint64_t Used;
  Mirror Mirrors[(PageSize - 16) / sizeof(Mirror)];
};
static_assert(sizeof(MirrorChunk) == PageSize);

/// The function and argument that a thread was meant to start with.
struct StartNode {
  void *Function;
  union {
    void *Argument;
    StartNode *Next;
  };
};

} // namespace graupel

using namespace graupel;

extern "C" GRAUPEL_HIDDEN void *graupelThreadEntry(void *);

namespace {

constexpr uint64_t MirrorsPerChunk =
    sizeof(MirrorChunk::Mirrors) / sizeof(Mirror);

template <typename Condition>
Mirror *findMirror(const Runtime &R, Condition IsFree) {
  for (MirrorChunk *C = R.Mirrors; C; C = C->Next)
    for (uint64_t M = 0; M < C->Used; ++M)
      if (IsFree(C->Mirrors[M].Thread))
        return &C->Mirrors[M];
  return nullptr;
}

/// A thread that starts through two functions is attached twice, so it comes
/// to its own first.
Mirror *findFreeMirror(const Runtime &R, uint64_t Self) {
  if (Mirror *Own = findMirror(R, [=](uint64_t T) { return T == Self; }))
    return Own;
  return findMirror(R, [&R](uint64_t Thread) {
    return sys::call(__NR_tgkill, static_cast<long>(R.Self.pid),
                     static_cast<long>(Thread), 0) == -ESRCH;
  });
}

/// A place to remember a new mirror in.
Mirror *addMirror(Runtime &R) {
  if (!R.Mirrors || R.Mirrors->Used == MirrorsPerChunk) {
    auto *C = static_cast<MirrorChunk *>(sys::allocate(PageSize));
    if (!C)
      return nullptr;
    C->Next = R.Mirrors;
    R.Mirrors = C;
  }
  return &R.Mirrors->Mirrors[R.Mirrors->Used];
}

char *makeMirror(const Image &I, uint64_t Self) {
  Runtime &R = I.runtime();
  Mirror *M = addMirror(R);
  ProfileFile File;
  MappedSlot Slot;
  if (!M || File.open(I, false) != 0 ||
      takeSlot(I, File, SlotFor::Thread, Slot) != 0)
    return nullptr;
  *M = {Self, Slot.Region};
  ++R.Mirrors->Used;
  return Slot.Region;
}

} // namespace

/// Without a mirror the thread counts into its creator's, whose GS base it
/// has inherited.
void graupel::attachThread(const Image &I) {
  Runtime &R = I.runtime();
  if (!R.Recording || !I.has(GRAUPEL_STATE_THREADS))
    return;
  const auto Self = static_cast<uint64_t>(sys::gettid());
  char *Region;
  R.Busy.take();
  if (Mirror *Free = findFreeMirror(R, Self)) {
    Free->Thread = Self;
    Region = Free->Region;
  } else {
    Region = makeMirror(I, Self);
  }
  R.Busy.release();
  if (Region)
    setThreadRegion(I, Region);
}

namespace {

StartNode *takeNode(Runtime &R) {
  R.StartNodesBusy.take();
  if (!R.StartNodes)
    if (auto *Page = static_cast<StartNode *>(sys::allocate(PageSize)))
      for (size_t N = 0; N < PageSize / sizeof(StartNode); ++N) {
        Page[N].Next = R.StartNodes;
        R.StartNodes = &Page[N];
      }
  StartNode *Node = R.StartNodes;
  if (Node)
    R.StartNodes = Node->Next;
  R.StartNodesBusy.release();
  return Node;
}

void freeNode(Runtime &R, StartNode *Node) {
  R.StartNodesBusy.take();
  Node->Next = R.StartNodes;
  R.StartNodes = Node;
  R.StartNodesBusy.release();
}

/// Has Create start a thread that attaches itself, then calls Function.
template <typename CreateFunction>
int createAttached(void *Function, void *Argument, CreateFunction Create) {
  Runtime &R = Image().runtime();
  StartNode *Node = takeNode(R);
  if (!Node)
    return Create(Function, Argument);
  Node->Function = Function;
  Node->Argument = Argument;
  const int Result = Create(reinterpret_cast<void *>(graupelThreadEntry), Node);
  if (Result != 0)
    freeNode(R, Node);
  return Result;
}

template <CreateThread Runtime::*Real>
int createPthread(void *Handle, const void *Attributes, void *Function,
                  void *Argument) {
  return createAttached(Function, Argument, [=](void *F, void *A) {
    return (Image().runtime().*Real)(Handle, Attributes, F, A);
  });
}

template <CreateC11Thread Runtime::*Real>
int createC11Thread(void *Handle, void *Function, void *Argument) {
  return createAttached(Function, Argument, [=](void *F, void *A) {
    return (Image().runtime().*Real)(Handle, F, A);
  });
}

/// Leads calls of Name to Create, and those of the C library's own by whoever
/// stands in front of it to CreateLast.
template <typename FunctionType>
void watch(const LinkMap *Modules, const char *Name, FunctionType Create,
           FunctionType CreateLast, FunctionType &First, FunctionType &Last) {
  First = reinterpret_cast<FunctionType>(findFunction(Modules, Name));
  if (!First)
    return;
  void *Own = findLastFunction(Modules, Name);
  Last = reinterpret_cast<FunctionType>(Own);
  redirect(Modules, Name, reinterpret_cast<void *>(Create));
  if (Own)
    redefineLast(Modules, Name, Own, reinterpret_cast<void *>(CreateLast));
}

} // namespace

void graupel::watchThreads(const Image &I, const LinkMap *Modules) {
  Runtime &R = I.runtime();
  watch(Modules, "pthread_create", &createPthread<&Runtime::PthreadCreate>,
        &createPthread<&Runtime::LastPthreadCreate>, R.PthreadCreate,
        R.LastPthreadCreate);
  watch(Modules, "thrd_create", &createC11Thread<&Runtime::ThrdCreate>,
        &createC11Thread<&Runtime::LastThrdCreate>, R.ThrdCreate,
        R.LastThrdCreate);
}

void graupel::setThreadRegion(const Image &I, char *Region) {
  if (!I.has(GRAUPEL_STATE_THREADS))
    return;
  const uint64_t Base = reinterpret_cast<uintptr_t>(Region) -
                        reinterpret_cast<uintptr_t>(I.region());
  // The kernel does not take negative differences, processors do.
  if (I.runtime().HasWriteGSBase)
    asm volatile("wrgsbase %0" ::"r"(Base) : "memory");
  else
    sys::call(__NR_arch_prctl, ARCH_SET_GS, static_cast<long>(Base));
}

void graupel::unmapMirrors(const Image &I) {
  for (MirrorChunk *C = I.runtime().Mirrors; C;) {
    MirrorChunk *Next = C->Next;
    for (uint64_t M = 0; M < C->Used; ++M)
      unmapThread(I, C->Mirrors[M].Region);
    sys::munmap(C, PageSize);
    C = Next;
  }
}

namespace {
/// Returned in rax and rdx.
struct ThreadStart {
  void *Function;
  void *Argument;
};
} // namespace

extern "C" GRAUPEL_HIDDEN ThreadStart graupelThreadBegins(StartNode *Node) {
  const Image I;
  attachThread(I);
  const ThreadStart Start = {Node->Function, Node->Argument};
  freeNode(I.runtime(), Node);
  return Start;
}
