//===- unit/stride/PendingTest.cpp - Counting many at once ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// countPending, for each level of processors that this one has, and counting
// one by one must find what the published algorithm finds, written down word by
// word here. Addresses are random; so are how often what waits is counted,
// MAXEL and the threshold.
//
//===----------------------------------------------------------------------===//

#include "../Random.h"
#include "PendingCount.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using namespace graupel::stride;
using graupel::test::firstSeed;
using graupel::test::Random;

namespace {

/// What a share has in the record.
struct Counts {
  uint64_t References = 0, Forward = 0, Backward = 0;
  std::vector<uint64_t> NoPredecessor, NoPredecessorFiltered;
  /// By row (two a lag) and bin; those that are not 0.
  std::map<std::pair<unsigned, unsigned>, uint64_t> Rows;
  bool operator==(const Counts &) const = default;
};

std::ostream &operator<<(std::ostream &OS, const Counts &C) {
  OS << C.References << " references, " << C.Forward << " forward, "
     << C.Backward << " backward;";
  for (auto [Place, Count] : C.Rows)
    OS << " row " << Place.first << " bin " << Place.second << ": " << Count;
  return OS;
}

/// By site.
using AllCounts = std::map<uint32_t, Counts>;

template <class T> T at(const std::string &Data, uint64_t Offset) {
  T Value;
  memcpy(&Value, Data.data() + Offset, sizeof(T));
  return Value;
}

void addTuples(Counts &To, const std::string &Data, uint64_t From,
               unsigned Count, unsigned MaxLag) {
  for (unsigned N = 0; N < Count; ++N) {
    auto T = at<TupleCount>(Data, From + N * sizeof(TupleCount));
    const unsigned Filtered = T.Tuple >> 56 & 15;
    for (unsigned Lag = 0; T.Count && Lag < MaxLag; ++Lag)
      To.Rows[{2 * Lag + (Lag >= Filtered), T.Tuple >> 8 * Lag & 255}] +=
          T.Count;
  }
}

Counts readShare(const std::string &Data, uint64_t Payload, unsigned MaxLag) {
  Counts C;
  auto Head = at<ShareRecord>(Data, Payload);
  C.References = Head.References;
  C.Forward = Head.Forward;
  C.Backward = Head.Backward;
  for (unsigned Lag = 0; Lag < MaxLag; ++Lag) {
    uint64_t From = Payload + sizeof(ShareRecord) + Lag * 8;
    C.NoPredecessor.push_back(at<uint64_t>(Data, From));
    C.NoPredecessorFiltered.push_back(at<uint64_t>(Data, From + 8 * MaxLag));
  }
  addTuples(C, Data, Payload + tuplesOfShare(MaxLag), ShareTuples, MaxLag);
  return C;
}

/// A chunk of counts of a share that has been there before.
void addCounts(Counts &To, const std::string &Data, ChunkKind Kind,
               uint64_t Payload, unsigned MaxLag) {
  auto Add = [&](unsigned Row, unsigned Bin, uint64_t Count) {
    if (Count)
      To.Rows[{Row, Bin}] += Count;
  };
  if (Kind == ChunkKind::Tuples)
    addTuples(To, Data, Payload + 8, MoreTuples, MaxLag);
  if (Kind == ChunkKind::Bins) {
    auto R = at<BinsRecord>(Data, Payload);
    for (unsigned N = 0; N < MoreBins; ++N)
      Add(R.Key[N] / 256, R.Key[N] % 256, R.Count[N]);
  }
  if (Kind == ChunkKind::Wide)
    for (unsigned Row = 0, At = 0; Row < 2 * MaxLag; ++Row)
      for (unsigned Bin = 0; Row != 1 && Bin < Bins; ++Bin, ++At)
        Add(Row, Bin, at<uint16_t>(Data, Payload + 8 + 2 * At));
  if (Kind == ChunkKind::Row) {
    auto R = at<DenseRow>(Data, Payload);
    for (unsigned Bin = 0; Bin < Bins; ++Bin)
      Add(2 * (R.Lag - 1) + R.OnlyAll, Bin, R.Count[Bin]);
  }
}

AllCounts readRecord(const std::string &Path, unsigned MaxLag) {
  std::ifstream File(Path, std::ios::binary);
  std::string Data{std::istreambuf_iterator<char>(File), {}};
  uint64_t Used = at<RecordHeader>(Data, 0).Used;
  AllCounts Result;
  std::map<uint64_t, uint32_t> SiteOf;
  for (uint64_t At = HeaderBytes; At < Used;) {
    auto Head = at<ChunkHeader>(Data, At);
    uint64_t Payload = At + sizeof(ChunkHeader);
    EXPECT_EQ(Head.Committed, ChunkCommitted);
    if (Head.Kind == ChunkKind::Share) {
      SiteOf[At] = at<ShareRecord>(Data, Payload).Site;
      Result[SiteOf[At]] = readShare(Data, Payload, MaxLag);
    } else {
      addCounts(Result[SiteOf.at(at<uint64_t>(Data, Payload))], Data, Head.Kind,
                Payload, MaxLag);
    }
    At = nextChunk(At, Head.Bytes);
  }
  return Result;
}

/// The published algorithm, both variants.
class Expected {
public:
  Expected(const Counting &C) : C(C) {}
  void refer(uint32_t Site, uint64_t Address) {
    Counts &To = All[Site];
    To.NoPredecessor.resize(C.MaxLag);
    To.NoPredecessorFiltered.resize(C.MaxLag);
    ++To.References;
    bool Passes = true;
    for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag) {
      if (Lag == History.size()) {
        ++To.NoPredecessor[Lag];
        To.NoPredecessorFiltered[Lag] += Passes;
        break;
      }
      uint64_t P = History[Lag], D = Address > P ? Address - P : P - Address;
      ++To.Rows[{2 * Lag + !Passes, binOf(D)}];
      Passes = Passes && D > C.PassAbove;
      if (Lag == 0) {
        To.Forward += Address > P;
        To.Backward += Address < P;
      }
    }
    History.push_front(Address);
    if (History.size() > C.MaxLag)
      History.pop_back();
  }
  AllCounts All;

private:
  const Counting &C;
  std::deque<uint64_t> History;
};

