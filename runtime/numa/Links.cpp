//===- numa/Links.cpp - Threads on nodes ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domains.h"
#include "Machine.h"
#include <atomic>
#include <cerrno>
#include <sched.h>

using namespace graupel::numa;

/// Threads pinned to a node so far; the next takes its next processor.
static std::atomic<unsigned> Turns[64];

static int bindThread(int Thread, const std::vector<unsigned> &Ids,
                      bool Pinned) {
  const Machine &M = machine();
  std::vector<unsigned> Processors;
  for (unsigned Id : Ids)
    for (unsigned P : M.T.processorsOf(*M.T.indexOfNode(Id)))
      Processors.push_back(P);
  if (Processors.empty())
    return say(-EINVAL, "node " + std::to_string(Ids.front()) +
                            " has no processors; threads cannot run there");
  if (Pinned)
    Processors = {Processors[Turns[Ids.front()]++ % Processors.size()]};
  // Processors of a machine that was only described do not exist.
  if (M.Described)
    return GRAUPEL_NUMA_TRIVIAL;
  size_t Bytes = CPU_ALLOC_SIZE(Processors.back() + 1);
  for (unsigned P : Processors)
    Bytes = std::max<size_t>(Bytes, CPU_ALLOC_SIZE(P + 1));
  std::vector<unsigned long> Set(Bytes / sizeof(unsigned long));
  for (unsigned P : Processors)
    CPU_SET_S(P, Bytes, reinterpret_cast<cpu_set_t *>(Set.data()));
  if (sched_setaffinity(Thread, Bytes,
                        reinterpret_cast<cpu_set_t *>(Set.data())) != 0)
    return sayError(-errno, "the thread cannot be bound to node " +
                                std::to_string(Ids.front()));
  return placed();
}

int graupel_numa_link_thread(int Thread, const graupel_numa_domain *Domain,
                             int Pinned) {
  std::vector<unsigned> Ids = Domain->nodes();
  if (Ids.empty())
    return say(-EINVAL, "the domain has not been placed");
  if (Pinned)
    Ids.resize(1);
  return bindThread(Thread, Ids, Pinned);
}

int graupel_numa_run_on(int Thread, int Node, int Pinned) {
  if (!machine().has(Node))
    return say(-EINVAL, "there is no node " + std::to_string(Node));
  return bindThread(Thread, {unsigned(Node)}, Pinned);
}
