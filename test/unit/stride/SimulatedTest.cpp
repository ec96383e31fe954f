//===- unit/stride/SimulatedTest.cpp - Records into simulated caches ------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random records of random sites, loops and nests go through random caches as
// the runtime sends them there. All that is counted must be what a plain
// simulation of the references, written down one by one, counts. Blocks of the
// heap change their owners meanwhile, and a second thread may come.
//
//===----------------------------------------------------------------------===//

#include "Simulated.h"
#include "../Random.h"
#include "Cache/Spec.h"
#include "HeapMap.h"
#include "PlainCaches.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

using namespace graupel::stride;
using Dice = graupel::test::Random;
using graupel::test::firstSeed;
using graupel::test::numSeeds;

namespace {

//===--- A program --------------------------------------------------------===//

/// Sites: some alone, one of lanes, and those of a loop and of three nests.
struct alignas(64) Tables {
  static constexpr unsigned Alone = 10, Gathers = 10, Masked = 11, Members = 12,
                            Others = 15, OfNests = 17, SiteCount = 25;
  static constexpr unsigned Lanes = 4, NestCount = 3;
  graupel_stride_site Sites[SiteCount];
  graupel_stride_loop Loops[1 + NestCount];
  graupel_stride_member List[Others - Members];
  /// Steps begin right behind the items that there are.
  struct Nest {
    graupel_stride_item Items[8];
    int64_t Steps[64];
  } Nests[NestCount];
};

template <class T> int32_t offsetOf(const void *From, const T *To) {
  return static_cast<int32_t>(reinterpret_cast<const char *>(To) -
                              static_cast<const char *>(From));
}

class Program {
public:
  explicit Program(Dice &D) : D(D), T(*new Tables{}) { // For good.
    constexpr uint32_t Sizes[] = {1, 2, 4, 8, 8, 8, 16, 32, 64, 3, 100, 200};
    for (unsigned N = 0; N < Tables::SiteCount; ++N) {
      graupel_stride_site &S = T.Sites[N];
      S.bytes = Sizes[D.below(std::size(Sizes) - (D.oneIn(3) ? 0 : 3))];
      S.lanes = N == Tables::Gathers || N == Tables::Masked ? Tables::Lanes : 1;
      S.kind = D.oneIn(2) ? GRAUPEL_STRIDE_LOAD : GRAUPEL_STRIDE_STORE;
      if (N >= Tables::Members && N < Tables::OfNests)
        S.loop = offsetOf(&S, &T.Loops[0]);
    }
    makeLoop();
    makeNest(0, {"(", "*", "*", "*", ")"});
    makeNest(1, {"(", "*", "(", "*", "*", ")", ")"});
    makeNest(2, {"(", "(", "?", "*", ")", ")", "*", ")"});
    graupel_stride_module M{GRAUPEL_STRIDE_ABI, 0,       T.Sites,
                            std::end(T.Sites),  T.Loops, std::end(T.Loops)};
    addTables(&M, Options{});
    First = rangeOfSite(reinterpret_cast<uint64_t>(T.Sites)).First;
  }

  struct Made {
    uint32_t Site; ///< Of all.
    uint64_t Address;
  };
  std::vector<uint64_t> Words;
  std::vector<size_t> Ends; ///< Of records, in Words.
  std::vector<Made> References;
  uint64_t Base = 0, Room = 0; ///< Of addresses.

  void clear() {
    Words.clear();
    Ends.clear();
    References.clear();
  }
  uint32_t bytes(uint32_t Site) const { return T.Sites[Site - First].bytes; }

  void execute() {
    switch (D.below(8)) {
    case 0:
      return gather();
    case 1:
      return loop();
    case 2:
      return nest(0);
    case 3:
      return nest(1);
    case 4:
      return nest(2);
    default:
      return some();
    }
  }
  /// Ends a loop that was left.
  void one() { reference(D.below(Tables::Alone), anywhere()); }

private:
  uint64_t anywhere() { return Base + D.below(D.oneIn(2) ? Room / 16 : Room); }
  int64_t step() {
    constexpr int64_t Steps[] = {0,  1,  4,  8,   8,   8,    16,   24,
                                 64, -8, -4, -64, 512, 1024, -512, 4096};
    return Steps[D.below(std::size(Steps))];
  }
  void made(unsigned Site, uint64_t Address) {
    References.push_back({First + Site, Address});
  }
  void record(std::initializer_list<uint64_t> Each) {
    Words.insert(Words.end(), Each);
    Ends.push_back(Words.size());
  }
  uint64_t entry(const void *E, unsigned Tag) {
    return reinterpret_cast<uint64_t>(E) + Tag;
  }
  void reference(unsigned Site, uint64_t Address) {
    record({entry(&T.Sites[Site], GRAUPEL_STRIDE_RECORD_REFERENCE), Address});
    made(Site, Address);
  }