using Counter = void (*)(const Counting &, Stream &, DirtyShares &);

void countBaseline(const Counting &C, Stream &S, DirtyShares &Dirty) {
  countPendingHere(C, S, Dirty);
}
__attribute__((target("arch=x86-64-v3"))) void
countV3(const Counting &C, Stream &S, DirtyShares &Dirty) {
  countPendingHere(C, S, Dirty);
}
__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) void
countV4(const Counting &C, Stream &S, DirtyShares &Dirty) {
  countPendingHere(C, S, Dirty);
}

/// Addresses of various kinds: walks, jumps, near and far, at the bins' edges.
class Walk {
public:
  explicit Walk(Random &R) : R(R) {}
  uint64_t next() {
    if (R.oneIn(50))
      Kind = R.below(6);
    switch (Kind) {
    case 0: // Equal steps.
      if (R.oneIn(100))
        Step = R.below(2000) - 1000;
      return At += Step;
    case 1:
      return At = Base + R.below(1 << 16);
    case 2:
      return At = Base + R.below(1 << 30);
    case 3:
      return At = Base + R.below(300);
    case 4: { // Edges.
      uint64_t Edge = uint64_t(1) << (6 + R.below(12));
      uint64_t D = Edge + R.below(3) - 1;
      return At = R.oneIn(2) ? At + D : At - D;
    }
    default: // Fields of a few structures.
      return At = Base + 192 * R.below(3) + 8 * (Turn++ % 5);
    }
  }

private:
  Random &R;
  uint64_t Base = uint64_t(1) << 40, At = Base, Step = 8, Turn = 0;
  unsigned Kind = 0;
};

