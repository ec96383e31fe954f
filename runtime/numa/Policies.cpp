//===- numa/Policies.cpp - Placement policies -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attaches policies to ranges of memory and asks the kernel for them.
//
// 1. convert checks the kind, nodes and weights of a policy against the
//    machine. It chooses a unit, and all nodes with memory if the caller names
//    none.
// 2. attach rounds the range to whole pages and enters it in ranges(), under
//    the lock.
// 3. applyNew goes through the pieces of the range in which the new policy
//    holds. Nothing is asked of the kernel on a machine with one node, or on a
//    described one.
// 4. apply forgets watches for the next touch, then binds the piece according
//    to its policy. A round robin gets a mapping for each of up to 512 units;
//    with more units its pages are made and moved. A policy for the next touch
//    protects the piece.
// 5. If the kernel refuses, attach removes the range again and reports the
//    reason. graupel_numa_detach removes ranges and applies the policies that
//    hold afterwards.
//
//===----------------------------------------------------------------------===//

#include "Policies.h"
#include "Domains.h"
#include "Machine.h"
#include "NextTouch.h"
#include <algorithm>
#include <cerrno>
#include <mutex>
#include <numaif.h>
#include <pthread.h>
#include <sys/mman.h>

using namespace graupel::numa;

std::mutex &graupel::numa::rangesLock() {
  static std::mutex Lock;
  return Lock;
}

Ranges &graupel::numa::ranges() {
  // Never destroyed: threads may still place memory while the program ends. A
  // child must not find the lock taken by a thread that it does not have.
  static Ranges *R = [] {
    pthread_atfork([] { rangesLock().lock(); }, [] { rangesLock().unlock(); },
                   [] { rangesLock().unlock(); });
    return new Ranges;
  }();
  return *R;
}

//===--- Requests of callers ----------------------------------------------===//

static uint64_t unitOf(const graupel_numa_policy &P, uint64_t Bytes) {
  // Each unit of next touch may become a mapping, which a process has 65530 of.
  constexpr uint64_t MostUnits = 4096;
  if (P.unit)
    return pageUp(P.unit);
  if (P.kind != GRAUPEL_NUMA_NEXT_TOUCH)
    return PageBytes;
  return std::max(PageBytes, pageUp(Bytes / MostUnits));
}

int graupel::numa::convert(const graupel_numa_policy &P, uint64_t Bytes,
                           Policy &To) {
  const Machine &M = machine();
  if (unsigned(P.kind) > GRAUPEL_NUMA_NEXT_TOUCH)
    return say(-EINVAL, "there is no such policy");
  To.Kind = PolicyKind(P.kind);
  To.Unit = unitOf(P, Bytes);
  To.Mandatory = P.mandatory;
  for (size_t N = 0; P.nodes && N < P.node_count; ++N) {
    if (!M.has(P.nodes[N]))
      return say(-EINVAL, "there is no node " + std::to_string(P.nodes[N]));
    if (!(M.WithMemory >> P.nodes[N] & 1))
      return say(-EINVAL,
                 "node " + std::to_string(P.nodes[N]) + " has no memory");
    if (P.weights && !P.weights[N])
      return say(-EINVAL, "a weight is 0; weights are at least 1");
    To.Nodes.push_back(unsigned(P.nodes[N]));
    To.Weights.push_back(P.weights ? P.weights[N] : 1);
  }
  if (To.Nodes.empty() && P.weights)
    return say(-EINVAL, "weights need nodes");
  if (To.Nodes.empty()) {
    To.Nodes = M.idsOf(M.WithMemory);
    To.Weights.assign(To.Nodes.size(), 1);
    if (To.Kind == PolicyKind::Fixed && To.Nodes.size() > 1)
      return say(-EINVAL, "a fixed policy needs a node");
  }
  return 0;
}

Nodes graupel::numa::maskOf(const Policy &P) {
  Nodes Mask = 0;
  for (unsigned Id : P.Nodes)
    Mask |= Nodes(1) << Id;
  return Mask;
}

//===--- Requests to the kernel -------------------------------------------===//

/// The kernel would kill the program rather than use another node.
static bool hasRoom(const Policy &P, uint64_t Bytes) {
  const Machine &M = machine();
  std::vector<uint64_t> Free = M.freeBytes();
  uint64_t Sum = 0;
  for (unsigned Id : P.Nodes)
    if (!Free.empty())
      Sum += Free[*M.T.indexOfNode(Id)];
  return Free.empty() || Sum >= Bytes;
}

static int applyFixed(const Piece &A) {
  const Policy &P = A.Holder->Rule;
  if (P.Mandatory && !hasRoom(P, A.End - A.Start))
    return say(-ENOMEM, "node " + std::to_string(P.Nodes[0]) +
                            " has not that much memory free");
  int Mode = P.Mandatory           ? MPOL_BIND
             : P.Nodes.size() == 1 ? MPOL_PREFERRED
                                   : MPOL_PREFERRED_MANY;
  int Error = bindMemory(A.Start, A.End, Mode, maskOf(P), true);
  // Before Linux 5.15 there is one preferred node.
  if (Error == -EINVAL && Mode == MPOL_PREFERRED_MANY)
    Error = bindMemory(A.Start, A.End, MPOL_PREFERRED, Nodes(1) << P.Nodes[0],
                       true);
  if (!Error && P.Nodes.size() > 1)
    setHomeNode(A.Start, A.End, P.Nodes[0]);
  return Error;
}

