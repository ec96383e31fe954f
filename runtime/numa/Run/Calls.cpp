//===- numa/Run/Calls.cpp - When a function is called ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Faults.h"
#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

using namespace graupel::numa;

#if defined(__x86_64__)

namespace {

struct Watched {
  uint64_t Address;
  uint8_t Byte; ///< The code's byte.
  bool IsSet;
};

constexpr uint8_t Breakpoint = 0xcc;

/// Never destroyed: threads may come while the program ends.
std::vector<Watched> *All;
void (*Called)(size_t);
/// A handler of a breakpoint is no interruption: the thread was between two of
/// its own instructions, and holds nothing of ours.
std::mutex Lock;
int Memory = -1;
struct sigaction Before;

/// Through /proc the code can be written though it is protected.
bool put(uint64_t Address, uint8_t Byte) {
  return pwrite(Memory, &Byte, 1, off_t(Address)) == 1;
}

void set(Watched &W, bool IsSet) {
  if (W.IsSet != IsSet && put(W.Address, IsSet ? Breakpoint : W.Byte))
    W.IsSet = IsSet;
}

void arrive(size_t Number) {
  std::lock_guard Hold(Lock);
  if (!(*All)[Number].IsSet)
    return; // another thread was here first
  // The breakpoint stays meanwhile, or others would not wait.
  for (size_t N = 0; N < All->size(); ++N)
    if ((*All)[N].Address == (*All)[Number].Address)
      Called(N);
  for (size_t N = 0; N < All->size(); ++N)
    set((*All)[N], (*All)[N].Address != (*All)[Number].Address);
}

void handle(int Signal, siginfo_t *Info, void *Context) {
  int Error = errno;
  greg_t &At = static_cast<ucontext_t *>(Context)->uc_mcontext.gregs[REG_RIP];
  for (size_t N = 0; N < All->size(); ++N)
    if ((*All)[N].Address == uint64_t(At) - 1) {
      arrive(N);
      --At;
      errno = Error;
      return;
    }
  // The program's own.
  if (Before.sa_flags & SA_SIGINFO)
    return Before.sa_sigaction(Signal, Info, Context);
  if (Before.sa_handler != SIG_DFL && Before.sa_handler != SIG_IGN)
    return Before.sa_handler(Signal);
  signal(Signal, SIG_DFL);
  raise(Signal);
}

} // namespace

const char *graupel::numa::watchCalls(const std::vector<uint64_t> &Addresses,
                                      void (*Function)(size_t)) {
  Memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (Memory < 0)
    return "the program's code cannot be watched: /proc/self/mem cannot be "
           "written";
  All = new std::vector<Watched>;
  Called = Function;
  for (uint64_t Address : Addresses) {
    Watched W{Address, *reinterpret_cast<uint8_t *>(Address), false};
    // Several statements of one function.
    for (const Watched &Other : *All)
      if (Other.Address == Address)
        W.Byte = Other.Byte;
    All->push_back(W);
    if (!put(Address, Breakpoint))
      return "the program's code cannot be watched: the system does not let it "
             "be changed";
    All->back().IsSet = true;
  }
  struct sigaction Action = {};
  Action.sa_sigaction = handle;
  Action.sa_flags = SA_SIGINFO | SA_RESTART;
  realSigaction(SIGTRAP, &Action, &Before);
  return nullptr;
}

#else

const char *graupel::numa::watchCalls(const std::vector<uint64_t> &,
                                      void (*)(size_t)) {
  return "calls are watched on x86-64 only; `at` statements are ignored";
}

#endif
