//===- stride/Tables.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers the sites and loops of all modules, and writes their tables into the
// record.
//
// 1. addTables checks a module's version and takes numbers for its sites and
//    loops. Readers take no lock: they see a module once it is complete.
// 2. addSites notes each site's variable, its loop, and whether it is selected.
// 3. addLoop lists a loop's members, and the places of its other records in an
//    iteration. addLoopSites lists the sites of these other records.
// 4. addNest does that for a nest. addTerms finds the levels that each term
//    depends on and a common period; finishShape numbers the words and steps of
//    the record; markVarying notes which loops have terms that depend on them.
// 5. rangeOfSite and rangeOfLoop find the module of a record's entry. An
//    unknown entry ends the program.
// 6. enterTables writes a chunk of sites and one of loops for each module that
//    the record does not have yet.
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "Modules.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <numeric>

namespace graupel::stride {

SiteInfo *Sites;
SiteFacts *Facts;
LoopInfo *Loops;

namespace {

/// A module's tables, and the first of their numbers.
struct Source {
  graupel_stride_module Tables;
  uint32_t FirstSite, FirstLoop;
  bool Entered;

  uint32_t sites() const {
    return static_cast<uint32_t>(Tables.sites_end - Tables.sites);
  }
  uint32_t loops() const {
    return static_cast<uint32_t>(Tables.loops_end - Tables.loops);
  }
};

Lock Mutex;
/// Readers take no lock: the entries they look for were added long before.
Source *List;
std::atomic<uint32_t> ListCount;
constexpr uint32_t MaxSources = 4096;
uint32_t SiteCount, LoopCount;

template <class Entry> const Entry *entryOf(const void *From, int32_t Offset) {
  return reinterpret_cast<const Entry *>(static_cast<const char *>(From) +
                                         Offset);
}

uint32_t numberIn(const Source &S, const graupel_stride_loop *L) {
  return S.FirstLoop + static_cast<uint32_t>(L - S.Tables.loops);
}

void addSites(const Source &S, const Options &O) {
  for (uint32_t N = 0; N < S.sites(); ++N) {
    const graupel_stride_site *E = S.Tables.sites + N;
    SiteInfo &Info = Sites[S.FirstSite + N];
    Info.Entry = E;
    Info.Variable = E->object_kind == GRAUPEL_STRIDE_BY_ADDRESS
                        ? nullptr
                        : textOf(E, E->object);
    Info.Loop = E->loop ? numberIn(S, entryOf<graupel_stride_loop>(E, E->loop))
                        : NoNumber;
    Info.Selected = O.selectsSite(E);
    Facts[S.FirstSite + N] = {E->bytes, E->kind == GRAUPEL_STRIDE_STORE};
  }
}

uint32_t siteIn(const Source &S, const void *From, int32_t Offset) {
  return S.FirstSite +
         static_cast<uint32_t>(entryOf<graupel_stride_site>(From, Offset) -
                               S.Tables.sites);
}

/// Lists the loop's members as the file has them; the loop is item `Loop`.
void listMembers(const NestShape &Shape, uint32_t Loop) {
  const NestItem &L = Shape.Items[Loop];
  LoopInfo &Info = Loops[L.Number];
  auto *Members =
      static_cast<MemberInfo *>(allocate((L.End - Loop) * sizeof(MemberInfo)));
  Info.Listed = Members;
  for (uint32_t N = Loop + 1; N < L.End; ++N) {
    const NestItem &Each = Shape.Items[N];
    if (Each.Kind == GRAUPEL_STRIDE_NEST_LOOP)
      N = Each.End - 1;
    else if (Each.Kind == GRAUPEL_STRIDE_NEST_REFERENCE)
      Members[Info.ListedCount] = {Each.Number, Info.ListedCount,
                                   Shape.Steps[Each.Step + L.Level]},
      ++Info.ListedCount;
  }
}

/// Finds the levels that each term depends on, and the period of all.
void addTerms(NestShape &Shape, const graupel_stride_loop *E) {
  auto *Levels =
      static_cast<uint32_t *>(allocate((E->terms + 1) * sizeof(uint32_t)));
  Shape.Terms = reinterpret_cast<const graupel_stride_term *>(Shape.Steps +
                                                              Shape.StepCount);
  Shape.TermCount = E->terms;
  Shape.TermLevels = Levels;
  uint64_t Period = 1;
  for (uint32_t N = 0; N < E->terms; ++N) {
    const graupel_stride_term &T = Shape.Terms[N];
    uint64_t Divisor = 1;
    switch (T.kind) {
    case GRAUPEL_STRIDE_TERM_CONSTANT:
    case GRAUPEL_STRIDE_TERM_WORD:
      break;
    case GRAUPEL_STRIDE_TERM_ITERATION:
      Levels[N] = 1u << T.a;
      break;
    case GRAUPEL_STRIDE_TERM_SELECT:
      Levels[N] = Levels[T.a] | Levels[T.b] | Levels[T.c];
      break;
    case GRAUPEL_STRIDE_TERM_TRUNCATE:
      if (T.bits <= 5)
        Divisor = uint64_t(1) << T.bits;
      [[fallthrough]];
    case GRAUPEL_STRIDE_TERM_ZERO_EXTEND:
    case GRAUPEL_STRIDE_TERM_SIGN_EXTEND:
    case GRAUPEL_STRIDE_TERM_NOT:
      Levels[N] = Levels[T.a];
      break;
    case GRAUPEL_STRIDE_TERM_DIVIDE:
      if (Shape.Terms[T.b].kind == GRAUPEL_STRIDE_TERM_CONSTANT &&
          Shape.Terms[T.b].value > 0)
        Divisor = static_cast<uint64_t>(Shape.Terms[T.b].value);
      [[fallthrough]];
    default:
      Levels[N] = Levels[T.a] | Levels[T.b];
    }
    constexpr uint64_t Most = 32;
    if (Levels[N] && std::lcm(Period, Divisor) <= Most)
      Period = std::lcm(Period, Divisor);
  }
  Shape.Period = static_cast<uint32_t>(Period);
}

/// Marks loops on whose iteration an item in them depends.
void markVarying(const NestShape &Shape, NestItem *Items) {
  auto LevelsOf = [&](const NestItem &I) {
    return I.Term ? Shape.TermLevels[I.Term - 1] : 0;
  };
  for (uint32_t N = 0; N < Shape.ItemCount; ++N) {
    NestItem &L = Items[N];
    if (L.refers())
      continue;
    L.IsSimple = true;
    uint32_t Ends[GRAUPEL_STRIDE_NEST_LEVELS], Depth = 0;
    for (uint32_t K = N + 1; K < L.End; ++K) {
      const uint32_t TermLevels = LevelsOf(Items[K]);
      L.Varies |= TermLevels >> L.Level & 1;
      for (; Depth && Ends[Depth - 1] <= K; --Depth)
        ;
      if (Items[K].refers() || !(TermLevels >> L.Level))
        continue;
      L.IsSimple &= TermLevels >> L.Level == 1 && !Depth;
      if (Items[K].Kind == GRAUPEL_STRIDE_NEST_LOOP)
        Ends[Depth++] = Items[K].End;
    }
  }
}

/// Numbers the words and steps of items whose kind, level and end are known.
void finishShape(NestShape &Shape, NestItem *Items) {
  uint32_t Word = 1, Steps = 0;
  Shape.Items = Items;
  auto Each = [&](auto Do) {
    for (uint32_t N = 0; N < Shape.ItemCount; ++N)
      Do(Items[N], N);
  };
  Each([&](NestItem &I, uint32_t) {
    if (!I.refers() && !I.Term)
      I.Word = Word++;
  });
  Shape.Bases = Word;
  Each([&](NestItem &I, uint32_t) {
    if (!I.refers())
      return;
    I.Word += Shape.Bases;
    Word = std::max(Word, I.Word + 1);
    I.Step = Steps;
    Steps += I.Level;
  });
  Shape.Lengths = Word;
  Each([&](NestItem &I, uint32_t N) {
    if (I.Kind != GRAUPEL_STRIDE_NEST_BULK)
      return;
    I.Length = Word++;
    for (uint32_t Around = 0; Around < N; ++Around)
      Items[Around].HasBulk |= Items[Around].End > N;
  });
  Shape.DynamicSteps = Word;
  markVarying(Shape, Items);
  Shape.IsSingle = Items[0].Kind == GRAUPEL_STRIDE_NEST_LOOP;
  for (uint32_t N = 1; N < Shape.ItemCount; ++N)
    Shape.IsSingle &=
        Items[N].Kind == GRAUPEL_STRIDE_NEST_REFERENCE && !Items[N].Term;
}

void addNest(const Source &S, const graupel_stride_loop *E) {
  LoopInfo &Info = Loops[numberIn(S, E)];
  auto *From = entryOf<graupel_stride_item>(E, E->nest);
  auto *Items = static_cast<NestItem *>(allocate(E->items * sizeof(NestItem)));
  auto *Shape = make<NestShape>();
  Shape->ItemCount = E->items;
  Shape->Steps = reinterpret_cast<const int64_t *>(From + E->items);
  uint32_t Steps = 0;
  for (uint32_t N = 0; N < E->items; ++N) {
    const graupel_stride_item *I = From + N;
    Items[N].Kind = static_cast<uint8_t>(I->kind);
    Items[N].Level = static_cast<uint8_t>(I->level);
    Items[N].End = N + 1 + I->inside;
    if (Items[N].refers()) {
      Items[N].Number = siteIn(S, I, I->entry);
      Items[N].Word = I->base;
      Items[N].Offset = static_cast<uint64_t>(I->offset);
      Info.Selected |= Sites[Items[N].Number].Selected;
    } else if (I->entry) {
      Items[N].Number = numberIn(S, entryOf<graupel_stride_loop>(I, I->entry));
    }
    Items[N].Term = I->term;
    if (Items[N].refers())
      Steps += Items[N].Level;
  }
  Shape->StepCount = Steps;
  addTerms(*Shape, E);
  finishShape(*Shape, Items);
  Shape->TermWords = Shape->DynamicSteps + E->dynamic_steps;
  Shape->End = Shape->TermWords + E->term_words;
  Info.Nest = Shape;
  Info.Words = (Shape->End + 1) & ~1u;
  for (uint32_t N = 0; N < E->items; ++N)
    if (Items[N].Kind == GRAUPEL_STRIDE_NEST_LOOP)
      listMembers(*Shape, N);
}

void addLoop(const Source &S, const graupel_stride_loop *E) {
  LoopInfo &Info = Loops[numberIn(S, E)];
  Info.Entry = E;
  Info.MemberCount = E->member_count;
  Info.Others = E->others;
  Info.Words = (2 + E->member_count + E->dynamic_steps + 1) & ~1u;
  if (E->nest)
    return addNest(S, E);
  if (!E->member_count)
    return;
  auto *Members =
      static_cast<MemberInfo *>(allocate(E->member_count * sizeof(MemberInfo)));
  auto *Others =
      static_cast<uint32_t *>(allocate((E->others + 1) * sizeof(uint32_t)));
  Info.Members = Members;
  Info.OtherOrders = Others;
  uint32_t Order = 0;
  for (uint32_t N = 0; N < E->member_count; ++N) {
    const auto &M = entryOf<graupel_stride_member>(E, E->members)[N];
    Members[N] = {siteIn(S, &M, M.site), M.order, M.step};
    Sites[Members[N].Site].Member = true;
    Info.Selected |= Sites[Members[N].Site].Selected;
    for (; Order < M.order; ++Order)
      *Others++ = Order;
    ++Order;
  }
  uint32_t All = E->member_count + E->others;
  for (; Order < All; ++Order)
    *Others++ = Order;
  Info.Listed = Members;
  Info.ListedCount = E->member_count;
}

/// Calls Do(number, loop) for the sites of loops with members.
template <class Function> void eachLoopSite(const Source &S, Function Do) {
  for (uint32_t N = S.FirstSite; N < S.FirstSite + S.sites(); ++N)
    if (Sites[N].Loop != NoNumber && Loops[Sites[N].Loop].MemberCount)
      Do(N, Loops[Sites[N].Loop]);
}

/// Collects the sites of each loop.
void addLoopSites(const Source &S) {
  eachLoopSite(S, [](uint32_t Site, LoopInfo &L) {
    uint64_t Entry = reinterpret_cast<uint64_t>(Sites[Site].Entry);
    if (!L.Sites.Begin)
      L.Sites = {Entry, 0, Site};
    if (Entry == L.Sites.Begin + L.Sites.Bytes)
      L.Sites.Bytes += GRAUPEL_STRIDE_ENTRY_BYTES;
    else
      L.Sites.Bytes = 0; // And stays so.
  });
  // An iteration makes at least a record of each.
  eachLoopSite(S, [](uint32_t Site, LoopInfo &L) {
    if (!L.OtherSites)
      L.OtherSites =
          static_cast<uint32_t *>(allocate(L.Others * sizeof(uint32_t) + 1));
    if (!Sites[Site].Member)
      L.OtherSites[L.OtherSiteCount++] = Site;
  });
}

} // namespace

void addTables(const graupel_stride_module *M, const Options &O) {
  Guard G(Mutex);
  uint32_t Count = ListCount.load(std::memory_order_relaxed);
  if (!List) {
    List = static_cast<Source *>(reserve(MaxSources * sizeof(Source)));
    Sites = static_cast<SiteInfo *>(reserve(MaxSites * sizeof(SiteInfo)));
    Facts = static_cast<SiteFacts *>(reserve(MaxSites * sizeof(SiteFacts)));
    Loops = static_cast<LoopInfo *>(reserve(MaxLoops * sizeof(LoopInfo)));
  }
  for (uint32_t N = 0; N < Count; ++N)
    if (List[N].Tables.sites == M->sites)
      return;
  Source S{*M, SiteCount, LoopCount, false};
  if (M->abi != GRAUPEL_STRIDE_ABI || Count == MaxSources ||
      S.sites() > MaxSites - SiteCount || S.loops() > MaxLoops - LoopCount) {
    complain("%s; compile the program with this version's "
             "graupel-stride.cfg, or fewer files of it",
             M->abi != GRAUPEL_STRIDE_ABI
                 ? "the program was compiled for another version"
                 : "the program has too many loads and stores");
    die();
  }
  SiteCount += S.sites();
  LoopCount += S.loops();
  addSites(S, O);
  for (uint32_t N = 0; N < S.loops(); ++N)
    addLoop(S, S.Tables.loops + N);
  addLoopSites(S);
  List[Count] = S;
  ListCount.store(Count + 1, std::memory_order_release);
}

template <class Range>
static NumberRange rangeOf(uint64_t Entry, Range RangeOf) {
  uint32_t Count = ListCount.load(std::memory_order_acquire);
  for (uint32_t N = 0; N < Count; ++N)
    if (NumberRange Each = RangeOf(List[N]); Each.has(Entry))
      return Each;
  complain("the program writes records of code that it has not told of; "
           "compile all of it with the same version");
  die();
}

NumberRange rangeOfSite(uint64_t Entry) {
  return rangeOf(Entry, [](const Source &S) {
    return NumberRange{reinterpret_cast<uint64_t>(S.Tables.sites),
                       uint64_t(S.sites()) * GRAUPEL_STRIDE_ENTRY_BYTES,
                       S.FirstSite};
  });
}

NumberRange rangeOfLoop(uint64_t Entry) {
  return rangeOf(Entry, [](const Source &S) {
    return NumberRange{reinterpret_cast<uint64_t>(S.Tables.loops),
                       uint64_t(S.loops()) * GRAUPEL_STRIDE_ENTRY_BYTES,
                       S.FirstLoop};
  });
}

//===--- The record -------------------------------------------------------===//

namespace {

/// Text of a chunk; equal addresses are equal texts, mostly.
class TextPool {
public:
  explicit TextPool(uint64_t Start) : Next(Start) {}