/// Makes the pages of a range now, without changing their contents.
static void populate(uint64_t Start, uint64_t End) {
  if (madvise(reinterpret_cast<void *>(Start), End - Start,
              MADV_POPULATE_WRITE) == 0)
    return;
  for (uint64_t Page = Start; Page < End; Page += PageBytes)
    __atomic_fetch_or(reinterpret_cast<char *>(Page), 0, __ATOMIC_RELAXED);
}

/// A mapping for each unit if there are few, which holds for pages to come too;
/// otherwise the pages are made and moved.
static int applyRoundRobin(const Piece &A) {
  constexpr uint64_t MostMappings = 512;
  const Policy &P = A.Holder->Rule;
  uint64_t From = A.Holder->Origin;
  if (P.Unit < HugeBytes)
    cutHugePages(A.Start, A.End);
  if ((A.End - A.Start) / P.Unit <= MostMappings) {
    for (uint64_t At = A.Start; At < A.End;) {
      uint64_t Unit = (At - From) / P.Unit;
      uint64_t End = std::min(From + (Unit + 1) * P.Unit, A.End);
      if (int Error = bindMemory(At, End, MPOL_PREFERRED,
                                 Nodes(1) << P.nodeOfUnit(Unit), true))
        return Error;
      At = End;
    }
    return 0;
  }
  if (int Error = bindMemory(A.Start, A.End, MPOL_INTERLEAVE, maskOf(P), false))
    return Error;
  populate(A.Start, A.End);
  std::vector<int> Wanted;
  for (uint64_t Page = A.Start; Page < A.End; Page += PageBytes)
    Wanted.push_back(int(P.nodeOfUnit((Page - From) / P.Unit)));
  return movePages(A.Start, Wanted.size(), Wanted.data(), 1, nullptr);
}

static int apply(const Piece &A) {
  forgetTouches(A.Start, A.End);
  if (!A.Holder)
    return bindMemory(A.Start, A.End, MPOL_DEFAULT, 0, false);
  switch (A.Holder->Rule.Kind) {
  case PolicyKind::FirstTouch:
    return bindMemory(A.Start, A.End, MPOL_LOCAL, 0, false);
  case PolicyKind::Fixed:
    return applyFixed(A);
  case PolicyKind::RoundRobin:
    return applyRoundRobin(A);
  case PolicyKind::Interleave:
    cutHugePages(A.Start, A.End);
    return bindMemory(A.Start, A.End, MPOL_INTERLEAVE, maskOf(A.Holder->Rule),
                      true);
  case PolicyKind::NextTouch:
    if (int Error = bindMemory(A.Start, A.End, MPOL_LOCAL, 0, false))
      return Error;
    return watchTouches(A.Start, A.End, A.Holder->Rule.Unit);
  }
  return -EINVAL;
}

/// Applies the policies that hold in a range now.
static int applyAll(uint64_t Start, uint64_t End) {
  if (machine().Trivial)
    return GRAUPEL_NUMA_TRIVIAL;
  for (const Piece &A : ranges().pieces(Start, End))
    if (int Error = apply(A))
      return Error;
  return GRAUPEL_NUMA_PLACED;
}

/// Larger ranges around it hold elsewhere; smaller ones in it still hold.
static int applyNew(uint64_t Start, uint64_t End) {
  if (machine().Trivial)
    return GRAUPEL_NUMA_TRIVIAL;
  for (const Piece &A : ranges().pieces(Start, End))
    if (A.Holder && A.Holder->Start == Start && A.Holder->End == End)
      if (int Error = apply(A))
        return Error;
  return GRAUPEL_NUMA_PLACED;
}

//===--- Calls ------------------------------------------------------------===//

static int attach(void *Memory, size_t Bytes, Policy P) {
  uint64_t Address = reinterpret_cast<uint64_t>(Memory);
  uint64_t Start = pageDown(Address), End = pageUp(Address + Bytes);
  if (Start == End)
    return placed();
  if (End < Start)
    return say(-EINVAL, "the range is longer than memory");
  std::lock_guard Hold(rangesLock());
  ranges().attach(Start, End, P);
  int Result = applyNew(Start, End);
  if (Result >= 0)
    return Result;
  ranges().detach(Start, End);
  if (Result == -EACCES)
    return say(Result, "next touch needs memory that can be read and written");
  // The sentence is there already if the refusal is ours.
  return Result == -ENOMEM && P.Mandatory
             ? Result
             : sayError(Result, "the kernel refuses the policy");
}

int graupel_numa_attach(void *Start, size_t Bytes,
                        const graupel_numa_policy *P) {
  Policy NewPolicy;
  if (int Error = convert(*P, Bytes, NewPolicy))
    return Error;
  return attach(Start, Bytes, std::move(NewPolicy));
}

int graupel_numa_attach_domain(void *Start, size_t Bytes,
                               const graupel_numa_domain *Domain,
                               int Mandatory) {
  Policy NewPolicy;
  NewPolicy.Kind = PolicyKind::Fixed;
  NewPolicy.Mandatory = Mandatory;
  NewPolicy.Unit = PageBytes;
  NewPolicy.Nodes = Domain->nodes();
  std::erase_if(NewPolicy.Nodes,
                [](unsigned Id) { return !(machine().WithMemory >> Id & 1); });
  if (NewPolicy.Nodes.empty())
    return say(-EINVAL, "the domain has not been placed");
  NewPolicy.Weights.assign(NewPolicy.Nodes.size(), 1);
  return attach(Start, Bytes, std::move(NewPolicy));
}

int graupel_numa_detach(void *Memory, size_t Bytes) {
  uint64_t Address = reinterpret_cast<uint64_t>(Memory);
  uint64_t Start = pageDown(Address), End = pageUp(Address + Bytes);
  std::lock_guard Hold(rangesLock());
  ranges().detach(Start, End);
  return applyAll(Start, End);
}
