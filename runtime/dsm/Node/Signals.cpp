//===- Signals.cpp - Handlers of the program --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs handlers of the program online. A handler may interrupt a thread between
// a check and its access, in the runtime with or without the protocol lock, and
// while it blocks (H-13). While the thread blocks, nothing interrupted relies
// on tags: the handler is like any other code. Otherwise it must be no
// handshake point: it neither polls nor blocks offline, and an access that
// needs the protocol ends the program with a message (Checks/Work.cpp).
//
// 1. sigaction and its kin are interposed: note the program's handler in Table,
//    install onSignal instead, and give the old handler back as the program set
//    it. setRuntimesHandler passes by.
// 2. onSignal: push a frame with the thread's state. Count the handler as no
//    handshake point, unless it interrupted a thread that blocks outside of
//    such a handler, and go online (InHandler).
// 3. Call the program's handler. Then take the frame off and restore the state
//    (leaveTo) and errno. A thread that blocks again leaves serving to others.
// 4. longjmp and its kin are interposed: read the stack pointer of the target,
//    and take off the frames that are left. Leaving a handler that interrupted
//    the runtime ends the program (leaveBefore).
// 5. If the jump leaves a function that blocks, go online.
//
//===----------------------------------------------------------------------===//

#include "Node/Signals.h"
#include "Interpose.h"
#include <cerrno>
#include <csetjmp>
#include <csignal>

namespace graupel::dsm {

namespace {

/// The program's handlers. Written with all signals blocked, under Lock.
struct Registered {
  std::atomic<void (*)(int, siginfo_t *, void *)> Handler;
  std::atomic<bool> WantsOnlyNumber;
} Table[NSIG];
std::atomic_flag Lock = ATOMIC_FLAG_INIT;

/// The part of its thread's state that a handler has changed.
struct Frame {
  uintptr_t Stack;
  bool WasOffline;
  const void *BlockedAt;
};
constexpr unsigned MaxFrames = 64;
__thread Frame Frames[MaxFrames] __attribute__((tls_model("initial-exec")));
__thread unsigned FrameCount __attribute__((tls_model("initial-exec")));

class InHandler {
public:
  explicit InHandler(uintptr_t Stack) {
    ThreadRecord *T = TheNode ? self() : nullptr;
    if (!T || FrameCount == MaxFrames)
      return;
    bool Offline = !(T->state() & 1);
    Frames[FrameCount] = {Stack, Offline, T->BlockedAt};
    std::atomic_signal_fence(std::memory_order_seq_cst);
    Number = ++FrameCount;
    // In a handler that must be no handshake point, all others must not be.
    if (!Offline || !T->BlockedAt || T->Handlers)
      ++T->Handlers;
    T->BlockedAt = nullptr;
    if (Offline)
      T->goOnline();
  }
  ~InHandler() {
    if (Number)
      leaveTo(Number - 1);
  }

  /// All handlers but the first Count ends.
  static void leaveTo(unsigned Count) {
    ThreadRecord *T = self();
    for (; FrameCount > Count; --FrameCount) {
      const Frame &F = Frames[FrameCount - 1];
      if (!TheNode || !T)
        continue;
      if (F.WasOffline)
        T->goOffline();
      T->BlockedAt = F.BlockedAt;
      if (T->Handlers)
        --T->Handlers;
      // Threads that served while this one blocked left that to the handler.
      if (F.WasOffline && F.BlockedAt)
        TheNode->Dispatch.abandon();
    }
  }

private:
  unsigned Number = 0;
};

void onSignal(int Signal, siginfo_t *Info, void *Context) {
  int Errno = errno;
  InHandler Here(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  Registered &R = Table[Signal];
  auto *Handler = R.Handler.load(std::memory_order_relaxed);
  if (R.WantsOnlyNumber.load(std::memory_order_relaxed))
    reinterpret_cast<void (*)(int)>(reinterpret_cast<void *>(Handler))(Signal);
  else
    Handler(Signal, Info, Context);
  errno = Errno;
}

class AllBlocked {
public:
  AllBlocked() {
    sigset_t All;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Before);
    while (Lock.test_and_set(std::memory_order_acquire))
      ;
  }
  ~AllBlocked() {
    Lock.clear(std::memory_order_release);
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }

private:
  sigset_t Before;
};

bool isFunction(const struct sigaction &A) {
  return A.sa_handler != SIG_DFL && A.sa_handler != SIG_IGN &&
         A.sa_handler != SIG_ERR;
}

} // namespace

} // namespace graupel::dsm

using namespace graupel::dsm;