  Text add(const char *String) {
    if (!*String)
      return {};
    uint64_t Key = reinterpret_cast<uint64_t>(String);
    if (Known *Found = Index.find(Key))
      return Found->Where;
    uint32_t Length = static_cast<uint32_t>(strlen(String));
    auto *New = make<Known>(Text{static_cast<uint32_t>(Next), Length}, String);
    Index.insert(Key, New);
    All.push(New);
    Next += Length;
    return New->Where;
  }
  uint64_t end() const { return Next; }
  void write(char *Payload) const {
    for (const Known *Each : All)
      memcpy(Payload + Each->Where.Offset, Each->String, Each->Where.Length);
  }

private:
  struct Known {
    Text Where;
    const char *String;
  };
  uint64_t Next;
  Table<Known> Index;
  Array<Known *> All;
};

/// Room for all texts of a table's entries.
template <class Entry>
void addTexts(TextPool &Pool, const Entry *List, uint32_t Count) {
  for (const Entry *E = List; E < List + Count; ++E)
    for (int32_t Each : {E->function, E->within, E->file})
      Pool.add(textOf(E, Each));
}

// Texts in the record need no memory of their own.
void enterSites(RecordFile &File, const Source &S, uint32_t Module) {
  uint32_t Count = S.sites();
  TextPool Pool(sizeof(TableRecord) + Count * sizeof(SiteRecord));
  addTexts(Pool, S.Tables.sites, Count);
  auto *Payload =
      static_cast<char *>(File.append(ChunkKind::Sites, Pool.end(), false));
  if (!Payload)
    return;
  *reinterpret_cast<TableRecord *>(Payload) = {Module, S.FirstSite, Count, 0};
  auto *List = reinterpret_cast<SiteRecord *>(Payload + sizeof(TableRecord));
  for (uint32_t N = 0; N < Count; ++N) {
    const graupel_stride_site *E = S.Tables.sites + N;
    List[N] = {Pool.add(textOf(E, E->function)),
               Pool.add(textOf(E, E->within)),
               Pool.add(textOf(E, E->file)),
               E->line,
               E->column,
               E->bytes,
               Sites[S.FirstSite + N].Loop,
               E->lanes,
               E->element_bytes,
               static_cast<SiteKind>(E->kind),
               static_cast<ElementType>(E->type),
               E->flags,
               0};
  }
  Pool.write(Payload);
  File.commit(Payload);
}

void enterLoops(RecordFile &File, const Source &S, uint32_t Module) {
  uint32_t Count = S.loops(), Members = 0;
  for (uint32_t N = 0; N < Count; ++N)
    Members += Loops[S.FirstLoop + N].ListedCount;
  uint64_t MembersAt = sizeof(TableRecord) + Count * sizeof(LoopRecord);
  TextPool Pool(MembersAt + Members * sizeof(MemberRecord));
  addTexts(Pool, S.Tables.loops, Count);
  auto *Payload =
      static_cast<char *>(File.append(ChunkKind::Loops, Pool.end(), false));
  if (!Payload)
    return;
  *reinterpret_cast<TableRecord *>(Payload) = {Module, S.FirstLoop, Count,
                                               Members};
  auto *List = reinterpret_cast<LoopRecord *>(Payload + sizeof(TableRecord));
  auto *Each = reinterpret_cast<MemberRecord *>(Payload + MembersAt);
  Members = 0;
  for (uint32_t N = 0; N < Count; ++N) {
    const graupel_stride_loop *E = S.Tables.loops + N;
    const LoopInfo &Info = Loops[S.FirstLoop + N];
    List[N] = {Pool.add(textOf(E, E->function)),
               Pool.add(textOf(E, E->within)),
               Pool.add(textOf(E, E->file)),
               E->line,
               E->column,
               E->parent
                   ? numberIn(S, entryOf<graupel_stride_loop>(E, E->parent))
                   : NoNumber,
               E->depth,
               Members,
               Info.ListedCount,
               E->others,
               0};
    for (uint32_t K = 0; K < Info.ListedCount; ++K) {
      const MemberInfo &M = Info.Listed[K];
      bool Constant = M.Step != GRAUPEL_STRIDE_DYNAMIC;
      Each[Members++] = {M.Site, M.Order, Constant ? M.Step : 0, Constant};
    }
  }
  Pool.write(Payload);
  File.commit(Payload);
}

} // namespace

void enterTables(RecordFile &File) {
  Guard G(Mutex);
  for (uint32_t N = 0; N < ListCount.load(std::memory_order_relaxed); ++N) {
    Source &S = List[N];
    if (S.Entered)
      continue;
    S.Entered = true;
    Module *M = findModule(reinterpret_cast<uint64_t>(S.Tables.sites));
    uint32_t Number = M ? enterModule(File, M) : NoNumber;
    enterSites(File, S, Number);
    enterLoops(File, S, Number);
  }
}

void forgetTables() {
  for (uint32_t N = 0; N < ListCount.load(std::memory_order_relaxed); ++N)
    List[N].Entered = false;
}

void lockTables(bool Take) { Take ? Mutex.lock() : Mutex.unlock(); }

} // namespace graupel::stride
