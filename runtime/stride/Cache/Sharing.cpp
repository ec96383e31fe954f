//===- Cache/Sharing.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the lines that threads take from each other, by the rules in
// Sharing.h.
//
// 1. add finds the thread's stay at the line, and adds the references of the
//    visit to it. A thread that has no stay there, or was away for too long,
//    gets a new one (stayOf).
// 2. For each stay of another thread at the line that overlaps in time, meet
//    takes the same number of references from both, if one of them stores.
// 3. spend decides how many of these references are stores, in proportion.
// 4. If both stays have met others before, take counts each of these stores. It
//    is true sharing if the other thread uses parts that are written, else
//    false sharing.
// 5. countsOf finds the counters of a line and two sites, or makes them in the
//    record with the objects of both. When there are too many, all further
//    lines of two sites have counters together.
//
//===----------------------------------------------------------------------===//

#include "Sharing.h"
#include <algorithm>
#include <bit>

namespace graupel::stride {

static constexpr uint64_t LongestAbsence = 4096;
/// Lines, each with its pairs of sites, that the record has room for.
static constexpr uint32_t MostLines = 4096;

Sharing::Sharing(RecordFile &File, uint32_t LineBytes)
    : File(File), LineBytes(LineBytes),
      Table(static_cast<Bucket *>(allocate(Buckets * sizeof(Bucket)))) {}

/// The thread's stay at the line: the one that goes on, or a new one in place
/// of the one that ended first.
Sharing::Stay &Sharing::stayOf(Bucket &B, uint32_t Thread, uint64_t Line,
                               const Period &T) {
  Stay *Oldest = B.Stays;
  for (Stay &S : B.Stays) {
    if (S.Line == Line + 1 && S.Thread == Thread) {
      Oldest = &S;
      if (T.References - S.References > LongestAbsence)
        break;
      S.End = T.End;
      S.References = T.References;
      return S;
    }
    if (S.End < Oldest->End)
      Oldest = &S;
  }
  *Oldest = {Line + 1, T.Begin, T.End, T.References, {}, Thread, 0};
  return *Oldest;
}

static void join(Visit &To, const Visit &V) {
  To.Loads += V.Loads;
  To.Stores += V.Stores;
  To.Read |= V.Read;
  To.Written |= V.Written;
  if (V.Loads)
    To.ReadSite = V.ReadSite;
  if (V.Stores)
    To.WriteSite = V.WriteSite;
}

void Sharing::add(uint32_t Thread, uint64_t Line, const Visit &V,
                  const Period &T, Owners &AddressOwners) {
  Bucket &B =
      Table[Line / LineBytes * 0x9e3779b97f4a7c15 >> 40 & (Buckets - 1)];
  Stay &Mine = stayOf(B, Thread, Line, T);
  join(Mine.Alone, V);
  for (Stay &Other : B.Stays)
    if (Other.Line == Mine.Line && Other.Thread != Thread &&
        Other.Alone.count() && Other.Begin <= Mine.End &&
        Mine.Begin <= Other.End)
      meet(Mine, Other, AddressOwners);
}

/// Takes so many references away, and returns the number of stores among them.
static uint64_t spend(Visit &V, uint64_t References) {
  uint64_t Stores = V.Stores * References / V.count();
  // Rounding must not lose a reference.
  Stores = std::max(Stores, References - std::min(References, V.Loads));
  V.Stores -= Stores;
  V.Loads -= References - Stores;
  return Stores;
}

void Sharing::meet(Stay &A, Stay &B, Owners &AddressOwners) {
  if (!A.Alone.Stores && !B.Alone.Stores)
    return;
  const Visit AloneA = A.Alone, AloneB = B.Alone;
  const uint64_t Both = std::min(AloneA.count(), AloneB.count());
  if (!Both)
    return; // A third thread has met them all.
  const uint64_t ByA = spend(A.Alone, Both), ByB = spend(B.Alone, Both);
  if (A.Meetings && B.Meetings) {
    take(AloneB, AloneA, A.Line - 1, ByA, AddressOwners);
    take(AloneA, AloneB, A.Line - 1, ByB, AddressOwners);
  }
  ++A.Meetings;
  ++B.Meetings;
}

void Sharing::take(const Visit &From, const Visit &By, uint64_t Line,
                   uint64_t Times, Owners &AddressOwners) {
  if (!Times)
    return;
  SharingCounts *C = countsOf(Line, By, From, AddressOwners);
  if (!C)
    return;
  const uint64_t Used = From.Read | From.Written;
  C->Written |= By.Written;
  C->Used |= Used;
  (By.Written & Used ? C->True : C->False) += Times;
}

SharingCounts *Sharing::countsOf(uint64_t Line, const Visit &Writer,
                                 const Visit &Other, Owners &AddressOwners) {
  const uint32_t Sites[] = {Writer.WriteSite, Other.site()};
  auto Key = [&](uint64_t LineAddress) {
    return ((LineAddress * 0x9e3779b97f4a7c15 + Sites[0]) *
            0xd6e8feb86659fd93) +
           Sites[1];
  };
  SharingCounts *C = Known.find(Key(Line));
  if (C)
    return C;
  if (KnownCount >= MostLines)
    Line = 0;
  if (!Line && (C = Known.find(Key(0))))
    return C;
  C = static_cast<SharingCounts *>(
      File.append(static_cast<ChunkKind>(CacheChunk::Sharing),
                  sizeof(SharingCounts), true));
  if (!C)
    return nullptr;
  const uint64_t Part = std::max(1u, LineBytes / MostParts);
  auto Address = [&](uint64_t Parts) {
    return Line + Part * std::countr_zero(Parts | uint64_t(1) << 63);
  };
  uint64_t Used = Other.Read | Other.Written;
  uint64_t First = Line ? Address(Writer.Written) : 0;
  Owners::Owner Written = AddressOwners.find(Sites[0], First);
  Owners::Owner Beside = AddressOwners.find(Sites[1], Line ? Address(Used) : 0);
  if (Written.Object == NoNumber || Beside.Object == NoNumber)
    return nullptr;
  C->Line = Line;
  if (Written.IsWhole && Line && Written.Begin <= First) {
    C->Offset = First - Written.Begin;
    C->OffsetIsKnown = 1;
  }
  C->Object = Written.Object;
  C->OtherObject = Beside.Object;
  C->Writer = Sites[0];
  C->Other = Sites[1];
  File.commit(C);
  Known.insert(Key(Line), C);
  ++KnownCount;
  return C;
}

} // namespace graupel::stride
