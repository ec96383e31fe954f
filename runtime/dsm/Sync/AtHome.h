//===- AtHome.h - Objects on this node, without a message -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locks, semaphores and condition variables are numbers; node (number modulo
// nodes) is their home. A thread of the home may try the words of a table
// (NumberWords.h) before it enters the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_SYNC_ATHOME_H
#define GRAUPEL_DSM_SYNC_ATHOME_H

#include "Node/Node.h"

namespace graupel::dsm {

inline int homeOf(const Node &N, uint64_t Number) {
  return static_cast<int>(Number % static_cast<uint64_t>(N.Count));
}

/// The node's data for the quick way; Nodes is 0 until it is open.
struct QuickWay {
  std::atomic<uint64_t> Nodes{0};
  uint64_t Self = 0;
  const ControlPage *Control = nullptr;
};
inline constinit QuickWay Quick;

/// The calling thread, if it may try the quick way.
inline ThreadRecord *quickThread(uint64_t Number) {
  uint64_t Nodes = Quick.Nodes.load(std::memory_order_acquire);
  if (!Nodes) [[unlikely]]
    return nullptr;
  // A division takes longer than all the rest.
  uint64_t Home = Nodes & (Nodes - 1) ? Number % Nodes : Number & (Nodes - 1);
  if (Home != Quick.Self)
    return nullptr;
  ThreadRecord *T = self();
  // The slow way tells of calls where none must be.
  bool Ordinary = T && !T->Handlers && (T->state() & 1);
  return Ordinary && !T->PinCount ? T : nullptr;
}

/// A call of the runtime is where handshakes are met, also this one.
inline void meetHandshakes(ThreadRecord &T) {
  if (Quick.Control->Poll.load(std::memory_order_relaxed)) [[unlikely]]
    T.acknowledge();
}

/// After the first call of the program that has come the slow way, which
/// Start.cpp has to see.
inline void openQuickWay(Node &N) {
  if (Quick.Nodes.load(std::memory_order_relaxed))
    return;
  Quick.Self = static_cast<uint64_t>(N.Number);
  // Not the transport's: this page stays when the node has finished, and
  // threads may go on for a while.
  Quick.Control = reinterpret_cast<const ControlPage *>(N.Tags.base());
  Quick.Nodes.store(static_cast<uint64_t>(N.Count), std::memory_order_release);
}

} // namespace graupel::dsm

#endif