  /// A few sites take turns, walking or jumping.
  void some() {
    const unsigned Sites = 1 + D.below(3), Which = D.below(Tables::Alone - 3);
    uint64_t At[3] = {anywhere(), anywhere(), anywhere()};
    const int64_t Steps[3] = {step(), step(), step()};
    for (uint64_t N = D.below(200); N; --N) {
      const unsigned Each = N % Sites;
      if (D.oneIn(20))
        At[Each] = anywhere();
      reference(Which + Each, At[Each]);
      At[Each] += static_cast<uint64_t>(Steps[Each]);
    }
  }

  void gather() {
    const bool IsMasked = D.oneIn(2);
    const unsigned Site = IsMasked ? Tables::Masked : Tables::Gathers;
    const uint64_t Mask = D.below(1 << Tables::Lanes), At = anywhere();
    if (IsMasked) {
      record(
          {entry(&T.Sites[Site], GRAUPEL_STRIDE_RECORD_MASKED), At, Mask, 0});
      for (unsigned Lane = 0; Lane < Tables::Lanes; ++Lane)
        if (Mask >> Lane & 1)
          made(Site, At + Lane * T.Sites[Site].bytes);
      return;
    }
    uint64_t To[Tables::Lanes];
    for (uint64_t &Each : To)
      Each = anywhere();
    static_assert(Tables::Lanes == 4);
    record({entry(&T.Sites[Site], GRAUPEL_STRIDE_RECORD_LANES), Mask, To[0],
            To[1], To[2], To[3]});
    for (unsigned Lane = 0; Lane < Tables::Lanes; ++Lane)
      if (Mask >> Lane & 1)
        made(Site, To[Lane]);
  }

  /// Members at 0, 2 and 4 of an iteration; others at 1 and 3.
  static constexpr unsigned MemberCount = Tables::Others - Tables::Members,
                            OtherCount = MemberCount - 1;
  static_assert(Tables::Others + OtherCount == Tables::OfNests);
  void makeLoop() {
    graupel_stride_loop &L = T.Loops[0];
    L.members = offsetOf(&L, T.List);
    L.member_count = L.dynamic_steps = MemberCount;
    L.others = OtherCount;
    for (unsigned N = 0; N < MemberCount; ++N)
      T.List[N] = {offsetOf(&T.List[N], &T.Sites[Tables::Members + N]), 2 * N,
                   GRAUPEL_STRIDE_DYNAMIC};
  }
  void loop() {
    const uint64_t Iterations = 1 + D.below(60);
    uint64_t At[MemberCount];
    int64_t Steps[MemberCount];
    Words.push_back(entry(&T.Loops[0], GRAUPEL_STRIDE_RECORD_LOOP));
    Words.push_back(Iterations);
    for (uint64_t &Each : At)
      Words.push_back(Each = anywhere());
    for (int64_t &Each : Steps)
      Words.push_back(static_cast<uint64_t>(Each = step()));
    record({}); // Two and thrice two: no padding.
    static_assert(MemberCount == 3);
    const uint64_t All = Iterations * OtherCount;
    const uint64_t Some = D.oneIn(3) ? D.below(All + 1) : All;
    for (uint64_t N = 0; N < Some; ++N) {
      const uint64_t Iteration = N / OtherCount, Which = N % OtherCount;
      auto Member = [&](uint64_t M) {
        made(Tables::Members + M,
             At[M] + Iteration * static_cast<uint64_t>(Steps[M]));
      };
      Member(Which);
      reference(Tables::Others + Which, anywhere());
      if (Which + 1 == OtherCount)
        Member(Which + 1);
    }
    if (Some < All)
      one();
  }