// NOLINTBEGIN: names and types are the C library's.
GRAUPEL_INTERPOSE(int, sigaction,
                  (int Signal, const struct sigaction *New,
                   struct sigaction *Old)) {
  if (Signal <= 0 || Signal >= NSIG)
    return real_sigaction()(Signal, New, Old);
  AllBlocked Here;
  Registered &R = Table[Signal];
  auto *Handler = R.Handler.load(std::memory_order_relaxed);
  bool OnlyNumber = R.WantsOnlyNumber.load(std::memory_order_relaxed);
  struct sigaction Ours, Before;
  if (New) {
    Ours = *New;
    if (isFunction(Ours)) {
      R.WantsOnlyNumber.store(!(Ours.sa_flags & SA_SIGINFO),
                              std::memory_order_relaxed);
      R.Handler.store(Ours.sa_sigaction, std::memory_order_relaxed);
      Ours.sa_sigaction = onSignal;
      Ours.sa_flags |= SA_SIGINFO;
    }
  }
  int Result = real_sigaction()(Signal, New ? &Ours : nullptr, &Before);
  if (Result) {
    R.Handler.store(Handler, std::memory_order_relaxed);
    R.WantsOnlyNumber.store(OnlyNumber, std::memory_order_relaxed);
  } else if (Old) {
    *Old = Before;
    if (Before.sa_sigaction == onSignal) {
      Old->sa_sigaction = Handler;
      if (OnlyNumber)
        Old->sa_flags &= ~SA_SIGINFO;
    }
  }
  return Result;
}

void graupel::dsm::setRuntimesHandler(int Signal, const struct sigaction &New,
                                      struct sigaction *Old) {
  // The program's own, as it has set it.
  if (Old)
    interposed_sigaction(Signal, nullptr, Old);
  real_sigaction()(Signal, &New, nullptr);
}

static sighandler_t setHandler(int Signal, sighandler_t Handler, int Flags) {
  struct sigaction New = {}, Old;
  New.sa_handler = Handler;
  New.sa_flags = Flags;
  sigemptyset(&New.sa_mask);
  if (Flags & SA_RESTART)
    sigaddset(&New.sa_mask, Signal);
  return interposed_sigaction(Signal, &New, &Old) ? SIG_ERR : Old.sa_handler;
}

GRAUPEL_INTERPOSE(sighandler_t, signal, (int Signal, sighandler_t Handler)) {
  return setHandler(Signal, Handler, SA_RESTART);
}
GRAUPEL_INTERPOSE(sighandler_t, bsd_signal,
                  (int Signal, sighandler_t Handler)) {
  return setHandler(Signal, Handler, SA_RESTART);
}
GRAUPEL_INTERPOSE(sighandler_t, ssignal, (int Signal, sighandler_t Handler)) {
  return setHandler(Signal, Handler, SA_RESTART);
}
GRAUPEL_INTERPOSE(sighandler_t, sysv_signal,
                  (int Signal, sighandler_t Handler)) {
  return setHandler(Signal, Handler, SA_RESETHAND | SA_NODEFER);
}
GRAUPEL_INTERPOSE(sighandler_t, __sysv_signal,
                  (int Signal, sighandler_t Handler)) {
  return setHandler(Signal, Handler, SA_RESETHAND | SA_NODEFER);
}

namespace {

/// Where the stack will end: glibc keeps it in the seventh word, mangled.
uintptr_t stackOf(const void *Environment) {
  uintptr_t Stack;
  __asm__("rorq $17, %0\n\txorq %%fs:48, %0"
          : "=r"(Stack)
          : "0"(static_cast<const uintptr_t *>(Environment)[6])
          : "cc");
  return Stack;
}

/// Whether the frame at A is left on the way to Target. Frames of a signal
/// stack are left by all jumps that do not end there.
bool isLeft(uintptr_t A, uintptr_t Target) {
  stack_t Other = {};
  sigaltstack(nullptr, &Other);
  auto Start = reinterpret_cast<uintptr_t>(Other.ss_sp);
  if (!(Other.ss_flags & SS_DISABLE) && A - Start < Other.ss_size)
    return Target - Start >= Other.ss_size || Target > A;
  return Target > A;
}

void leaveBefore(const void *Environment) {
  ThreadRecord *T = TheNode ? self() : nullptr;
  if (!T || (!FrameCount && !T->BlockedAt))
    return;
  uintptr_t Target = stackOf(Environment);
  unsigned Stay = FrameCount;
  while (Stay && isLeft(Frames[Stay - 1].Stack, Target))
    --Stay;
  bool InRuntime =
      Stay < FrameCount && Frames[Stay].WasOffline && !Frames[Stay].BlockedAt;
  if (InRuntime)
    fail("longjmp out of a signal handler that interrupted the runtime, which "
         "was getting shared memory; let the handler set a flag instead");
  InHandler::leaveTo(Stay);
  // A Blocking lies above the frames that it calls.
  if (T->BlockedAt && Target > reinterpret_cast<uintptr_t>(T->BlockedAt)) {
    if (!(T->state() & 1))
      T->goOnline();
    T->BlockedAt = nullptr;
  }
}

} // namespace

#define GRAUPEL_JUMP(Name)                                                     \
  GRAUPEL_INTERPOSE(void, Name, (void *Environment, int Value)) {              \
    leaveBefore(Environment);                                                  \
    real_##Name()(Environment, Value);                                         \
    __builtin_unreachable();                                                   \
  }
GRAUPEL_JUMP(longjmp)
GRAUPEL_JUMP(_longjmp)
GRAUPEL_JUMP(siglongjmp)
GRAUPEL_JUMP(__longjmp_chk)
// NOLINTEND
