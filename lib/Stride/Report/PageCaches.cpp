//===- Stride/Report/PageCaches.cpp - Figures of simulated caches ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageData.h"

namespace graupel::stride {

/// So many pairs and lines are in the page; the JSON report has all.
static constexpr size_t MostShown = 500;

static void text(llvm::StringRef Text, llvm::json::OStream &J) {
  J.value(llvm::json::fixUTF8(Text));
}

void PageData::levelMisses(const MissCounts &M, JSON &J) const {
  J.array([&] {
    for (unsigned N = 0; N < Rep.M->LevelCount; ++N)
      J.value(M.Levels[N].Misses);
  });
}

void PageData::lineMisses(const Line &Where, JSON &J) const {
  MissCounts Both;
  for (bool Store : {false, true})
    if (const MissCounts *M = Rep.M->of(Where, Store))
      Both.add(*M);
  levelMisses(Both, J);
}

void PageData::streamMisses(const ObjectStream &S, JSON &J) const {
  static const MissCounts None;
  auto Found = Rep.M->Streams.find({S.Object, S.Store});
  const MissCounts &M = Found == Rep.M->Streams.end() ? None : Found->second;
  J.array([&] {
    J.array([&] {
      for (unsigned N = 0; N < Rep.M->LevelCount; ++N)
        J.array([&] {
          J.value(M.Levels[N].Misses);
          J.value(M.Levels[N].Compulsory);
          J.value(M.capacity(N));
          J.value(M.conflict(N));
        });
    });
    J.value(M.TlbMisses);
    // In hundredths of a percent; -1: no line has left.
    J.value(M.LinesLeft
                ? static_cast<int64_t>(10000 * M.utilization(Rep.R.Caches))
                : -1);
    J.value(M.FirstUses);
    J.array([&] {
      for (unsigned N = 0; N < ReuseBins; ++N)
        if (M.Reuse[N])
          J.array([&] {
            J.value(nameOfReuse(N, Rep.R.Caches.ReuseShift));
            J.value(M.Reuse[N]);
          });
    });
  });
}

void PageData::levels(JSON &J) const {
  const CachesRecord &C = Rep.R.Caches;
  const MissCounts &M = Rep.M->All;
  uint64_t Asked = Rep.P->All.References;
  for (unsigned N = 0; N < C.LevelCount; ++N) {
    J.array([&] {
      text(C.Levels[N].Name, J);
      text(describe(C.Levels[N]), J);
      for (uint64_t Each : {Asked, M.Levels[N].Misses, M.Levels[N].Compulsory,
                            M.capacity(N), M.conflict(N)})
        J.value(Each);
    });
    Asked = M.Levels[N].Misses;
  }
  if (C.TlbEntries)
    J.array([&] {
      text("TLB", J);
      text("TLB of " + std::to_string(C.TlbEntries) + " pages of " +
               std::to_string(C.PageBytes) + " bytes, " +
               counted(C.TlbWays, "way"),
           J);
      J.value(Rep.P->All.References);
      J.value(M.TlbMisses);
    });
}

void PageData::conflicts(JSON &J) const {
  auto Name = [&](uint32_t Object) {
    return Object == NoNumber ? std::string("others") : (*Rep.O)[Object].Name;
  };
  for (const ConflictPair &C :
       llvm::ArrayRef(Rep.M->Conflicts).take_front(MostShown))
    J.array([&] {
      text(Rep.R.Caches.Levels[C.Level].Name, J);
      text(Name(C.Victim), J);
      text(Name(C.Evictor), J);
      J.value(C.Misses);
    });
}

void PageData::sharing(JSON &J) const {
  const uint32_t Bytes = Rep.R.Caches.Levels[0].LineBytes;
  auto Place = [&](uint32_t Number, uint64_t Parts) {
    const Site &S = Rep.R.Sites[Number];
    return (S.Facts.Kind == SiteKind::Store ? "store at " : "load at ") +
           Line{S.File, S.Facts.Line}.shortName() + ", bytes " +
           nameOfParts(Parts, Bytes);
  };
  for (const SharedLine &S :
       llvm::ArrayRef(Rep.M->Sharing).take_front(MostShown))
    J.array([&] {
      std::string Name = (*Rep.O)[S.Object].Name;
      if (S.OffsetIsKnown)
        Name += " + " + std::to_string(S.Offset);
      if (S.OtherObject != S.Object)
        Name += ", " + (*Rep.O)[S.OtherObject].Name;
      text(Name, J);
      J.value(S.False);
      J.value(S.True);
      text(Place(S.Writer, S.Written), J);
      text(Place(S.Other, S.Used), J);
    });
}

void PageData::caches(JSON &J) const {
  if (!Rep.M->any())
    return;
  J.attributeArray("levels", [&] { levels(J); });
  J.attribute("reuseSampled", uint64_t(1) << Rep.R.Caches.ReuseShift);
  J.attributeArray("conflicts", [&] { conflicts(J); });
  J.attributeArray("sharing", [&] { sharing(J); });
}

} // namespace graupel::stride