  /// "(": a loop until its ")"; "?": a guard; "*": a reference.
  void makeNest(unsigned Which, std::vector<const char *> Text) {
    Tables::Nest &To = T.Nests[Which];
    std::vector<graupel_stride_item> Items;
    std::vector<unsigned> Open;
    unsigned Bases = 0, Steps = 0;
    for (const char *Each : Text) {
      if (*Each == ')') {
        Items[Open.back()].inside =
            static_cast<uint32_t>(Items.size()) - Open.back() - 1;
        Open.pop_back();
        continue;
      }
      graupel_stride_item I{};
      I.level = static_cast<uint16_t>(Open.size());
      I.kind = *Each == '*'   ? GRAUPEL_STRIDE_NEST_REFERENCE
               : *Each == '(' ? GRAUPEL_STRIDE_NEST_LOOP
                              : GRAUPEL_STRIDE_NEST_GUARD;
      if (*Each == '*') {
        I.base = Bases++;
        I.offset = 16;
        Steps += I.level;
      } else {
        Open.push_back(static_cast<unsigned>(Items.size()));
      }
      Items.push_back(I);
    }
    graupel_stride_loop &L = T.Loops[1 + Which];
    L.items = static_cast<uint32_t>(Items.size());
    L.dynamic_steps = Steps;
    L.nest = offsetOf(&L, &To);
    for (size_t N = 0; N < Items.size(); ++N) {
      if (Items[N].kind == GRAUPEL_STRIDE_NEST_REFERENCE)
        Items[N].entry = offsetOf(&To.Items[N], &T.Sites[NextOfNests++]);
      else if (Items[N].kind == GRAUPEL_STRIDE_NEST_LOOP)
        Items[N].entry = offsetOf(&To.Items[N], &L);
      To.Items[N] = Items[N];
    }
    auto *Behind = reinterpret_cast<int64_t *>(&To.Items[Items.size()]);
    std::fill_n(Behind, Steps, GRAUPEL_STRIDE_DYNAMIC);
    ItemsOf[Which] = Items;
  }

  void nest(unsigned Which) {
    const std::vector<graupel_stride_item> &Items = ItemsOf[Which];
    const size_t Start = Words.size();
    Words.push_back(entry(&T.Loops[1 + Which], GRAUPEL_STRIDE_RECORD_LOOP));
    std::vector<uint64_t> Of(Items.size());
    for (size_t N = 0; N < Items.size(); ++N)
      if (Items[N].kind == GRAUPEL_STRIDE_NEST_GUARD)
        Words.push_back(Of[N] = D.below(2));
      else if (Items[N].kind == GRAUPEL_STRIDE_NEST_LOOP)
        Words.push_back(Of[N] =
                            N ? D.below(12) : 1 + D.below(Which ? 12 : 100));
    const uint64_t Near = anywhere();
    for (size_t N = 0; N < Items.size(); ++N)
      if (Items[N].kind == GRAUPEL_STRIDE_NEST_REFERENCE)
        Words.push_back(Of[N] = D.oneIn(2) ? anywhere() : Near + 8 * N);
    std::vector<std::vector<int64_t>> Steps(Items.size());
    const int64_t Same = step();
    for (size_t N = 0; N < Items.size(); ++N)
      if (Items[N].kind == GRAUPEL_STRIDE_NEST_REFERENCE)
        for (unsigned Level = 0; Level < Items[N].level; ++Level) {
          Steps[N].push_back(D.oneIn(2) ? Same : step());
          Words.push_back(static_cast<uint64_t>(Steps[N].back()));
        }
    if ((Words.size() - Start) % 2)
      Words.push_back(0);
    Ends.push_back(Words.size());
    std::vector<uint64_t> Counters;
    body(Items, Of, Steps, 0, Items.size(), Counters);
  }
  void body(const std::vector<graupel_stride_item> &Items,
            const std::vector<uint64_t> &Of,
            const std::vector<std::vector<int64_t>> &Steps, size_t From,
            size_t To, std::vector<uint64_t> &Counters) {
    for (size_t N = From; N < To; N += 1 + Items[N].inside) {
      if (Items[N].kind == GRAUPEL_STRIDE_NEST_REFERENCE) {
        uint64_t At = Of[N] + static_cast<uint64_t>(Items[N].offset);
        for (size_t Level = 0; Level < Counters.size(); ++Level)
          At += Counters[Level] * static_cast<uint64_t>(Steps[N][Level]);
        auto *Site = reinterpret_cast<const graupel_stride_site *>(
            reinterpret_cast<const char *>(itemAt(Items, N)) + Items[N].entry);
        made(static_cast<unsigned>(Site - T.Sites), At);
        continue;
      }
      for (uint64_t I = 0; I < Of[N]; ++I) {
        Counters.push_back(I);
        body(Items, Of, Steps, N + 1, N + 1 + Items[N].inside, Counters);
        Counters.pop_back();
      }
    }
  }
  const graupel_stride_item *
  itemAt(const std::vector<graupel_stride_item> &Items, size_t N) const {
    return &T.Nests[&Items - ItemsOf].Items[N];
  }

