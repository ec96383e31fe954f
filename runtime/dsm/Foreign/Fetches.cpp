//===- Fetches.cpp - Allocations held for a call ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign/Fetches.h"
#include "Entries/Pieces.h"
#include "Errors/Error.h"
#include "Foreign/Arguments.h"
#include "Foreign/Describe.h"
#include "Foreign/Marks.h"
#include "Foreign/Pins.h"
#include "Node/Globals.h"
#include "Node/Node.h"
#include "graupel/dsm.h"
#include "graupel/dsm_checks.h"
#include <cerrno>
#include <cstdarg>

namespace graupel::dsm {

namespace {

struct Reply {
  std::atomic<bool> Here{false};
  Heap::Extent Extent = {0, 0};
};

void onExtentWanted(const Message &M) {
  Node &N = *TheNode;
  Heap::Extent E = N.Allocations.around(M.Word[0]);
  N.Dispatch.send(M.Source, internalMessage(Internal::ExtentTold, M.Word[1],
                                            E.Start, E.Bytes));
}

void onExtentTold(const Message &M) {
  auto *R = reinterpret_cast<Reply *>(M.Word[0]);
  R->Extent = {M.Word[1], M.Word[2]};
  R->Here.store(true, std::memory_order_release);
  TheNode->Dispatch.signal();
}

Heap::Extent extentAround(Node &N, uintptr_t A, uintptr_t Pc) {
  if (N.Shared.addresses().isGlobal(A)) {
    const graupel_dsm_global *G = globalAround(A);
    return G ? Heap::Extent{reinterpret_cast<uintptr_t>(G->address), G->size}
             : Heap::Extent{0, 0};
  }
  const Chunk &C = N.Shared.chunk(A);
  if (C.Owner == N.Number || !C.Block)
    return N.Allocations.around(A);
  Reply R;
  Away Here(N, WaitNote::Other, "a function that is GDSM_FETCHES",
            reinterpret_cast<void *>(Pc));
  N.Dispatch.lock();
  N.Dispatch.send(C.Owner, internalMessage(Internal::ExtentWanted, A,
                                           reinterpret_cast<uintptr_t>(&R)));
  awaitUnlocked(N, true,
                [&R] { return R.Here.load(std::memory_order_acquire); });
  return R.Extent;
}

} // namespace

void registerFetchHandlers(Node &N) {
  N.Dispatch.setHandler(unsigned(Internal::ExtentWanted), onExtentWanted);
  N.Dispatch.setHandler(unsigned(Internal::ExtentTold), onExtentTold);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

uint32_t graupel_dsm_fetch_arguments(graupel_dsm_call *Call, const void *Callee,
                                     uint32_t Count, ...) {
  auto Pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  ThreadRecord *T = self();
  auto Before = static_cast<uint32_t>(T ? T->PinCount : 0);
  if (isChecked(Callee))
    return Before;
  auto Fetch = [&](const void *P) {
    if (!isShared(P) || isPinnedToWrite(P))
      return;
    Node &N = nodeFor("a function that is GDSM_FETCHES");
    auto A = reinterpret_cast<uintptr_t>(P);
    Heap::Extent E = extentAround(N, A, Pc);
    if (!E.Start) {
      CallNames Names(*Call);
      fail("%s:%u: %s passes %p to %s, which is shared memory that is not "
           "allocated; look for an access out of bounds",
           Names.File, Call->line, Names.Caller, P,
           describe(Names.Callee, Callee).c_str());
    }
    gdsm_fetch(reinterpret_cast<void *>(E.Start), E.Bytes, GDSM_WRITE);
  };
  int Errno = errno;
  va_list Pointers;
  va_start(Pointers, Count);
  for (uint32_t I = 0; I != Count; ++I) {
    auto *P = va_arg(Pointers, const void *);
    Fetch(P);
    ListedArguments Listed(P);
    while (const void *const *Word = Listed.next())
      Fetch(*Word);
  }
  va_end(Pointers);
  errno = Errno;
  return Before;
}

void graupel_dsm_release_arguments(uint32_t Before) {
  if (ThreadRecord *T = self(); T && T->PinCount > Before)
    T->PinCount = Before;
}
