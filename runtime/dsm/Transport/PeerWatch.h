//===- PeerWatch.h - Notices that a process of this host ends - -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_PEERWATCH_H
#define GRAUPEL_DSM_TRANSPORT_PEERWATCH_H

#include "Transport/Bootstrap.h"
#include "Transport/ControlPages.h"
#include <pthread.h>

namespace graupel::dsm {

/// Shared memory does not tell that the process at its other end is gone, and
/// not every launcher ends a job then (srun does not by itself). A thread waits
/// for the ends of this host's other nodes; while this object exists they are
/// failures, of which the lowest node that is left tells everybody.
class PeerWatch {
public:
  PeerWatch(Bootstrap &, const ControlPages &);
  ~PeerWatch();
  PeerWatch(const PeerWatch &) = delete;
  PeerWatch &operator=(const PeerWatch &) = delete;

private:
  void run();
  bool lowerNodeIsLeft() const;
  [[noreturn]] void ended(int Node);

  Bootstrap &Boot;
  const ControlPages &Places;
  int Stop;               // an eventfd
  std::vector<int> Peers; // their nodes
  std::vector<int> Files; // their pidfds, in the same order
  pthread_t Thread;
};

} // namespace graupel::dsm

#endif
