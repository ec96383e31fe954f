//===- Node.h - All parts of this process's share of a job ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made before main by Start.cpp, and never unmade. Parts know only what they
// are attached to; the calls of dsm.h, tempest.h and dsm_checks.h, which have
// no object of their own, find them here.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_NODE_H
#define GRAUPEL_DSM_NODE_NODE_H

#include "Memory/AccessControl.h"
#include "Memory/Heap.h"
#include "Memory/Region.h"
#include "Node/Dispatcher.h"
#include "Node/Faults.h"
#include "Node/Threads.h"
#include "Transport/Bootstrap.h"
#include "Transport/Transport.h"
#include <memory>

namespace graupel::dsm {

/// Handlers of messages that the runtime's own parts exchange. Protocols' come
/// behind.
enum class Internal : uint16_t {
#define INTERNAL_MESSAGE(Name) Name,
#include "Node/Internal.def"
  FirstOfProtocol = 32
};

struct Node {
  int Number = 0, Count = 1, ThreadsPerNode = 1;
  unsigned FaultsAtATime = 1; ///< The most that a thread waits for.
  uint32_t DefaultBlock = 128;
  double StartTime = 0; ///< On this host's monotonic clock.
  bool Ending = false;  ///< Has called exit; under the protocol lock.
  const ThreadRecord *Ender = nullptr; ///< The thread that has; also under it.

  std::unique_ptr<Bootstrap> Boot;
  std::unique_ptr<Transport> Wire;
  TagTable Tags;
  /// The tags of threads that the node does not know yet; their GS points here.
  /// They have to call before they can rely on anything.
  TagTable Strangers;
  Region Shared;
  AccessControl Access;
  Crowd Others;
  Threads Team;
  Dispatcher Dispatch;
  Faults Refused;
  Heap Allocations;
  void *ProtocolData = nullptr;
};

/// Null until Start.cpp has made it, and in a forked child.
extern Node *TheNode;

/// The node, for calls of the program; ends the process with a message that
/// names `Caller` if there is none.
Node &nodeFor(const char *Caller);

/// This thread's record, made if it has none.
ThreadRecord &thisThread(Node &);

/// Makes valid again what a thread holds by gdsm_fetch. It is online.
void returnToPins(ThreadRecord &);

/// Ends the job with a message if the calling thread, which is in `Function`,
/// is where it must not wait for the protocol: in gdsm_blocking, or in a signal
/// handler that interrupted checked code.
inline void requireOrdinaryCode(const ThreadRecord &T, const char *Function) {
  if (T.Handlers || !(T.state() & 1)) [[unlikely]]
    refuseCall(Function);
}

/// The calling thread is in the runtime for as long as this exists: it relies
/// on no tag, and may wait.
class Away {
public:
  explicit Away(Node &N) : T(thisThread(N)), WasOnline(T.state() & 1) {
    if (WasOnline)
      T.goOffline();
  }
  /// For a function of the program's that may wait; see WaitNote.
  Away(Node &N, WaitNote::Kind K, const char *Function, const void *Pc,
       uint64_t Value = 0)
      : T(thisThread(N)), WasOnline(true) {
    requireOrdinaryCode(T, Function);
    T.Note.set(K, Function, Pc, Value);
    T.goOffline();
  }
  ~Away() {
    // In a function that blocks, say by exit, the thread stays offline.
    if (!WasOnline)
      return;
    T.goOnline();
    T.Note.clear();
    if (T.PinCount) [[unlikely]]
      returnToPins(T);
  }
  Away(const Away &) = delete;
  Away &operator=(const Away &) = delete;
  ThreadRecord &thread() { return T; }

private:
  ThreadRecord &T;
  const bool WasOnline;
};

/// The calling thread may block outside of the runtime for as long as this
/// exists: it relies on no tag, and if nobody else of the node serves, the
/// helper thread does. For any thread at any time: one that nobody waits for is
/// left as it is, and so is one in a signal handler. errno is preserved.
class Blocking {
public:
  /// `Function`, `Pc`: who blocks, and whom it returns to.
  explicit Blocking(const char *Function = __builtin_FUNCTION(),
                    const void *Pc = __builtin_return_address(0));
  ~Blocking() {
    if (T)
      leave();
  }
  Blocking(const Blocking &) = delete;
  Blocking &operator=(const Blocking &) = delete;

private:
  void leave();

  ThreadRecord *T = nullptr;
  const void *Outer;
};

/// The program's code, called back by what a Blocking is for.
class Unblocked {
public:
  Unblocked();
  ~Unblocked();
  Unblocked(const Unblocked &) = delete;
  Unblocked &operator=(const Unblocked &) = delete;

private:
  ThreadRecord *T = nullptr;
  const void *BlockedAt;
};

/// The protocol lock for a scope of a thread that is away.
class Locked {
public:
  explicit Locked(Dispatcher &D) : D(D) { D.lock(); }
  ~Locked() { D.unlock(); }
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;

private:
  Dispatcher &D;
};

/// Waits as Dispatcher::await, and has not the lock afterwards.
template <class Condition>
void awaitUnlocked(Node &N, bool HasLock, Condition Done) {
  if (N.Dispatch.await(HasLock, Done))
    N.Dispatch.unlock();
}

/// Waits as Dispatcher::await, and has the lock before and afterwards.
template <class Condition> void awaitLocked(Node &N, Condition Done) {
  if (!N.Dispatch.await(true, Done))
    N.Dispatch.lock();
}

/// A message of the runtime's own.
template <class... Values> Message internalMessage(Internal Kind, Values... W) {
  static_assert(sizeof...(W) <= 8);
  Message M = {};
  M.Handler = static_cast<uint16_t>(Kind);
  M.Words = sizeof...(W);
  unsigned I = 0;
  ((M.Word[I++] = static_cast<uint64_t>(W)), ...);
  return M;
}

} // namespace graupel::dsm

#endif
