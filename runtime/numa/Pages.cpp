//===- numa/Pages.cpp - Actual and wanted nodes of pages ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "NextTouch.h"
#include "Policies.h"
#include <algorithm>
#include <cerrno>
#include <mutex>

using namespace graupel::numa;

/// The kernel's interleaving begins anywhere, but its order is fixed: the nodes
/// ascending, by the page's number.
static Nodes interleaved(const Policy &P, uint64_t Page, unsigned Rotation) {
  std::vector<unsigned> Ids = P.Nodes;
  std::sort(Ids.begin(), Ids.end());
  return Nodes(1) << Ids[(Page / PageBytes + Rotation) % Ids.size()];
}

/// The rotation for which most pages are right. `On` are the pages' nodes.
static unsigned rotationOf(const Policy &P, uint64_t Start, const int *On,
                           size_t Count) {
  unsigned Best = 0;
  size_t Most = 0;
  for (unsigned R = 0; R < P.Nodes.size(); ++R) {
    size_t Right = 0;
    for (size_t N = 0; N < Count; ++N)
      Right +=
          On[N] >= 0 && (interleaved(P, Start + N * PageBytes, R) >> On[N] & 1);
    if (Right > Most) {
      Best = R;
      Most = Right;
    }
  }
  return Best;
}

/// The nodes that a page should be on; none means any.
static Nodes wanted(const Attachment &A, uint64_t Page, unsigned Rotation) {
  switch (A.Rule.Kind) {
  case PolicyKind::FirstTouch:
    return 0;
  case PolicyKind::Fixed:
    return maskOf(A.Rule);
  case PolicyKind::RoundRobin:
    return Nodes(1) << A.Rule.nodeOfUnit((Page - A.Origin) / A.Rule.Unit);
  case PolicyKind::Interleave:
    return interleaved(A.Rule, Page, Rotation);
  case PolicyKind::NextTouch:
    break;
  }
  int Node = nodeOfTouch(Page);
  return Node < 0 ? 0 : Nodes(1) << Node;
}

int graupel_numa_verify(
    const void *Memory, size_t Bytes, graupel_numa_report *Report,
    void (*Mismatch)(void *, graupel_numa_nodes, int, void *), void *Data) {
  uint64_t Address = reinterpret_cast<uint64_t>(Memory);
  uint64_t Start = pageDown(Address), End = pageUp(Address + Bytes);
  graupel_numa_report R = {};
  std::vector<int> On((End - Start) / PageBytes);
  if (int Error = queryPages(Start, On.size(), On.data()))
    return sayError(Error, "the kernel does not say where pages are");
  // A described machine's nodes are not the kernel's.
  bool Any = machine().Trivial;
  std::lock_guard Hold(rangesLock());
  for (const Piece &P : ranges().pieces(Start, End)) {
    unsigned Rotation = 0;
    if (P.Holder && P.Holder->Rule.Kind == PolicyKind::Interleave)
      Rotation = rotationOf(P.Holder->Rule, P.Start,
                            &On[(P.Start - Start) / PageBytes],
                            (P.End - P.Start) / PageBytes);
    for (uint64_t Page = P.Start; Page < P.End; Page += PageBytes) {
      int Node = On[(Page - Start) / PageBytes];
      ++R.pages;
      if (Node < 0)
        continue;
      ++R.present;
      Nodes Should = P.Holder ? wanted(*P.Holder, Page, Rotation) : 0;
      if (!Should) {
        ++R.free_choice;
      } else if (Any || (Should >> Node & 1)) {
        ++R.right;
      } else {
        ++R.wrong;
        if (Mismatch)
          Mismatch(reinterpret_cast<void *>(Page), Should, Node, Data);
      }
    }
  }
  if (Report)
    *Report = R;
  if (!R.wrong)
    return placed();
  return say(GRAUPEL_NUMA_FELL_BACK,
             std::to_string(R.wrong) + " of " + std::to_string(R.present) +
                 " pages are on another node than their policy wants");
}

int graupel_numa_query(const void *Memory, size_t Bytes, int *On,
                       size_t Count) {
  uint64_t Address = reinterpret_cast<uint64_t>(Memory);
  uint64_t Start = pageDown(Address), End = pageUp(Address + Bytes);
  if (Count < (End - Start) / PageBytes)
    return say(-EINVAL, "there is room for " + std::to_string(Count) +
                            " pages; the range has " +
                            std::to_string((End - Start) / PageBytes));
  if (int Error = queryPages(Start, (End - Start) / PageBytes, On))
    return sayError(Error, "the kernel does not say where pages are");
  return placed();
}

int graupel_numa_migrate(void *Memory, size_t Bytes, int Node, int *Status) {
  const Machine &M = machine();
  if (!M.has(Node))
    return say(-EINVAL, "there is no node " + std::to_string(Node));
  uint64_t Address = reinterpret_cast<uint64_t>(Memory);
  uint64_t Start = pageDown(Address), End = pageUp(Address + Bytes);
  size_t Count = (End - Start) / PageBytes;
  if (M.Trivial) {
    if (Status)
      queryPages(Start, Count, Status);
    return GRAUPEL_NUMA_TRIVIAL;
  }
  std::vector<int> Own(Status ? 0 : Count);
  int *On = Status ? Status : Own.data();
  if (int Error = movePages(Start, Count, &Node, 0, On))
    return sayError(Error,
                    "pages cannot be moved to node " + std::to_string(Node));
  size_t Stayed = size_t(std::count_if(
      On, On + Count, [&](int S) { return S != Node && S != -ENOENT; }));
  if (!Stayed)
    return GRAUPEL_NUMA_PLACED;
  return say(GRAUPEL_NUMA_FELL_BACK, std::to_string(Stayed) + " of " +
                                         std::to_string(Count) +
                                         " pages could not be moved");
}
