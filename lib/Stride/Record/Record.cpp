//===- Stride/Record/Record.cpp -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Record::read reads a .gstride file; any error ends it with a sentence:
//
// 1. readHeader() checks the magic, the version, the checksum, the bytes in
//    use, and that texts lie in the header.
// 2. readChunks() walks the chunks, each within the bytes in use. It skips
//    those that are not committed and checks the checksums of those that do not
//    change.
// 3. readChunk() reads one by its kind. Payload::get() refuses bytes beyond the
//    chunk. Unknown kinds are skipped.
// 4. A share's histograms come in several chunks, which name it by its offset:
//    readShare(), readTuples(), readBins(), readWide() and readRow() add to it.
// 5. checkNumbers() refuses numbers used as indices if there is no such site,
//    object, thread, loop or module.
// 6. estimate() scales the counts of a sampled record (Sampling.h).
//
//===----------------------------------------------------------------------===//

#include "Record.h"
#include "Environment/Output/GivenFile.h"
#include "Sampling.h"
#include <cstring>

using llvm::createStringError;
using llvm::Error;

namespace graupel::stride {

/// The largest size of a record: it is in memory while it is read.
static constexpr uint64_t MostBytes = uint64_t(1) << 34;
/// Sizes of all texts of sites and loops: the usual limit, and that per byte of
/// a large record. Many may name one text.
static constexpr uint64_t UsualText = 1 << 28, TextOfByte = 32;

/// A chunk's payload; whatever is read is checked to be in it.
struct Record::Payload {
  const char *Data;
  uint64_t Bytes;

