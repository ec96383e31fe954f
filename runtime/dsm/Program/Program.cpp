//===- Program.cpp - Queries of programs about the job ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Errors/Error.h"
#include "Node/Node.h"
#include "Stache/Stache.h"
#include "Sync/Sync.h"
#include "graupel/dsm.h"
#include "graupel/dsm_wrappers.h"
#include <ctime>

using namespace graupel::dsm;

int gdsm_node(void) { return nodeFor("gdsm_node").Number; }
int gdsm_nodes(void) { return nodeFor("gdsm_nodes").Count; }
int gdsm_threads_per_node(void) {
  return nodeFor("gdsm_threads_per_node").ThreadsPerNode;
}

int gdsm_threads(void) {
  const Node &N = nodeFor("gdsm_threads");
  return N.Count * N.ThreadsPerNode;
}

int gdsm_thread(void) {
  Node &N = nodeFor("gdsm_thread");
  int Number = thisThread(N).Number;
  if (Number < 0)
    fail("gdsm_thread was called by a thread that gdsm_parallel did not start; "
         "only main threads and those of gdsm_parallel have numbers");
  return N.Number * N.ThreadsPerNode + Number;
}

double gdsm_time(void) {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return static_cast<double>(T.tv_sec) + 1e-9 * static_cast<double>(T.tv_nsec) -
         nodeFor("gdsm_time").StartTime;
}

static void collect(Node &N, gdsm_statistics *S, const void *Pc) {
  Away Here(N, WaitNote::Other, "gdsm_get_statistics", Pc);
  Locked Lock(N.Dispatch);
  N.Team.forEach([S](const ThreadRecord &T) {
    auto Read = [](const uint64_t &Count) {
      return __atomic_load_n(&Count, __ATOMIC_RELAXED);
    };
    S->load_faults += Read(T.LoadFaults);
    S->store_faults += Read(T.StoreFaults);
    S->false_matches += Read(T.FalseMatches);
    S->polls += Read(T.Polls);
  });
  S->handshakes = N.Team.handshakes();
  const TransportStatistics &W = N.Wire->statistics();
  S->messages = W.Sent;
  S->data_messages = W.SentWithPayload;
  S->message_bytes = W.SentBytes;
  S->overflows = W.Overflows;
  S->acknowledgements = W.Acknowledgements;
  const graupel_dsm_stache_counts &C = *graupel_dsm_stache_statistics();
  S->get_ro = C.GetRO;
  S->get_rw = C.GetRW;
  S->upgrades = C.Upgrades;
  S->invalidate_ro = C.InvalidateRO;
  S->invalidate_rw = C.InvalidateRW;
}

void gdsm_get_statistics(struct gdsm_statistics *S) {
  gdsm_statistics Now = {};
  collect(nodeFor("gdsm_get_statistics"), &Now, __builtin_return_address(0));
  graupel_dsm_memcpy(S, &Now, sizeof(Now)); // It may be shared.
}
