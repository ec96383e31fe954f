//===- Wild.cpp - Accesses that no check has let through --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explains segmentation faults. Memory of open chunks never traps, so a fault
// in the region is about memory that is not allocated; or the process is a
// forked child, which has none of the region.
//
// 1. catchWildAccesses: give the thread a signal stack, install onFault, and
//    keep the handler that was there, unless it is UCX's.
// 2. onFault: leave faults of protection keys to check-missed (Missed.cpp).
// 3. A fault in the shared region ends the job with a message that names the
//    nearest allocation before the address (explainShared).
// 4. Other faults go to the program's handler, if it has one.
// 5. Else tell which access of which thread it was, and guess a reason: a full
//    stack, the sentinel in a register, a null pointer (explainPrivate, guess).
// 6. Restore the default and return, so that the fault ends the process as
//    without Graupel.
//
//===----------------------------------------------------------------------===//

#include "Wild.h"
#include "Base/Lines.h"
#include "Entries/Entries.h"
#include "Errors/Error.h"
#include "Missed.h"
#include "Node/Node.h"
#include "Node/Signals.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace graupel::dsm {

namespace {

struct sigaction Before;

/// Handlers run on it. Thread-safe, one for each thread.
class SignalStack {
public:
  void take() {
    stack_t Known;
    if (sigaltstack(nullptr, &Known) || !(Known.ss_flags & SS_DISABLE))
      return;
    void *Found = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (Found == MAP_FAILED)
      return; // All works without, but for the message.
    const stack_t Ours = {.ss_sp = Found, .ss_flags = 0, .ss_size = Size};
    if (sigaltstack(&Ours, nullptr))
      munmap(Found, Size);
    else
      Memory = Found;
  }
  ~SignalStack() {
    stack_t Known;
    if (!Memory || sigaltstack(nullptr, &Known))
      return;
    const stack_t None = {
        .ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    if (Known.ss_sp == Memory && sigaltstack(&None, nullptr))
      return; // In use.
    munmap(Memory, Size);
  }

private:
  static constexpr size_t Size = 128 << 10;
  void *Memory = nullptr;
};

struct Text {
  char Bytes[160] = "";
};

/// "thread 3 of node 1".
Text whoAmI() {
  Text T;
  if (!TheNode)
    return T;
  const ThreadRecord *R = self();
  if (R && R->Number >= 0)
    snprintf(T.Bytes, sizeof(T.Bytes), "thread %d of node %d",
             TheNode->Number * TheNode->ThreadsPerNode + R->Number.load(),
             TheNode->Number);
  else
    snprintf(T.Bytes, sizeof(T.Bytes), "a thread of node %d that it started",
             TheNode->Number);
  return T;
}

/// The nearest of this node's allocations; other nodes know the rest.
Text nearestAllocation(uintptr_t A) {
  Text T;
  Heap::Extent E = TheNode->Allocations.lastBefore(A);
  if (E.Start)
    snprintf(T.Bytes, sizeof(T.Bytes),
             ", %zu bytes behind the allocation of %zu bytes at %#zx",
             size_t(A - E.Start - E.Bytes), E.Bytes, size_t(E.Start));
  return T;
}

[[noreturn]] void explainShared(void *Address, uintptr_t Pc) {
  if (!TheNode)
    fail("a forked process uses shared memory at %p; only nodes can, and fork "
         "is supported for exec",
         Address);
  fail("access to %p, which is shared memory that is not allocated%s, by %s at "
       "%s; look for an access out of bounds, or a pointer that was not passed "
       "on correctly",
       Address, nearestAllocation(reinterpret_cast<uintptr_t>(Address)).Bytes,
       whoAmI().Bytes, nameOf(Pc + 1).Text);
}

/// Whether a register holds what Invalid blocks hold, as an index, or as a
/// pointer to a structure: code without checks has read it.
bool usesSentinel(const ucontext_t &Context) {
  constexpr uint64_t Index = GRAUPEL_DSM_SENTINEL,
                     Pointer = Index << 32 | Index, LargestField = 65536;
  for (int R = REG_R8; R != REG_RIP; ++R) {
    auto Value = static_cast<uint64_t>(Context.uc_mcontext.gregs[R]);
    if (Value == Index || Value - Pointer + LargestField < 2 * LargestField)
      return true;
  }
  return false;
}

constexpr char Sentinel[] =
    "it comes from 0x7ffbadc0, which shared memory holds whose data is on "
    "another node, so code that is not compiled with checks has read shared "
    "memory; compile it with graupel-dsm.cfg, or hold the memory for it with "
    "gdsm_fetch";

/// Whether the thread has come to the end of its stack. Frames that are larger
/// than a page are entered step by step.
bool isStackFull(uintptr_t A, const ucontext_t &Context) {
  constexpr uintptr_t LargestStep = 64 << 10;
  const uintptr_t Stack = Context.uc_mcontext.gregs[REG_RSP];
  return A - (Stack - LargestStep) < LargestStep + PageBytes;
}

/// The cause that the address suggests.
const char *guess(uintptr_t A, int Code, const ucontext_t &Context) {
  if (Code != SI_KERNEL && isStackFull(A, Context))
    return "the thread's stack is full; look for endless recursion, or for "
           "large variables on the stack (ulimit -s)";
  if (usesSentinel(Context))
    return Sentinel;
  if (Code == SI_KERNEL)
    return "an address that no memory has; the pointer was overwritten or "
           "never "
           "set";
  if (A < 4096)
    return "an offset from a null pointer";
  if (Code == SEGV_ACCERR)
    return "memory that does not permit this";
  return "no memory of this node; addresses of globals, stacks and malloc mean "
         "something only on the node that they are from";
}

void explainPrivate(const siginfo_t &Info, const ucontext_t &Context) {
  char Line[1024];
  uintptr_t Pc = Context.uc_mcontext.gregs[REG_RIP];
  bool Store = Context.uc_mcontext.gregs[REG_ERR] & 2;
  char Address[32] = "";
  if (Info.si_code != SI_KERNEL)
    snprintf(Address, sizeof(Address), " 0x%zx",
             reinterpret_cast<size_t>(Info.si_addr));
  int Length = snprintf(
      Line, sizeof(Line),
      "graupel dsm: segmentation fault: %s %s%s at %s: %s\n", whoAmI().Bytes,
      Store ? "stores to" : "loads from", Address, nameOf(Pc + 1).Text,
      guess(reinterpret_cast<uintptr_t>(Info.si_addr), Info.si_code, Context));
  [[maybe_unused]] ssize_t Written =
      write(STDERR_FILENO, Line, static_cast<size_t>(Length));
}

void onFault(int Signal, siginfo_t *Info, void *Context) {
  auto A = reinterpret_cast<uintptr_t>(Info->si_addr);
  if (handleMissed(*Info, Context))
    return;
  // si_code below 1: sent by a process, with an address that means nothing.
  if (Info->si_code > 0 && Look.Shared.contains(A))
    explainShared(
        Info->si_addr,
        static_cast<ucontext_t *>(Context)->uc_mcontext.gregs[REG_RIP]);
  if (Before.sa_flags & SA_SIGINFO)
    return Before.sa_sigaction(Signal, Info, Context);
  if (Before.sa_handler != SIG_DFL && Before.sa_handler != SIG_IGN)
    return Before.sa_handler(Signal);
  if (Info->si_code > 0 && TheNode)
    explainPrivate(*Info, *static_cast<ucontext_t *>(Context));
  // Again, without this handler.
  signal(Signal, SIG_DFL);
  if (Info->si_code <= 0)
    raise(Signal);
}

} // namespace

void takeSignalStack() {
  static thread_local SignalStack Stack;
  Stack.take();
}

void catchWildAccesses() {
  takeSignalStack();
  struct sigaction Ours = {};
  Ours.sa_sigaction = onFault;
  // The handler of missed checks uses the protocol's stack, which may fault
  // itself.
  Ours.sa_flags = SA_SIGINFO | (checksMissed() ? SA_NODEFER : SA_ONSTACK);
  sigemptyset(&Ours.sa_mask);
  setRuntimesHandler(SIGSEGV, Ours, &Before);
  // Without our launcher UCX takes all errors for its own, with pages of text.
  Dl_info Info;
  if (dladdr(reinterpret_cast<void *>(Before.sa_sigaction), &Info) &&
      strstr(Info.dli_fname, "/libucs."))
    Before = {};
}

} // namespace graupel::dsm