  template <class T>
  bool get(uint64_t Offset, T &To, uint64_t Count = 1) const {
    if (Offset > Bytes || Count > (Bytes - Offset) / sizeof(T))
      return false;
    memcpy(static_cast<void *>(&To), Data + Offset, Count * sizeof(T));
    return true;
  }
  bool get(Text T, std::string &To) const {
    if (T.Offset > Bytes || T.Length > Bytes - T.Offset)
      return false;
    To.assign(Data + T.Offset, T.Length);
    return true;
  }
  /// A name, which is one line.
  bool getName(Text T, std::string &To) const {
    std::string Raw;
    if (!get(T, Raw))
      return false;
    To.clear();
    for (const char C : Raw)
      if (C == '\n' || C == '\r')
        To += C == '\n' ? "\\x0a" : "\\x0d";
      else
        To += C;
    return true;
  }
};

Error Record::read(const std::string &Path) {
  std::string Data;
  if (auto Wrong = output::readGiven(Path, MostBytes, Data))
    return createStringError(
        "cannot be read: " + *Wrong +
        "; name a file that a program compiled with graupel-stride.cfg wrote");
  if (Error E = readHeader(Data))
    return E;
  if (Error E = readChunks(Data))
    return E;
  if (!hasValidNumbers())
    return createStringError(
        "is damaged: it refers to what it does not have; record it again");
  if (!estimate(*this))
    return createStringError("is damaged: its bursts are not those of its "
                             "threads; record it again");
  return Error::success();
}

Error Record::readHeader(const std::string &Data) {
  if (Data.size() < sizeof(RecordMagic) ||
      memcmp(Data.data(), RecordMagic, sizeof(RecordMagic)) != 0)
    return createStringError(
        "is not a record of memory accesses; name a .gstride file");
  if (Data.size() < HeaderBytes)
    return createStringError("is truncated; record it again");
  memcpy(&Header, Data.data(), sizeof(Header));
  if (Header.Version != RecordVersion)
    return createStringError(
        "has version " + std::to_string(Header.Version) + ", not " +
        std::to_string(RecordVersion) +
        "; use the graupel that belongs to the program's runtime");
  if (Header.Checksum != checksum(&Header, offsetof(RecordHeader, Checksum)))
    return createStringError("is damaged in its header; record it again");
  if (Header.Used < HeaderBytes || Header.Used > Data.size())
    return createStringError("is truncated: " + std::to_string(Data.size()) +
                             " bytes of " + std::to_string(Header.Used) +
                             "; record it again");
  Payload P{Data.data(), HeaderBytes};
  if (Header.MaxLag == 0 || Header.MaxLag > 4096 ||
      !P.getName(Header.Program, Program) ||
      !P.get(Header.CommandLine, CommandLine) ||
      !P.get(Header.Selection, Selection))
    return createStringError("is damaged in its header; record it again");
  return Error::success();
}

Error Record::readChunks(const std::string &Data) {
  TextLeft = UsualText + TextOfByte * Data.size();
  for (uint64_t At = HeaderBytes; At < Header.Used;) {
    auto Damaged = [&] {
      return createStringError("is damaged at byte " + std::to_string(At) +
                               "; record it again");
    };
    ChunkHeader Chunk;
    if (Header.Used - At < sizeof(Chunk))
      return Damaged();
    memcpy(&Chunk, Data.data() + At, sizeof(Chunk));
    if (Chunk.Bytes > Header.Used - At - sizeof(Chunk))
      return Damaged();
    Payload P{Data.data() + At + sizeof(Chunk), Chunk.Bytes};
    if (Chunk.Committed == ChunkCommitted) {
      if (!Chunk.Live && Chunk.Checksum != checksum(P.Data, P.Bytes))
        return Damaged();
      if (!readChunk(Chunk.Kind, At, P))
        return Damaged();
    }
    At = nextChunk(At, Chunk.Bytes);
  }
  return Error::success();
}

bool Record::readChunk(ChunkKind Kind, uint64_t At, const Payload &P) {
  auto Append = [&](auto &List) {
    List.emplace_back();
    return P.get(0, List.back());
  };
  switch (Kind) {
  case ChunkKind::Module: {
    ModuleRecord R;
    Modules.emplace_back();
    Module &M = Modules.back();
    if (!P.get(0, R) || !P.get(R.Path, M.Path) || !P.get(R.BuildId, M.BuildId))
      return false;
    M.Base = R.Base;
    M.Begin = R.Begin;
    M.End = R.End;
    return true;
  }
  case ChunkKind::Sites:
    return readSites(P);
  case ChunkKind::Loops:
    return readLoops(P);
  case ChunkKind::Object:
    return readObject(P);
  case ChunkKind::Thread:
    return Append(Threads);
  case ChunkKind::Share:
    return readShare(At, P);
  case ChunkKind::Row:
    return readRow(P);
  case ChunkKind::Tuples:
    return readTuples(P);
  case ChunkKind::Bins:
    return readBins(P);
  case ChunkKind::Wide:
    return readWide(P);
  case ChunkKind::LoopCounts:
    return Append(LoopExecutions);
  case ChunkKind::Bulk:
    return Append(Bulk);
  case ChunkKind::Bursts:
    return Append(Bursts);
  case ChunkKind::HeapCounts: {
    HeapCounts C;
    if (!P.get(0, C) || C.Object >= Objects.size())
      return false;
    Objects[C.Object].Blocks += C.Blocks;
    Objects[C.Object].BlockBytes += C.Bytes;
    Objects[C.Object].Allocator = C.Allocator;
    return true;
  }
  case ChunkKind::Offset:
    return Append(Offsets);
  case PagesChunk:
    return Append(Pages);
  case HomesChunk:
    return Append(Homes);
  default:
    return readCaches(static_cast<CacheChunk>(Kind), P);
  }
}

bool Record::readCaches(CacheChunk Kind, const Payload &P) {
  auto Append = [&](auto &List) {
    List.emplace_back();
    return Caches.LevelCount && P.get(0, List.back());
  };
  switch (Kind) {
  case CacheChunk::Caches:
    if (!P.get(0, Caches) || Caches.LevelCount < 1 ||
        Caches.LevelCount > MaxCacheLevels || Caches.ReuseShift > 31 ||
        Caches.DetailShift > 31)
      return false;
    for (unsigned N = 0; N < Caches.LevelCount; ++N) {
      const CacheLevelRecord &L = Caches.Levels[N];
      if (L.Name[sizeof(L.Name) - 1] || !L.Ways || !L.LineBytes ||
          L.SampleShift > 31)
        return false;
    }
    return true;
  case CacheChunk::Counts:
    return Append(CacheShares);
  case CacheChunk::Conflict:
    return Append(CacheConflicts);
  case CacheChunk::Sharing:
    return Append(CacheSharing);
  }
  return true;
}

/// Reads the names of a site or a loop.
template <class T> bool Record::readNames(const Payload &P, T &To) {
  const auto &F = To.Facts;
  const uint64_t Length =
      uint64_t(F.Function.Length) + F.Within.Length + F.File.Length;
  if (Length > TextLeft)
    return false;
  TextLeft -= Length;
  return P.getName(F.Function, To.Function) && P.getName(F.Within, To.Within) &&
         P.getName(F.File, To.File);
}

bool Record::readSites(const Payload &P) {
  TableRecord Table;
  if (!P.get(0, Table) || Table.First != Sites.size() ||
      Table.Count > P.Bytes / sizeof(SiteRecord))
    return false;
  for (uint32_t N = 0; N < Table.Count; ++N) {
    Sites.emplace_back();
    Site &S = Sites.back();
    S.Module = Table.Module;
    S.Index = N;
    if (!P.get(sizeof(Table) + N * sizeof(SiteRecord), S.Facts) ||
        !readNames(P, S) || S.Facts.Kind > SiteKind::BulkStore ||
        S.Facts.Lanes == 0 || S.Facts.ElementBytes == 0)
      return false;
  }
  return true;
}

bool Record::readLoops(const Payload &P) {
  TableRecord Table;
  if (!P.get(0, Table) || Table.First != Loops.size() ||
      Table.Count > P.Bytes / sizeof(LoopRecord) ||
      Table.Members > P.Bytes / sizeof(MemberRecord))
    return false;
  uint32_t Before = static_cast<uint32_t>(Members.size());
  for (uint32_t N = 0; N < Table.Count; ++N) {
    Loops.emplace_back();
    Loop &L = Loops.back();
    L.Module = Table.Module;
    L.Index = N;
    if (!P.get(sizeof(Table) + N * sizeof(LoopRecord), L.Facts) ||
        !readNames(P, L) || L.Facts.FirstMember > Table.Members ||
        L.Facts.MemberCount > Table.Members - L.Facts.FirstMember)
      return false;
    L.Facts.FirstMember += Before;
  }
  for (uint32_t N = 0; N < Table.Members; ++N) {
    Members.emplace_back();
    if (!P.get(sizeof(Table) + Table.Count * sizeof(LoopRecord) +
                   N * sizeof(MemberRecord),
               Members.back()))
      return false;
  }
  return true;
}

bool Record::readObject(const Payload &P) {
  Objects.emplace_back();
  DataObject &O = Objects.back();
  return P.get(0, O.Facts) && P.getName(O.Facts.Name, O.Name) &&
         O.Facts.Kind <= ObjectKind::Pages &&
         (O.Facts.Module == NoNumber || O.Facts.Module < Modules.size());
}

bool Record::readShare(uint64_t At, const Payload &P) {
  uint64_t Lags = Header.MaxLag;
  ShareAt[At] = Shares.size();
  Shares.emplace_back();
  ShareCounts &S = Shares.back();
  S.NoPredecessor.resize(Lags);
  S.NoPredecessorFiltered.resize(Lags);
  S.Lags.resize(Lags);
  if (!P.get(0, S.Facts) ||
      !P.get(sizeof(ShareRecord), S.NoPredecessor[0], Lags) ||
      !P.get(sizeof(ShareRecord) + 8 * Lags, S.NoPredecessorFiltered[0], Lags))
    return false;
  return addTuples(S, P, tuplesOfShare(Lags), ShareTuples);
}

/// The share whose chunk is there, or null.
ShareCounts *Record::shareOf(uint64_t At) {
  auto Found = ShareAt.find(At);
  return Found == ShareAt.end() ? nullptr : &Shares[Found->second];
}

bool Record::addBin(ShareCounts &S, unsigned Row, unsigned Bin,
                    uint64_t Count) {
  if (!Count)
    return true;
  if (Row / 2 >= S.Lags.size() || Bin >= Bins)
    return false;
  LagCounts &L = S.Lags[Row / 2];
  (Row & 1 ? L.OnlyAll : L.Filtered).add(Bin, Count);
  return true;
}

bool Record::addTuples(ShareCounts &S, const Payload &P, uint64_t At,
                       unsigned Count) {
  for (unsigned N = 0; N < Count; ++N) {
    TupleCount T;
    if (!P.get(At + N * sizeof(T), T))
      return false;
    if (!T.Count)
      continue;
    const unsigned Counted = T.Tuple >> TupleMetaShift & 15;
    if (S.Lags.size() > TupleLags)
      return false;
    for (unsigned Lag = 0; Lag < S.Lags.size(); ++Lag)
      if (!addBin(S, 2 * Lag + (Lag >= Counted), T.Tuple >> 8 * Lag & 255,
                  T.Count))
        return false;
  }
  return true;
}

bool Record::readTuples(const Payload &P) {
  uint64_t At;
  ShareCounts *S = P.get(0, At) ? shareOf(At) : nullptr;
  return S && addTuples(*S, P, offsetof(TuplesRecord, List), MoreTuples);
}

bool Record::readBins(const Payload &P) {
  BinsRecord R;
  ShareCounts *S = P.get(0, R) ? shareOf(R.Share) : nullptr;
  bool Good = S;
  for (unsigned N = 0; Good && N < MoreBins; ++N)
    Good = addBin(*S, R.Key[N] >> 8, R.Key[N] & 255, R.Count[N]);
  return Good;
}

bool Record::readWide(const Payload &P) {
  uint64_t At;
  ShareCounts *S = P.get(0, At) ? shareOf(At) : nullptr;
  if (!S)
    return false;
  for (unsigned Row = 0; Row < 2 * Header.MaxLag; ++Row) {
    uint16_t Count[Bins];
    if (Row == 1)
      continue;
    if (!P.get(sizeof(WideRecord) + wideRow(Row) * sizeof(Count), Count[0],
               Bins))
      return false;
    for (unsigned Bin = 0; Bin < Bins; ++Bin)
      addBin(*S, Row, Bin, Count[Bin]);
  }
  return true;
}

bool Record::readRow(const Payload &P) {
  DenseRow R;
  ShareCounts *S = P.get(0, R) ? shareOf(R.Share) : nullptr;
  if (!S || R.Lag == 0 || R.Lag > Header.MaxLag)
    return false;
  for (unsigned Bin = 0; Bin < Bins; ++Bin)
    addBin(*S, 2 * (R.Lag - 1) + (R.OnlyAll != 0), Bin, R.Count[Bin]);
  return true;
}

bool Record::checkCaches() const {
  auto IsSite = [&](uint32_t Number) {
    return Number < Sites.size() && Sites[Number].Facts.Kind <= SiteKind::Store;
  };
  auto IsObject = [&](uint32_t Number) { return Number < Objects.size(); };
  for (const CacheCounts &C : CacheShares)
    if (!IsSite(C.Site) || !IsObject(C.Object) || C.Thread >= Threads.size())
      return false;
  for (const ConflictCounts &C : CacheConflicts)
    if (C.Level >= Caches.LevelCount ||
        (C.Victim != NoNumber && !IsObject(C.Victim)) ||
        (C.Evictor != NoNumber && !IsObject(C.Evictor)))
      return false;
  for (const SharingCounts &C : CacheSharing)
    if (!IsSite(C.Writer) || !IsSite(C.Other) || !IsObject(C.Object) ||
        !IsObject(C.OtherObject))
      return false;
  return true;
}

bool Record::hasValidNumbers() const {
  for (const ShareCounts &S : Shares)
    if (S.Facts.Site >= Sites.size() || S.Facts.Object >= Objects.size() ||
        S.Facts.Thread >= Threads.size() ||
        Sites[S.Facts.Site].Facts.Kind > SiteKind::Store)
      return false;
  for (const BulkRecord &B : Bulk)
    if (B.Site >= Sites.size() || B.Object >= Objects.size())
      return false;
  for (const LoopCounts &L : LoopExecutions)
    if (L.Loop >= Loops.size())
      return false;
  for (const MemberRecord &M : Members)
    if (M.Site >= Sites.size())
      return false;
  if (!checkCaches())
    return false;
  for (const OffsetRecord &O : Offsets)
    if (O.Site >= Sites.size() || O.Object >= Objects.size())
      return false;
  for (const PagesRecord &P : Pages)
    if (P.Object >= Objects.size() || P.Thread >= Threads.size() ||
        P.Address % SpanBytes || P.Address >> 48)
      return false;
  for (const Site &S : Sites)
    if (S.Module >= Modules.size() ||
        (S.Facts.Loop != NoNumber && S.Facts.Loop >= Loops.size()))
      return false;
  for (const Loop &L : Loops)
    if (L.Module >= Modules.size() ||
        (L.Facts.Parent != NoNumber && L.Facts.Parent >= Loops.size()))
      return false;
  return true;
}

} // namespace graupel::stride
