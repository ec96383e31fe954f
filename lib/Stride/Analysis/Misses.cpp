//===- Stride/Analysis/Misses.cpp -----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Misses.h"
#include "Report/Table.h"
#include <cmath>

namespace graupel::stride {

void MissCounts::add(const CacheCounts &C) {
  MissCounts M;
  std::copy(std::begin(C.Levels), std::end(C.Levels), M.Levels.begin());
  M.TlbMisses = C.TlbMisses;
  M.LinesLeft = C.LinesLeft;
  M.PartsUsed = C.PartsUsed;
  M.FirstUses = C.FirstUses;
  std::copy(std::begin(C.Reuse), std::end(C.Reuse), M.Reuse.begin());
  add(M);
}

void MissCounts::add(const MissCounts &C) {
  for (unsigned N = 0; N < MaxCacheLevels; ++N) {
    Levels[N].Misses += C.Levels[N].Misses;
    Levels[N].Compulsory += C.Levels[N].Compulsory;
    Levels[N].Capacity += C.Levels[N].Capacity;
    Levels[N].Conflict += C.Levels[N].Conflict;
  }
  TlbMisses += C.TlbMisses;
  LinesLeft += C.LinesLeft;
  PartsUsed += C.PartsUsed;
  FirstUses += C.FirstUses;
  for (unsigned N = 0; N < ReuseBins; ++N)
    Reuse[N] += C.Reuse[N];
}

uint64_t MissCounts::split(unsigned Level, uint64_t Part) const {
  const LevelCounts &L = Levels[Level];
  uint64_t Sampled = L.Capacity + L.Conflict;
  // Counters of a process that was killed may disagree by a few.
  if (L.Compulsory >= L.Misses || !Sampled)
    return 0;
  return static_cast<uint64_t>(std::llround(double(L.Misses - L.Compulsory) *
                                            double(Part) / double(Sampled)));
}

double MissCounts::weight(unsigned LevelCount) const {
  double Sum = 0, Each = 1;
  for (unsigned N = 0; N < LevelCount; ++N, Each *= 4)
    Sum += Each * double(Levels[N].Misses);
  return Sum;
}

Misses::Misses(const Record &R, const Objects &O)
    : LevelCount(R.Caches.LevelCount) {
  for (const CacheCounts &C : R.CacheShares) {
    const Site &Where = R.Sites[C.Site];
    const bool Store = Where.Facts.Kind == SiteKind::Store;
    const uint32_t Object = O.numberOf(C.Object);
    const Line At{Where.File, Where.Facts.Line};
    All.add(C);
    Streams[{Object, Store}].add(C);
    Sites[{Object, C.Site}].add(C);
    Lines[{At, Store}].add(C);
    Uses[{At, readableFunction(Where.Function), Object, Store}].add(C);
  }
  addConflicts(R, O);
  addSharing(R, O);
}

void Misses::addConflicts(const Record &R, const Objects &O) {
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> Sums;
  auto Number = [&](uint32_t Recorded) {
    return Recorded == NoNumber ? NoNumber : O.numberOf(Recorded);
  };
  for (const ConflictCounts &C : R.CacheConflicts)
    // A sampled level has more misses than were counted.
    Sums[{C.Level, Number(C.Victim), Number(C.Evictor)}] +=
        C.Misses << R.Caches.Levels[C.Level].SampleShift;
  for (auto &[Key, Sum] : Sums)
    if (Sum)
      Conflicts.push_back(
          {std::get<0>(Key), std::get<1>(Key), std::get<2>(Key), Sum});
  std::stable_sort(Conflicts.begin(), Conflicts.end(),
                   [](const ConflictPair &A, const ConflictPair &B) {
                     return A.Level != B.Level ? A.Level < B.Level
                                               : A.Misses > B.Misses;
                   });
}

void Misses::addSharing(const Record &R, const Objects &O) {
  for (const SharingCounts &S : R.CacheSharing)
    if (S.True + S.False)
      Sharing.push_back({O.numberOf(S.Object), O.numberOf(S.OtherObject),
                         S.Line, S.Offset, S.OffsetIsKnown != 0, S.Writer,
                         S.Other, S.Written, S.Used, S.True, S.False});
  std::stable_sort(Sharing.begin(), Sharing.end(),
                   [](const SharedLine &A, const SharedLine &B) {
                     return A.True + A.False > B.True + B.False;
                   });
}

const MissCounts *Misses::of(const Use &U) const {
  auto Found = Uses.find({U.Where, U.Function, U.Object, U.Store});
  return Found == Uses.end() ? nullptr : &Found->second;
}

const MissCounts *Misses::of(const Line &Where, bool Store) const {
  auto Found = Lines.find({Where, Store});
  return Found == Lines.end() ? nullptr : &Found->second;
}

std::string counted(uint64_t Count, const char *One) {
  return grouped(Count) + " " + One + (Count == 1 ? "" : "s");
}

std::string nameOfReuse(unsigned Bin, unsigned ReuseShift) {
  uint64_t Low = uint64_t(1) << (ReuseShift + Bin - (Bin != 0));
  if (Bin == 0)
    return Low == 1 ? "0" : "<" + std::to_string(Low);
  if (Bin == ReuseBins - 1)
    return ">=" + std::to_string(Low);
  return Low == 1 ? "1"
                  : std::to_string(Low) + "-" + std::to_string(2 * Low - 1);
}

std::string nameOfParts(uint64_t Parts, uint32_t LineBytes) {
  const uint32_t Each = std::max(1u, LineBytes / MostParts);
  std::string Text;
  for (unsigned First = 0; First < MostParts; ++First) {
    if (!(Parts >> First & 1))
      continue;
    unsigned Last = First;
    while (Last + 1 < MostParts && Parts >> (Last + 1) & 1)
      ++Last;
    Text += (Text.empty() ? "" : ", ") + std::to_string(First * Each) + "-" +
            std::to_string((Last + 1) * Each - 1);
    First = Last;
  }
  return Text;
}

} // namespace graupel::stride