  Dice &D;
  Tables &T;
  uint32_t First;
  unsigned NextOfNests = Tables::OfNests;
  std::vector<graupel_stride_item> ItemsOf[Tables::NestCount];
};

//===--- What is counted --------------------------------------------------===//

/// Blocks of the heap side by side, whose owners change.
class Heap {
public:
  Heap(Dice &D, uint64_t Base) : D(D), End(Base) {
    for (Object *&Each : Owners)
      Each = heapObject(0x1000 + 16 * static_cast<uint64_t>(&Each - Owners));
    constexpr uint64_t Sizes[] = {48, 160, 1024, 4096, 9008, 20000, 70000};
    for (unsigned N = 2 + D.below(8); N; --N) {
      const uint64_t Begin = End;
      End += Sizes[D.below(std::size(Sizes))];
      if (N == 1)
        End = (End | (heap::Page - 1)) + 1;
      Blocks.push_back({Begin, End, nullptr});
      change(Blocks.back());
    }
    // Loops go farther than where they begin.
    constexpr uint64_t Far = 1 << 21;
    for (uint64_t At = Base - Far; At < End + Far; At += heap::Page)
      heap::insertPage(At, Elsewhere);
  }
  uint64_t end() const { return End; }
  void changeOne() { change(Blocks[D.below(Blocks.size())]); }
  Object *find(uint64_t Address) const {
    for (const Block &B : Blocks)
      if (Address >= B.Begin && Address < B.End)
        return B.Of;
    return Elsewhere;
  }

  /// Those that are in the record.
  std::map<uint32_t, const Object *> byNumber() const {
    std::map<uint32_t, const Object *> All;
    for (const Object *Each : Owners)
      All[Each->Number] = Each;
    All[Elsewhere->Number] = Elsewhere;
    return All;
  }

private:
  struct Block {
    uint64_t Begin, End;
    Object *Of;
  };
  void change(Block &B) {
    B.Of = Owners[D.below(std::size(Owners))];
    heap::insert(B.Begin, B.End - B.Begin, B.Of);
  }