/// As the runtime does: a few first ones, and at times others, at once. Many
/// references: more than a counter of 16 bits can have, all counted by vectors.
void run(uint64_t Seed, Counter Count, bool Many = false) {
  SCOPED_TRACE("GRAUPEL_TEST_SEED=" + std::to_string(Seed));
  Random R(Seed);
  Counting C;
  C.MaxLag = R.oneIn(2) ? 5 : 1 + static_cast<unsigned>(R.below(9));
  constexpr uint64_t Thresholds[] = {
      0,     1,      127,           128,       129,         32767,
      32768, 100000, INT32_MAX - 1, INT32_MAX, ~uint64_t(0)};
  C.PassAbove = R.oneIn(2) ? 128 : Thresholds[R.below(std::size(Thresholds))];
  const std::string Path =
      ::testing::TempDir() + "pending." + std::to_string(getpid()) + ".gstride";
  static RecordFile File;
  ASSERT_TRUE(File.create(Path.c_str()));
  File.header().MaxLag = C.MaxLag;
  File.begin();

  Stream S(0, C);
  Expected Right(C);
  DirtyShares Dirty;
  const uint32_t Sites = 1 + static_cast<uint32_t>(R.below(4));
  std::vector<Share *> Shares;
  for (uint32_t Site = 0; Site < Sites; ++Site)
    Shares.push_back(Share::create(File, C, Site, 0, 0));
  const bool InTurns = R.oneIn(2);
  Walk Addresses(R);
  const uint64_t Length = Many         ? 300000
                          : R.oneIn(3) ? R.below(20)
                                       : R.below(20000);
  uint32_t Site = 0;
  auto Settle = [&] {
    if (S.waiting())
      Count(C, S, Dirty);
  };
  for (uint64_t N = 0; N < Length; ++N) {
    Site = InTurns
               ? (Site + 1) % Sites
               : (R.oneIn(8) ? static_cast<uint32_t>(R.below(Sites)) : Site);
    uint64_t Address = Addresses.next();
    Right.refer(Site, Address);
    if (!S.isFull() || !canWait(C) || (!Many && R.oneIn(500))) {
      Settle();
      Dirty.add(Shares[Site]);
      Shares[Site]->count(C, S, Address);
      S.push(Address);
      continue;
    }
    if (S.Next >= S.End) {
      Settle();
      S.open();
    }
    *S.Next = Address;
    S.Next[Stream::ShareAt] = reinterpret_cast<uint64_t>(Shares[Site]);
    ++S.Next;
    if (R.oneIn(300))
      Settle();
    if (!Many && R.oneIn(1000)) {
      Settle();
      Dirty.flush(C);
    }
  }
  Settle();
  Dirty.flush(C);
  AllCounts Found = readRecord(Path, C.MaxLag);
  for (uint32_t Each = 0; Each < Sites; ++Each) {
    Counts &Wanted = Right.All[Each];
    Wanted.NoPredecessor.resize(C.MaxLag);
    Wanted.NoPredecessorFiltered.resize(C.MaxLag);
    EXPECT_EQ(Found[Each], Wanted) << "site " << Each << ", MAXEL " << C.MaxLag
                                   << ", above " << C.PassAbove;
  }
  File.end(RecordState::Ended, 1);
  File.abandon();
  remove(Path.c_str());
}

void runAll(Counter Count) {
  const uint64_t Last = firstSeed() + graupel::test::numSeeds() / 3;
  for (uint64_t Seed = firstSeed(); Seed <= Last; ++Seed) {
    run(Seed, Count);
    if (::testing::Test::HasFailure())
      return;
  }
}

TEST(Pending, Baseline) { runAll(countBaseline); }

TEST(Pending, V3) {
  if (!__builtin_cpu_supports("x86-64-v3"))
    GTEST_SKIP() << "another processor";
  runAll(countV3);
}

TEST(Pending, V4) {
  if (!__builtin_cpu_supports("x86-64-v4"))
    GTEST_SKIP() << "another processor";
  runAll(countV4);
}

// The one that the runtime calls.
TEST(Pending, Chosen) { runAll(countPending); }

TEST(Pending, Many) {
  for (uint64_t Seed = firstSeed(); Seed < firstSeed() + 5; ++Seed)
    run(Seed, countPending, true);
}

/// Tuples that come with weights, few and many different ones.
TEST(Pending, Weights) {
  Random R(firstSeed());
  const std::string Path =
      ::testing::TempDir() + "weights." + std::to_string(getpid()) + ".gstride";
  static RecordFile File;
  ASSERT_TRUE(File.create(Path.c_str()));
  Counting C;
  Counts Wanted[3];
  constexpr unsigned Different[] = {1, 30, 100000};
  for (unsigned Site = 0; Site < 3; ++Site) {
    Share *S = Share::create(File, C, Site, 0, 0);
    Counts &To = Wanted[Site];
    To.NoPredecessor.resize(C.MaxLag);
    To.NoPredecessorFiltered.resize(C.MaxLag);
    for (unsigned N = 0; N < 50000; ++N) {
      Random Of(R.below(Different[Site]));
      const unsigned Counted = 1 + static_cast<unsigned>(Of.below(C.MaxLag));
      uint64_t Tuple = uint64_t(Counted | TupleForward) << TupleMetaShift;
      const uint64_t Weight =
          R.oneIn(20) ? R.below(uint64_t(1) << 40) : R.below(300);
      for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag) {
        const uint64_t Bin = Of.below(Bins);
        Tuple |= Bin << 8 * Lag;
        if (Weight)
          To.Rows[{2 * Lag + (Lag >= Counted), Bin}] += Weight;
      }
      To.References += Weight;
      To.Forward += Weight;
      S->addTuple(C, Tuple, Weight);
    }
  }
  AllCounts Found = readRecord(Path, C.MaxLag);
  for (unsigned Site = 0; Site < 3; ++Site)
    EXPECT_EQ(Found[Site], Wanted[Site]) << "site " << Site;
  File.end(RecordState::Ended, 1);
  File.abandon();
  remove(Path.c_str());
}

} // namespace
