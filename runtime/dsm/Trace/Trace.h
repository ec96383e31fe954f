//===- Trace.h - Events that the runtime tells the report -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks. With GRAUPEL_DSM_REPORT=FOLDER in the environment the node writes
// FOLDER/node-K.json when it ends (docs/dsm-report-format.md); without it, each
// hook is one branch on a path that is slow anyway.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_TRACE_H
#define GRAUPEL_DSM_TRACE_TRACE_H

#include "Base/Sample.h"
#include "Trace/Recorder.h"
#include "Transport/Control.h"
#include <csignal>
#include <string>

namespace graupel::dsm::trace {

/// Null if nothing is to be reported.
extern Recorder *Active __attribute__((visibility("hidden")));

/// The data of its node that the report needs. Nothing here is owned.
struct Place {
  int Node, Nodes, ThreadsPerNode;
  uintptr_t RegionStart;
  ControlPage *Control;
  /// Whether a thread of the node runs the program's code, so that a sample of
  /// its poll interval makes sense. Any thread.
  bool (*AnyOnline)();
  /// The type of a message; "" if there is no such. Called at the end.
  std::string (*HandlerName)(unsigned Handler);
};

/// Once a node, before its process has a second thread: if the environment asks
/// for a report, the signals that end programs are kept for the report's
/// thread.
void prepare();

/// Once a node, when it is known and before its first miss. Returns false if
/// the environment asks for no report; Problem is not empty if it does and the
/// folder cannot be written: what is wrong, and what to do.
bool start(const Place &, std::string &Problem);

/// Writes the node's file; what is told afterwards is lost. Does nothing if
/// nothing is to be reported or this was called before.
void finish();
/// The same, because of an error. May be called anywhere, also by a signal
/// handler that has interrupted who knows what: another thread writes, and is
/// waited for, but not for long.
void fail(const char *Error);
/// In a forked child, which leaves no report.
void forked();

// --- Hooks.

void allocate(uintptr_t A, size_t Bytes, uint32_t Block, int Home,
              uintptr_t Pc);

/// An allocation of this node. `Pc`: the return address of the program's call,
/// which is on the stack.
inline void allocated(const void *P, size_t Bytes, uint32_t Block, int Home,
                      const void *Pc) {
  if (Active) [[unlikely]]
    allocate(reinterpret_cast<uintptr_t>(P), Bytes, Block, Home,
             reinterpret_cast<uintptr_t>(Pc));
}

void leave(uintptr_t A, size_t Length, uint32_t Block, const void *Data);
void arrive(uintptr_t A, size_t Length, uint32_t Block, const void *Data);

/// The contents of the blocks at A, which are at Data, are about to be
/// overwritten with sentinels. No thread of the node stores to them any more.
inline void leaves(uintptr_t A, size_t Length, uint32_t Block,
                   const void *Data) {
  if (Active) [[unlikely]]
    leave(A, Length, Block, Data);
}

/// Data are about to be the contents of the blocks at A. Under the protocol
/// lock.
inline void arrives(uintptr_t A, size_t Length, uint32_t Block,
                    const void *Data) {
  if (Active) [[unlikely]]
    arrive(A, Length, Block, Data);
}

inline void sent(int To, unsigned Handler, size_t Bytes) {
  if (Active) [[unlikely]]
    Active->sent(To, Handler, Bytes);
}

/// This node has passed a barrier of all nodes.
inline void passedBarrier(bool BeginsParallel) {
  if (Active) [[unlikely]]
    Active->barrier(BeginsParallel);
}

/// A thread's way through the slow path, for the ranges that its code wants.
/// Misses may be under way together; what passes until one is over goes to that
/// one, so that the times of all add up to the thread's.
class SlowPath {
public:
  SlowPath(const graupel_dsm_range *Ranges, uint64_t Count, uintptr_t Pc) {
    if (Active) [[unlikely]]
      open(Ranges, Count, Pc);
  }
  SlowPath(const SlowPath &) = delete;
  SlowPath &operator=(const SlowPath &) = delete;

  /// The calls below are made only if this is true.
  bool recording() const { return Recording; }

  /// An access is refused, in the block at Block. Readable: loads of it are
  /// not. The result is the caller's until got().
  Miss *misses(uintptr_t Block, uint32_t Size, bool Store, bool Readable);
  /// It need not wait any longer. Home: of the block's page. Permitted: the
  /// access is now. If it is not, and no data came, this was a step only, as
  /// when a page is mapped; its time counts with the next.
  void got(Miss *, int Home, bool Permitted);
  /// All is valid; the thread is offline. Block, Size: around the first range;
  /// a Size of 0 if it is no shared memory. If nothing was missed, the check
  /// found valid data wrong.
  void done(uintptr_t Block, uint32_t Size);

private:
  void open(const graupel_dsm_range *Ranges, uint64_t Count, uintptr_t Pc);

  bool Recording = false, Missed = false;
  uint64_t Since;
  const graupel_dsm_range *Ranges;
  uint64_t Count;
  uintptr_t Pc;
  unsigned UnderWay = 0;
};

/// A handler of the runtime's own that ends the process as without it.
extern void (*DefaultHandler)(int, siginfo_t *, void *);

} // namespace graupel::dsm::trace

#endif
