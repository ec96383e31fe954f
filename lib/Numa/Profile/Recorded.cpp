//===- Numa/Profile/Recorded.cpp - From a record to traffic ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// readRecorded turns a record, the slices seen while it was made and the faults
// into a profile:
//
// 1. numberThreads() numbers threads by creation, unknown ones last. Parts of
//    one sampled thread get one number.
// 2. addObjects() makes an object of each named one. placeOf() finds what a
//    placement file can call it: a symbol, a line that allocates nothing else,
//    or the address of the call.
// 3. addPages() adds the bytes of each thread on each page. The first toucher
//    is the thread of the earliest reference or, in a sample, the likely one
//    (firstOf). A fault goes before both.
// 4. addPhases() lets findPhases() split the slices. With two phases or more,
//    each gets its pages and, from the second on, the function that makes many
//    of its references but few of those before (functionOf).
// 5. build() adds the local and remote bytes of all threads.
//
//===----------------------------------------------------------------------===//

#include "Recorded.h"
#include "Numa/Plan/Phases.h"
#include "Numa/Resolve/Resolve.h"
#include "Stride/Record/Objects.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>

using namespace graupel::numa;
using namespace graupel;

namespace {

class Builder {
public:
  Builder(const stride::Record &R, const Faults *Seen, NumaProfile &To)
      : R(R), O(R), Seen(Seen), To(To) {}
  void build(const std::vector<Slice> &Slices);

private:
  using Pages = std::map<uint64_t, PageUse>;
  unsigned threadOf(uint32_t Recorded) const { return Numbers[Recorded]; }
  void numberThreads();
  void addObjects();
  void addPages();
  void addPhases(const std::vector<Slice> &Slices);
  std::optional<unsigned> faulted(uint64_t Address) const;
  std::optional<unsigned> firstOf(uint32_t Recorded) const;
  std::string placeOf(uint32_t Number, uint32_t Recorded) const;
  std::string functionOf(const Slice &Before, const Slice &After,
                         double Fewer) const;
  static void add(PageUse &P, unsigned Thread, uint64_t Loads, uint64_t Stores);

  const stride::Record &R;
  const stride::Objects O;
  const Faults *Seen;
  NumaProfile &To;
  std::vector<unsigned> Numbers;         ///< Threads' numbers, by the record's.
  std::map<uint64_t, unsigned> BySystem; ///< By the system's number.
  std::map<uint32_t, size_t> Index;      ///< Indices of objects, by O's number.
};

} // namespace

void Builder::add(PageUse &P, unsigned Thread, uint64_t Loads,
                  uint64_t Stores) {
  for (Use &U : P.By)
    if (U.Thread == Thread) {
      U.Loads += Loads;
      U.Stores += Stores;
      return;
    }
  P.By.push_back({Thread, Loads, Stores});
}

/// By creation; those of which nobody knows come last.
void Builder::numberThreads() {
  unsigned Count = 0;
  for (const stride::ThreadRecord &T : R.Threads)
    if (T.Created != stride::NoNumber)
      Count = std::max(Count, unsigned(T.Created) + 1);
  // A thread that is sampled is several of the record.
  std::map<uint64_t, unsigned> Others;
  for (const stride::ThreadRecord &T : R.Threads)
    if (T.Created != stride::NoNumber)
      Numbers.push_back(unsigned(T.Created));
    else
      Numbers.push_back(
          Others.try_emplace(T.System, Count + Others.size()).first->second);
  for (size_t N = 0; N < Numbers.size(); ++N)
    BySystem.try_emplace(R.Threads[N].System, Numbers[N]);
  Count += unsigned(Others.size());
  To.Observed.Threads = Count;
  To.ThreadBytes.resize(Count);
}

