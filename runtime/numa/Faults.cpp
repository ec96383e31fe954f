//===- numa/Faults.cpp - Handlers of faults -------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program's handler for SIGSEGV (Signals.cpp) is called for faults that are
// not ours. If the program asks for its handler, it gets the one it installed.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include <dlfcn.h>
#include <mutex>

using namespace graupel::numa;

int graupel::numa::realSigaction(int Signal, const struct sigaction *New,
                                 struct sigaction *Old) {
  using Function = int(int, const struct sigaction *, struct sigaction *);
  static auto *const Real =
      reinterpret_cast<Function *>(dlsym(RTLD_NEXT, "sigaction"));
  return (*Real)(Signal, New, Old);
}

namespace {

constexpr unsigned MaxHandlers = 4;
std::atomic<FaultHandler> Handlers[MaxHandlers];
std::mutex Lock;
std::atomic<bool> Installed;
/// The program's own, once ours is installed. Replaced as a whole, never freed:
/// another thread may be about to call it.
std::atomic<const struct sigaction *> Programs;

/// Calls the program's handler as if this library were absent. By default that
/// ends the program: the fault happens again without a handler.
void passOn(int Signal, siginfo_t *Info, void *Context) {
  const struct sigaction *P = Programs.load(std::memory_order_acquire);
  bool Plain = !(P->sa_flags & SA_SIGINFO);
  if (Plain && (P->sa_handler == SIG_DFL || P->sa_handler == SIG_IGN)) {
    struct sigaction Default = {};
    Default.sa_handler = SIG_DFL;
    realSigaction(SIGSEGV, &Default, nullptr);
    // One that was sent does not happen again by itself.
    if (Info->si_code <= 0)
      raise(Signal);
    return;
  }
  if (Plain)
    P->sa_handler(Signal);
  else
    P->sa_sigaction(Signal, Info, Context);
}

void handle(int Signal, siginfo_t *Info, void *Context) {
  int Error = errno;
  if (Info->si_code > 0)
    for (std::atomic<FaultHandler> &H : Handlers)
      if (FaultHandler Handler = H.load(std::memory_order_acquire))
        if (Handler(reinterpret_cast<uint64_t>(Info->si_addr))) {
          errno = Error;
          return;
        }
  // The program's handler may jump out and never return here; the signals that
  // it would not have blocked must not stay blocked.
  const struct sigaction *P = Programs.load(std::memory_order_acquire);
  auto *U = static_cast<ucontext_t *>(Context);
  sigset_t Mask;
  sigorset(&Mask, &U->uc_sigmask, &P->sa_mask);
  if (!(P->sa_flags & SA_NODEFER))
    sigaddset(&Mask, SIGSEGV);
  sigprocmask(SIG_SETMASK, &Mask, nullptr);
  errno = Error;
  passOn(Signal, Info, Context);
}

} // namespace

void graupel::numa::addFaultHandler(FaultHandler Handler) {
  std::lock_guard Hold(Lock);
  for (std::atomic<FaultHandler> &H : Handlers) {
    if (H.load() == Handler)
      break;
    if (!H.load()) {
      H.store(Handler);
      break;
    }
  }
  if (Installed)
    return;
  auto *Before = new struct sigaction();
  realSigaction(SIGSEGV, nullptr, Before);
  Programs.store(Before);
  struct sigaction Ours = {};
  Ours.sa_sigaction = handle;
  Ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&Ours.sa_mask);
  realSigaction(SIGSEGV, &Ours, nullptr);
  Installed.store(true);
}

bool graupel::numa::ownsFaults() {
  return Installed.load(std::memory_order_acquire);
}

int graupel::numa::setProgramsHandler(const struct sigaction *New,
                                      struct sigaction *Old) {
  const struct sigaction *Before = Programs.load(std::memory_order_acquire);
  if (Old)
    *Old = *Before;
  if (New)
    Programs.store(new struct sigaction(*New), std::memory_order_release);
  return 0;
}