  Dice &D;
  uint64_t End;
  Object *const Elsewhere = knownVariable(ObjectKind::Pages, "[elsewhere]");
  Object *Owners[4];
  std::vector<Block> Blocks;
};

/// Levels, maybe a TLB, as users write them.
std::string randomCaches(Dice &D) {
  struct Kind {
    unsigned Lines;
    const char *Ways;
  };
  constexpr Kind Kinds[] = {{1, "1"},    {2, "full"}, {4, "full"},   {8, "2"},
                            {16, "1"},   {32, "4"},   {36, "12"},    {48, "4"},
                            {40, "20"},  {64, "16"},  {128, "full"}, {128, "8"},
                            {192, "64"}, {512, "8"},  {24, "full"}};
  constexpr unsigned Lines[] = {64, 64, 64, 64, 8, 32, 128, 512};
  const unsigned Line = Lines[D.below(std::size(Lines))];
  std::string Text;
  unsigned Least = 0;
  for (unsigned N = 1 + D.below(3), Level = 1; N; --N, ++Level) {
    Kind K;
    do
      K = Kinds[D.below(std::size(Kinds))];
    while (K.Lines < Least);
    Least = K.Lines;
    Text += (Text.empty() ? "L" : "/L") + std::to_string(Level) + ":" +
            std::to_string(K.Lines * Line) + ":" + K.Ways + ":" +
            std::to_string(Line) + (D.oneIn(3) ? ":random" : "");
  }
  constexpr const char *Tlbs[] = {"",           "/tlb:1:1:",  "/tlb:2:1:",
                                  "/tlb:8:2:",  "/tlb:6:2:",  "/tlb:16:full:",
                                  "/tlb:12:4:", "/tlb:64:4:", "/tlb:3:full:"};
  std::string Tlb = Tlbs[D.below(std::size(Tlbs))];
  return Text + Tlb + (Tlb.empty() ? "" : D.oneIn(2) ? "512" : "4K");
}

/// Of the record so far.
void readCounts(RecordFile &File, AllNumbers &Counts, AllPairs &Pairs,
                const std::map<uint32_t, const Object *> &ByNumber) {
  auto *Base = reinterpret_cast<const char *>(&File.header());
  for (uint64_t At = HeaderBytes; At < File.header().Used;) {
    auto *Head = reinterpret_cast<const ChunkHeader *>(Base + At);
    if (Head->Kind == static_cast<ChunkKind>(CacheChunk::Counts)) {
      auto *C = reinterpret_cast<const CacheCounts *>(Head + 1);
      Numbers N;
      memcpy(N.data(), C->Levels, sizeof(N));
      EXPECT_TRUE(
          Counts.insert({{C->Site, ByNumber.at(C->Object), C->Thread}, N})
              .second);
    } else if (Head->Kind == static_cast<ChunkKind>(CacheChunk::Conflict)) {
      auto *C = reinterpret_cast<const ConflictCounts *>(Head + 1);
      Pairs[{C->Level, ByNumber.at(C->Victim), ByNumber.at(C->Evictor)}] +=
          C->Misses;
    }
    At = nextChunk(At, Head->Bytes);
  }
}

void compare(const AllNumbers &Found, const AllNumbers &Wanted) {
  AllNumbers Both = Found;
  Both.insert(Wanted.begin(), Wanted.end());
  for (const auto &[Key, Unused] : Both) {
    const auto F = Found.find(Key), W = Wanted.find(Key);
    const Numbers Had = F == Found.end() ? Numbers{} : F->second;
    const Numbers Should = W == Wanted.end() ? Numbers{} : W->second;
    for (size_t N = 0; N < Had.size(); ++N)
      EXPECT_EQ(Had[N], Should[N])
          << "site " << std::get<0>(Key) << ", thread " << std::get<2>(Key)
          << ", object " << std::get<1>(Key) << ", word " << N;
  }
}

void run(uint64_t Seed) {
  Dice D(Seed);
  const std::string Text = randomCaches(D);
  CachesRecord Spec;
  ASSERT_EQ(parseCaches(Text.c_str(), Spec, D.oneIn(2)), nullptr) << Text;
  SCOPED_TRACE(Text);
  const std::string Path = ::testing::TempDir() + "simulated." +
                           std::to_string(getpid()) + ".gstride";
  static RecordFile File;
  ASSERT_TRUE(File.create(Path.c_str()));
  forgetNumbers();

  // No other seed's.
  const uint64_t Base = (uint64_t(1) << 42) + (Seed << 24);
  Program P(D);
  Heap H(D, Base);
  P.Base = Base;
  P.Room = D.oneIn(2) ? 4096 : H.end() - Base;
  auto &All = *make<Caches>(File, Spec);
  PlainShared Right(Spec);
  std::vector<Simulated *> Threads;
  std::vector<std::unique_ptr<PlainCore>> RightThreads;
  auto Begin = [&] {
    const auto Number = static_cast<uint32_t>(Threads.size());
    Threads.push_back(make<Simulated>(All, Number, 0, 0, false));
    RightThreads.push_back(std::make_unique<PlainCore>(Right, Number));
  };
  Begin();
  const bool HasSecond = D.oneIn(3);
  for (unsigned Part = 0; Part < 12; ++Part) {
    if (HasSecond && Part == 4)
      Begin();
    const size_t Which = D.below(Threads.size());
    P.clear();
    for (unsigned N = 1 + D.below(12); N; --N)
      P.execute();
    // Buffers end anywhere.
    size_t From = 0;
    for (size_t End : P.Ends)
      if (End == P.Words.size() || D.oneIn(100)) {
        Threads[Which]->drain(&P.Words[0] + From, &P.Words[0] + End);
        From = End;
      }
    for (const Program::Made &R : P.References)
      RightThreads[Which]->refer(R.Site, R.Address, P.bytes(R.Site),
                                 H.find(R.Address));
    if (D.oneIn(2))
      H.changeOne();
  }
  All.finish();
  for (auto &Each : RightThreads)
    Each->finish();

  AllNumbers Counts;
  AllPairs Pairs;
  readCounts(File, Counts, Pairs, H.byNumber());
  compare(Counts, Right.Counts);
  EXPECT_EQ(Pairs, Right.Pairs);
  File.end(RecordState::Ended, 1);
  File.abandon();
  remove(Path.c_str());
}

TEST(Simulated, AsPlainCaches) {
  const uint64_t First = firstSeed();
  for (uint64_t Seed = First; Seed <= First + numSeeds() / 2; ++Seed) {
    SCOPED_TRACE("GRAUPEL_TEST_SEED=" + std::to_string(Seed));
    run(Seed);
    if (::testing::Test::HasFailure())
      return;
  }
}

} // namespace