/// A line, if no other data is allocated there; else the call's address.
std::string Builder::placeOf(uint32_t Number, uint32_t Recorded) const {
  const stride::NamedObject &Named = O[Number];
  const stride::ObjectRecord &Facts = R.Objects[Recorded].Facts;
  if (Named.Kind == stride::ObjectKind::Global)
    return Named.Symbol;
  if (Named.Kind != stride::ObjectKind::Heap)
    return "";
  unsigned Same = 0;
  for (uint32_t N = 0; N < O.size(); ++N)
    Same += O[N].Allocation == Named.Allocation;
  if (!Named.Allocation.empty() && Same == 1)
    return Named.Allocation;
  if (Facts.Module == stride::NoNumber || !Facts.Offset)
    return "";
  const stride::Module &M = R.Modules[Facts.Module];
  std::string Id = M.BuildId.empty() ? M.Path.substr(M.Path.rfind('/') + 1)
                                     : llvm::toHex(llvm::StringRef(M.BuildId),
                                                   /*LowerCase=*/true);
  return "@" + Id + ":" + llvm::utohexstr(Facts.Offset - 1, true) + "-" +
         llvm::utohexstr(Facts.Offset, true);
}

void Builder::addObjects() {
  for (uint32_t N = 0; N < R.Objects.size(); ++N) {
    uint32_t Number = O.numberOf(N);
    auto [It, New] = Index.try_emplace(Number, To.Observed.Objects.size());
    To.ObjectOf.push_back(It->second);
    if (!New)
      continue;
    const stride::NamedObject &Named = O[Number];
    DataTraffic D;
    D.Storage = DataTraffic::Kind(Named.Kind);
    D.Name = Named.Name;
    D.Place = placeOf(Number, N);
    D.Bytes = Named.Bytes;
    D.Blocks = Named.Blocks;
    To.Observed.Objects.push_back(std::move(D));
  }
}

std::optional<unsigned> Builder::faulted(uint64_t Address) const {
  auto Thread = Seen ? Seen->firstOf(Address) : std::nullopt;
  auto Known = Thread ? BySystem.find(*Thread) : BySystem.end();
  return Known == BySystem.end() ? std::nullopt : std::optional(Known->second);
}

/// A sample seldom has the first reference to a page. Most blocks are filled by
/// who allocates them, and variables by the first thread.
std::optional<unsigned> Builder::firstOf(uint32_t Recorded) const {
  const stride::DataObject &D = R.Objects[Recorded];
  if (R.Bursts.empty())
    return std::nullopt;
  if (D.Facts.Kind == stride::ObjectKind::Global)
    return 0;
  if (D.Allocator == 0 || D.Allocator > To.Observed.Threads)
    return std::nullopt;
  return D.Allocator - 1;
}

void Builder::addPages() {
  std::vector<Pages> ByObject(To.Observed.Objects.size());
  std::vector<std::map<uint64_t, uint64_t>> FirstTime(ByObject.size());
  for (const stride::PagesRecord &S : R.Pages) {
    size_t Object = Index[O.numberOf(S.Object)];
    for (unsigned N = 0; N < stride::SpanPages; ++N) {
      const stride::PageCounts &C = S.Pages[N];
      uint64_t Address = S.Address + N * stride::PageBytes;
      if (!C.First)
        continue;
      PageUse &P = ByObject[Object][Address];
      P.Address = Address;
      unsigned Thread = threadOf(S.Thread);
      add(P, Thread, C.LoadBytes, C.StoreBytes);
      To.ThreadBytes[Thread] += C.LoadBytes + C.StoreBytes;
      uint64_t &Time = FirstTime[Object][Address];
      if (auto Likely = firstOf(S.Object)) {
        P.First = *Likely;
        Time = 1;
      }
      if (!Time || C.First < Time) {
        Time = C.First;
        P.First = Thread;
      }
      uint64_t Begin = S.Block & -stride::PageBytes;
      if (Address + stride::PageBytes > S.Block &&
          Address - Begin < S.BlockBytes)
        P.InBlock = (Address - Begin) / stride::PageBytes;
    }
  }
  for (size_t N = 0; N < ByObject.size(); ++N)
    for (auto &[Address, P] : ByObject[N]) {
      P.First = faulted(Address).value_or(P.First);
      To.Observed.Objects[N].Pages.push_back(std::move(P));
    }
}

