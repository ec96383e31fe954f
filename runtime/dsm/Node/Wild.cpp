//===- Wild.cpp - Accesses that no check has let through --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of open chunks never traps, so what does is no allocation; or the
// process is a forked child, which has none of the region.
//
//===----------------------------------------------------------------------===//

#include "Node/Wild.h"
#include "Checks/Entries.h"
#include "Node/Error.h"
#include "Node/Node.h"
#include <csignal>
#include <dlfcn.h>
#include <ucontext.h>

namespace graupel::dsm {

namespace {

struct sigaction Before;

[[noreturn]] void explain(void *Address, uintptr_t Pc) {
  if (!TheNode)
    fail("a forked process uses shared memory at %p; only nodes can, and fork "
         "is supported for exec",
         Address);
  Dl_info Where = {};
  dladdr(reinterpret_cast<void *>(Pc), &Where);
  fail(
      "access to %p, which is shared memory that is not allocated, by code at "
      "%#zx%s%s%s; look for an access out of bounds, or a pointer that was not "
      "passed on correctly",
      Address, size_t(Pc), Where.dli_sname ? " (in " : "",
      Where.dli_sname ? Where.dli_sname : "", Where.dli_sname ? ")" : "");
}

void onFault(int Signal, siginfo_t *Info, void *Context) {
  auto A = reinterpret_cast<uintptr_t>(Info->si_addr);
  // si_code below 1: sent by a process, with an address that means nothing.
  if (Info->si_code > 0 && A - Look.RegionStart < RegionBytes)
    explain(Info->si_addr,
            static_cast<ucontext_t *>(Context)->uc_mcontext.gregs[REG_RIP]);
  if (Before.sa_flags & SA_SIGINFO)
    return Before.sa_sigaction(Signal, Info, Context);
  if (Before.sa_handler != SIG_DFL && Before.sa_handler != SIG_IGN)
    return Before.sa_handler(Signal);
  // Again, without this handler.
  signal(Signal, SIG_DFL);
  if (Info->si_code <= 0)
    raise(Signal);
}

} // namespace

void catchWildAccesses() {
  struct sigaction Ours = {};
  Ours.sa_sigaction = onFault;
  Ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&Ours.sa_mask);
  sigaction(SIGSEGV, &Ours, &Before);
}

} // namespace graupel::dsm
