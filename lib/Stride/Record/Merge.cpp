//===- Stride/Record/Merge.cpp - Records of several processes -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Record::append adds the record of another process of the same program:
//
// 1. Refuse records with another maxel, threshold or pass-equal, or other
//    caches.
// 2. Numbers finds sites and loops that are known already: those with the same
//    place in the table of the same module. A module is the same in two
//    processes if path and build-id are, and its tables are then the same,
//    entry by entry. New sites and loops are appended.
// 3. Correct the numbers in new sites and loops, and append the members of new
//    loops.
// 4. Append all modules, threads and objects. Objects stay apart here:
//    Objects.h knows which are one.
// 5. Append all counts, with the new numbers of sites and loops and shifted
//    ones of objects and threads.
// 6. The sum counts as running if one of its processes was.
//
//===----------------------------------------------------------------------===//

#include "Record.h"
#include <cstring>
#include <tuple>

using llvm::createStringError;
using llvm::Error;

namespace graupel::stride {

namespace {

using Identity = std::tuple<std::string, std::string, uint32_t>;

/// Numbers of entries by what they are in any process.
class Numbers {
public:
  template <class T> Numbers(const Record &R, const std::vector<T> &List) {
    for (uint32_t N = 0; N < List.size(); ++N)
      Known.try_emplace(identify(R, List[N]), N);
  }
  /// The entry's number in the list, to which it is added if it is new.
  template <class T>
  uint32_t place(const Record &From, const T &Entry, std::vector<T> &List,
                 bool &New) {
    auto [It, Added] = Known.try_emplace(identify(From, Entry),
                                         static_cast<uint32_t>(List.size()));
    if (Added)
      List.push_back(Entry);
    New = Added;
    return It->second;
  }

private:
  template <class T> static Identity identify(const Record &R, const T &Entry) {
    const Module &M = R.Modules[Entry.Module];
    return {M.Path, M.BuildId, Entry.Index};
  }
  std::map<Identity, uint32_t> Known;
};

} // namespace

void Record::appendCaches(const Record &From,
                          const std::vector<uint32_t> &SiteOf,
                          uint32_t FirstObject, uint32_t FirstThread) {
  for (CacheCounts C : From.CacheShares) {
    C.Site = SiteOf[C.Site];
    C.Object += FirstObject;
    C.Thread += FirstThread;
    CacheShares.push_back(C);
  }
  auto Object = [&](uint32_t Number) {
    return Number == NoNumber ? NoNumber : Number + FirstObject;
  };
  for (ConflictCounts C : From.CacheConflicts) {
    C.Victim = Object(C.Victim);
    C.Evictor = Object(C.Evictor);
    CacheConflicts.push_back(C);
  }
  for (SharingCounts C : From.CacheSharing) {
    C.Object += FirstObject;
    C.OtherObject += FirstObject;
    C.Writer = SiteOf[C.Writer];
    C.Other = SiteOf[C.Other];
    CacheSharing.push_back(C);
  }
}

Error Record::append(const Record &From) {
  if (From.Header.MaxLag != Header.MaxLag ||
      From.Header.Threshold != Header.Threshold ||
      From.Header.PassEqual != Header.PassEqual)
    return createStringError(
        "was recorded with another maxel, threshold or pass-equal than the "
        "first file; show them one by one");
  if (memcmp(&From.Caches, &Caches, sizeof(Caches)) != 0)
    return createStringError(
        "was recorded with other caches than the first file; show them one "
        "by one");
  Numbers KnownSites(*this, Sites), KnownLoops(*this, Loops);
  std::vector<uint32_t> SiteOf, LoopOf;
  std::vector<bool> NewLoop, NewSite;
  bool New;
  for (const Loop &L : From.Loops) {
    LoopOf.push_back(KnownLoops.place(From, L, Loops, New));
    NewLoop.push_back(New);
  }
  for (const Site &S : From.Sites) {
    SiteOf.push_back(KnownSites.place(From, S, Sites, New));
    NewSite.push_back(New);
  }
  uint32_t FirstModule = static_cast<uint32_t>(Modules.size());
  uint32_t FirstObject = static_cast<uint32_t>(Objects.size());
  uint32_t FirstThread = static_cast<uint32_t>(Threads.size());
  for (size_t N = 0; N < From.Sites.size(); ++N)
    if (NewSite[N]) {
      Site &S = Sites[SiteOf[N]];
      S.Module += FirstModule;
      if (S.Facts.Loop != NoNumber)
        S.Facts.Loop = LoopOf[S.Facts.Loop];
    }
  for (size_t N = 0; N < From.Loops.size(); ++N)
    if (NewLoop[N]) {
      Loop &L = Loops[LoopOf[N]];
      L.Module += FirstModule;
      if (L.Facts.Parent != NoNumber)
        L.Facts.Parent = LoopOf[L.Facts.Parent];
      uint32_t First = L.Facts.FirstMember;
      L.Facts.FirstMember = static_cast<uint32_t>(Members.size());
      for (uint32_t M = 0; M < L.Facts.MemberCount; ++M) {
        Members.push_back(From.Members[First + M]);
        Members.back().Site = SiteOf[Members.back().Site];
      }
    }
  Modules.insert(Modules.end(), From.Modules.begin(), From.Modules.end());
  Threads.insert(Threads.end(), From.Threads.begin(), From.Threads.end());
  for (DataObject O : From.Objects) {
    if (O.Facts.Module != NoNumber)
      O.Facts.Module += FirstModule;
    Objects.push_back(std::move(O));
  }
  for (ShareCounts S : From.Shares) {
    S.Facts.Site = SiteOf[S.Facts.Site];
    S.Facts.Object += FirstObject;
    S.Facts.Thread += FirstThread;
    Shares.push_back(std::move(S));
  }
  for (LoopCounts L : From.LoopExecutions) {
    L.Loop = LoopOf[L.Loop];
    L.Thread += FirstThread;
    LoopExecutions.push_back(L);
  }
  for (BulkRecord B : From.Bulk) {
    B.Site = SiteOf[B.Site];
    B.Object += FirstObject;
    B.Thread += FirstThread;
    Bulk.push_back(B);
  }
  for (OffsetRecord O : From.Offsets) {
    O.Site = SiteOf[O.Site];
    O.Object += FirstObject;
    O.Thread += FirstThread;
    Offsets.push_back(O);
  }
  for (PagesRecord P : From.Pages) {
    P.Object += FirstObject;
    P.Thread += FirstThread;
    Pages.push_back(P);
  }
  for (HomesRecord H : From.Homes) {
    H.Thread += FirstThread;
    Homes.push_back(H);
  }
  appendCaches(From, SiteOf, FirstObject, FirstThread);
  for (BurstsRecord B : From.Bursts) {
    B.Thread += FirstThread;
    Bursts.push_back(B);
  }
  if (From.Header.State == RecordState::Running)
    Header.State = RecordState::Running;
  return Error::success();
}

} // namespace graupel::stride