/// The function that makes most references of those that made few before: at
/// most so many times less of all.
std::string Builder::functionOf(const Slice &Before, const Slice &After,
                                double Fewer) const {
  std::map<std::string, uint64_t> Old, New;
  uint64_t AllOld = 0, AllNew = 0;
  auto Count = [&](const Slice &S, auto &In, uint64_t &All) {
    for (auto [Site, References] : S.Sites) {
      if (Site >= R.Sites.size())
        continue;
      const stride::Site &At = R.Sites[Site];
      In[At.Within.empty() ? At.Function : At.Within] += References;
      All += References;
    }
  };
  Count(Before, Old, AllOld);
  Count(After, New, AllNew);
  std::string Best;
  uint64_t Most = 0;
  for (const auto &[Function, References] : New) {
    double Part = double(References) / double(AllNew);
    double Earlier = AllOld ? double(Old[Function]) / double(AllOld) : 0;
    if (References > Most && Part > 0.2 && Earlier < Part / Fewer) {
      Best = Function;
      Most = References;
    }
  }
  return Best;
}

void Builder::addPhases(const std::vector<Slice> &Slices) {
  std::vector<std::vector<SliceUse>> Uses;
  for (const Slice &S : Slices) {
    Uses.emplace_back();
    for (const SlicePage &P : S.Pages)
      if (P.Thread < Numbers.size())
        Uses.back().push_back(
            {P.Address, threadOf(P.Thread), P.Loads + P.Stores});
  }
  std::vector<size_t> PhaseOf = findPhases(Uses);
  size_t Count = PhaseOf.empty() ? 0 : PhaseOf.back() + 1;
  if (Count < 2)
    return;
  // The slice in which one phase follows the other has some of both; a phase
  // may be nothing else.
  std::vector<Slice> Whole(Count), Inner(Count);
  for (size_t N = 0; N < Slices.size(); ++N) {
    Whole[PhaseOf[N]].add(Slices[N]);
    if (N + 1 < Slices.size() && PhaseOf[N + 1] == PhaseOf[N])
      Inner[PhaseOf[N]].add(Slices[N]);
  }
  for (size_t N = 0; N < Count; ++N) {
    PhaseTraffic P;
    P.Begin = Whole[N].Begin;
    P.End = Whole[N].End;
    if (N)
      P.Function = Inner[N - 1].Sites.empty()
                       ? functionOf(Whole[N - 1], Whole[N], 2)
                       : functionOf(Inner[N - 1], Whole[N], 5);
    std::vector<Pages> ByObject(To.Observed.Objects.size());
    for (const SlicePage &S : Whole[N].Pages) {
      if (S.Object >= R.Objects.size() || S.Thread >= Numbers.size())
        continue;
      size_t Object = Index[O.numberOf(S.Object)];
      PageUse &Page = ByObject[Object][S.Address];
      Page.Address = S.Address;
      add(Page, threadOf(S.Thread), S.Loads, S.Stores);
    }
    for (size_t Object = 0; Object < ByObject.size(); ++Object) {
      P.Pages.emplace_back();
      for (const PageUse &All : To.Observed.Objects[Object].Pages)
        if (auto Found = ByObject[Object].find(All.Address);
            Found != ByObject[Object].end()) {
          Found->second.InBlock = All.InBlock;
          Found->second.First = All.First;
          P.Pages.back().push_back(std::move(Found->second));
        }
    }
    To.Observed.Phases.push_back(std::move(P));
  }
}

void Builder::build(const std::vector<Slice> &Slices) {
  To.Observed.Program = R.Program;
  To.Observed.ReadsCopies = readsCopies(R.Program);
  To.Selection = R.Selection;
  To.Observed.First = Seen && !Seen->lost() ? FirstTouch::Faults
                      : R.Bursts.empty()    ? FirstTouch::References
                                            : FirstTouch::Guessed;
  numberThreads();
  addObjects();
  addPages();
  addPhases(Slices);
  for (const stride::HomesRecord &H : R.Homes) {
    To.Was.Local += H.Local;
    To.Was.Remote += H.Remote;
    To.Was.Unknown += H.Unknown;
  }
}

std::optional<std::string>
graupel::numa::readRecorded(const std::string &File,
                            const std::vector<Slice> &Slices,
                            const Faults *Seen, NumaProfile &To) {
  stride::Record R;
  if (llvm::Error E = R.read(File))
    return File + ": " + toString(std::move(E));
  Builder(R, Seen, To).build(Slices);
  return std::nullopt;
}
