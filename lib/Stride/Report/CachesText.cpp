//===- Stride/Report/CachesText.cpp - Misses in words ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Report/Table.h"

namespace graupel::stride {

/// So many pairs and lines are shown; --json has all.
static constexpr size_t MostShown = 10;

static std::string size(uint64_t Bytes) {
  if (Bytes % (1 << 20) == 0)
    return grouped(Bytes >> 20) + " MiB";
  if (Bytes % (1 << 10) == 0)
    return grouped(Bytes >> 10) + " KiB";
  return counted(Bytes, "byte");
}

static std::string part(uint64_t Part, uint64_t Whole) {
  return Whole ? percentText(100 * double(Part) / double(Whole)) : "0 %";
}

std::string describe(const CacheLevelRecord &L) {
  const bool Full = uint64_t(L.Ways) * L.LineBytes == L.Bytes;
  return std::string(L.Name) + " " + size(L.Bytes) + ", " +
         (Full          ? "fully associative"
          : L.Ways == 1 ? "direct-mapped"
                        : counted(L.Ways, "way")) +
         ", lines of " + std::to_string(L.LineBytes) + " bytes" +
         (L.Policy == Replacement::Random ? ", random replacement" : "") +
         (L.Shared ? ", of all threads" : "");
}

std::string describe(const Report &Rep, const MissCounts &M,
                     uint64_t References) {
  const CachesRecord &C = Rep.R.Caches;
  std::string Text;
  for (unsigned N = 0; N < C.LevelCount; ++N) {
    Text += (N ? "; " : "") + std::string(C.Levels[N].Name) + " " +
            grouped(M.Levels[N].Misses) + " (" +
            part(M.Levels[N].Misses, References) + ")";
    if (M.Levels[N].Misses)
      Text += ": compulsory " + grouped(M.Levels[N].Compulsory) +
              ", capacity " + grouped(M.capacity(N)) + ", conflict " +
              grouped(M.conflict(N));
  }
  if (C.TlbEntries)
    Text += "; TLB " + grouped(M.TlbMisses);
  return Text;
}

static void writeConflicts(const Report &Rep, llvm::raw_ostream &OS) {
  auto Name = [&](uint32_t Object) {
    return Object == NoNumber ? "others" : (*Rep.O)[Object].Name;
  };
  size_t Shown = 0;
  for (const ConflictPair &C : Rep.M->Conflicts) {
    if (Shown++ == MostShown)
      break;
    if (Shown == 1)
      OS << "Conflicts, of level, by lines of, driven out by:\n";
    OS << "  " << Rep.R.Caches.Levels[C.Level].Name << "  " << Name(C.Victim)
       << "  " << Name(C.Evictor) << "  " << grouped(C.Misses) << '\n';
  }
}

static void writeSharing(const Report &Rep, llvm::raw_ostream &OS) {
  const uint32_t Bytes = Rep.R.Caches.Levels[0].LineBytes;
  auto Place = [&](uint32_t Site, uint64_t Parts) {
    const struct Site &S = Rep.R.Sites[Site];
    return std::string(S.Facts.Kind == SiteKind::Store ? "store" : "load") +
           " at " + Line{S.File, S.Facts.Line}.shortName() + ", bytes " +
           nameOfParts(Parts, Bytes);
  };
  size_t Shown = 0;
  for (const SharedLine &S : Rep.M->Sharing) {
    if (Shown++ == MostShown)
      break;
    if (Shown == 1)
      OS << "Lines that threads take from each other (estimated):\n";
    OS << "  " << (*Rep.O)[S.Object].Name;
    if (S.OffsetIsKnown)
      OS << " + " << S.Offset;
    if (S.OtherObject != S.Object)
      OS << ", " << (*Rep.O)[S.OtherObject].Name;
    OS << ": " << grouped(S.False) << " without use, " << grouped(S.True)
       << " with use of what was stored\n    by the "
       << Place(S.Writer, S.Written) << "\n    from the "
       << Place(S.Other, S.Used) << '\n';
  }
}

void writeCaches(const Report &Rep, llvm::raw_ostream &OS) {
  if (!Rep.M->any())
    return;
  OS << "\nSimulated caches, by virtual addresses:\n";
  uint64_t Asked = Rep.P->All.References;
  const CachesRecord &C = Rep.R.Caches;
  for (unsigned N = 0; N < C.LevelCount; ++N) {
    const MissCounts &M = Rep.M->All;
    OS << "  " << describe(C.Levels[N]) << "\n    " << grouped(Asked)
       << " references, " << grouped(M.Levels[N].Misses) << " misses ("
       << part(M.Levels[N].Misses, Asked) << "): compulsory "
       << grouped(M.Levels[N].Compulsory) << ", capacity "
       << grouped(M.capacity(N)) << ", conflict " << grouped(M.conflict(N))
       << '\n';
    Asked = M.Levels[N].Misses;
  }
  if (C.TlbEntries)
    OS << "  TLB of " << C.TlbEntries << " pages of " << size(C.PageBytes)
       << ", " << counted(C.TlbWays, "way") << ": "
       << grouped(Rep.M->All.TlbMisses) << " misses\n";
  writeConflicts(Rep, OS);
  writeSharing(Rep, OS);
}

void writeMisses(const Report &Rep, const MissCounts *M, uint64_t References,
                 llvm::raw_ostream &OS) {
  if (!M)
    return;
  OS << "  misses: " << describe(Rep, *M, References) << '\n';
  if (M->LinesLeft)
    OS << "  used of lines fetched: "
       << percentText(100 * M->utilization(Rep.R.Caches)) << '\n';
  std::string Reuse;
  for (unsigned N = 0; N < ReuseBins; ++N)
    if (M->Reuse[N])
      Reuse += (Reuse.empty() ? "" : ", ") +
               nameOfReuse(N, Rep.R.Caches.ReuseShift) + ": " +
               grouped(M->Reuse[N]);
  if (!Reuse.empty())
    OS << "  lines until the same again (one of "
       << (1u << Rep.R.Caches.ReuseShift) << " sampled): " << Reuse << '\n';
}

} // namespace graupel::stride
