//===- stride/Nest.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts one stream's references in an execution of a nest, by the two methods
// in Nest.h.
//
// 1. open, add and close build the nest as a list of loops and references.
//    close notes whether all references in a loop have the same step, and
//    whether terms in it depend on the loop.
// 2. enter evaluates the terms of a loop, and chooses between steps 3 and 4.
//    body makes the references of an iteration and enters the inner loops.
// 3. loop, for equal steps, makes iterations until the history is the loop's
//    own, one more with the weight of all others, and moves the history.
// 4. varyingLoop makes iterations by periods. If the history has advanced
//    equally in the last ones, reach tells how many more periods do the same,
//    and repeat counts these at once.
// 5. count keeps each reference as a point, or counts it in its share while the
//    stream is not full or if it has too many lags. merge adds equal points to
//    tallies.
// 6. countTallies collects tallies, and flush moves them to the shares.
//
//===----------------------------------------------------------------------===//

#include "Nest.h"
#include "graupel/stride_sites.h"
#include <algorithm>
#include <bit>

namespace graupel::stride {

StreamNest::StreamNest(uint32_t MaxNodes, NestTerms &Terms)
    : Terms(Terms),
      Nodes(static_cast<Node *>(allocate(MaxNodes * sizeof(Node)))),
      Open(static_cast<uint32_t *>(
          allocate(GRAUPEL_STRIDE_NEST_LEVELS * sizeof(uint32_t)))),
      Points(static_cast<Point *>(reserve(MaxPoints * sizeof(Point)))),
      Merged(static_cast<Tally *>(allocate(MaxMerged * sizeof(Tally)))),
      MergedAt(
          static_cast<uint16_t *>(allocate(sizeof(uint16_t) << MergeBits))),
      Sums(static_cast<Tally *>(allocate(sizeof(Tally) << SumBits))) {}

void StreamNest::begin(Stream *NewStream) {
  S = NewStream;
  Count = Depth = Used = 0;
}

void StreamNest::open(uint64_t Iterations, uint32_t Term) {
  Node &N = Nodes[Count];
  N.Level = static_cast<uint16_t>(Depth);
  N.IsLoop = true;
  N.Iterations = Iterations;
  N.Term = Term;
  Open[Depth++] = Count++;
}

void StreamNest::close() {
  uint32_t Number = Open[--Depth];
  if (Number + 1 == Count) {
    Count = Number;
    return;
  }
  Node &L = Nodes[Number];
  L.End = Count;
  L.SameStep = true;
  L.Varies = L.HasTerms = false;
  const Node *First = nullptr;
  for (uint32_t N = Number + 1; N < Count; ++N) {
    const Node &Each = Nodes[N];
    L.HasTerms |= Each.Term != 0;
    L.Varies |= Each.Term && Terms.levelsOf(Each.Term - 1) >> L.Level & 1;
    if (Each.IsLoop)
      continue;
    if (!First)
      First = &Each;
    L.SameStep &= Each.Steps[L.Level] == First->Steps[L.Level];
  }
  L.Step = First->Steps[L.Level];
}

void StreamNest::add(Share *Hist, uint64_t Base, const int64_t *Steps,
                     uint32_t Term) {
  Node &N = Nodes[Count++];
  N.End = Count;
  N.Level = static_cast<uint16_t>(Depth);
  N.IsLoop = false;
  N.Hist = Hist;
  N.Address = Base;
  N.Addend = 0;
  N.Steps = Steps;
  N.Term = Term;
  N.TermLevel =
      Term ? static_cast<uint16_t>(std::bit_width(Terms.levelsOf(Term - 1)))
           : 0;
}

//===--- Counting ---------------------------------------------------------===//

GRAUPEL_HOT static uint64_t signsOf(const Eight &Distances) {
  auto Back = reinterpret_cast<SignedEight>(Distances) < 0;
  return std::bit_cast<uint64_t>(__builtin_convertvector(Back, Bytes8));
}

GRAUPEL_HOT void StreamNest::count(const Counting &C, Node &N,
                                   uint64_t Weight) {
  if (!ByTallies) {
    N.Hist->count(C, *S, N.Address, Weight);
  } else {
    if (__builtin_expect(Used == MaxPoints, false))
      emptyPoints(C);
    Point &P = Points[Used++];
    P.Distances = N.Address - S->recent();
    P.Hist = N.Hist;
    P.Tuple = Share::tuple(C, P.Distances);
    P.Signs = signsOf(P.Distances);
    P.IsCorner = false;
    P.Weight = Weight;
    P.FactorCount = FactorCount;
    for (uint32_t K = 0; K < Point::MostFactors; ++K)
      P.Factors[K] = Factors[K];
  }
  ++Made;
  S->push(N.Address);
  if (__builtin_expect(!ByTallies, false) && S->isFull() &&
      C.MaxLag <= TupleLags)
    beginTallies();
}

/// Periods that were counted before in another way cannot be compared.
void StreamNest::beginTallies() {
  ByTallies = true;
  Terms.record(true);
  ++Emptied;
}

static uint64_t hashOf(const Share *Hist, uint64_t Tuple) {
  return (Tuple ^ reinterpret_cast<uint64_t>(Hist) << 5) * 0x9e3779b97f4a7c15;
}

void StreamNest::merge(const Counting &C, const Point &P) {
  constexpr uint64_t Mask = (1 << MergeBits) - 1;
  uint64_t At = hashOf(P.Hist, P.Tuple) >> (64 - MergeBits);
  for (; MergedAt[At]; At = (At + 1) & Mask) {
    Tally &T = Merged[MergedAt[At] - 1];
    if (T.Hist == P.Hist && T.Tuple == P.Tuple) {
      T.Weight += P.Weight;
      return;
    }
  }
  if (MergedCount == MaxMerged) {
    countTallies(C);
    Whole = false;
    return merge(C, P);
  }
  Merged[MergedCount++] = {P.Hist, P.Tuple, P.Weight};
  MergedAt[At] = static_cast<uint16_t>(MergedCount);
}

__attribute__((noinline)) void StreamNest::emptyPoints(const Counting &C) {
  for (uint32_t N = 0; N < Used; ++N)
    if (Points[N].Weight)
      merge(C, Points[N]);
  Used = 0;
  ++Emptied;
  Terms.truncate();
}

__attribute__((noinline)) void StreamNest::countTallies(const Counting &C) {
  constexpr uint64_t Mask = (1 << MergeBits) - 1;
  for (uint32_t N = 0; N < MergedCount; ++N) {
    const Tally &T = Merged[N];
    const uint64_t Hash = hashOf(T.Hist, T.Tuple);
    // All entries of a chain go.
    for (uint64_t At = Hash >> (64 - MergeBits); MergedAt[At];
         At = (At + 1) & Mask)
      MergedAt[At] = 0;
    Tally &To = Sums[Hash >> (64 - SumBits)];
    if (To.Hist != T.Hist || To.Tuple != T.Tuple) {
      if (To.Hist)
        To.Hist->addTuple(C, To.Tuple, To.Weight);
      To = {T.Hist, T.Tuple, 0};
    }
    To.Weight += T.Weight;
  }
  HasSums |= MergedCount != 0;
  MergedCount = 0;
}

void StreamNest::flush(const Counting &C) {
  for (uint32_t N = 0; HasSums && N >> SumBits == 0; ++N)
    if (Sums[N].Hist) {
      Sums[N].Hist->addTuple(C, Sums[N].Tuple, Sums[N].Weight);
      Sums[N].Hist = nullptr;
    }
  HasSums = false;
}

void StreamNest::advance(uint32_t Loop, uint64_t Iterations) {
  uint16_t Level = Nodes[Loop].Level;
  for (uint32_t N = Loop + 1; N < Nodes[Loop].End; ++N)
    if (!Nodes[N].IsLoop)
      Nodes[N].Address +=
          Iterations * static_cast<uint64_t>(Nodes[N].Steps[Level]);
}

// Compiled for several processors, with all that it calls for each reference.
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3",
                             "default"))) void
StreamNest::body(const Counting &C, uint32_t Loop, uint64_t Weight) {
  for (uint32_t N = Loop + 1; N < Nodes[Loop].End; N = Nodes[N].End)
    if (!Nodes[N].IsLoop) {
      if (__builtin_expect(
              Nodes[N].Term && Nodes[N].TermLevel == Nodes[N].Level, false))
        place(Nodes[N]);
      count(C, Nodes[N], Weight);
    } else
      enter(C, N, Weight);
}

/// Puts a reference to where its term says.
void StreamNest::place(Node &N) {
  const uint64_t Addend = Terms.value(N.Term - 1);
  N.Address += Addend - N.Addend;
  N.Addend = Addend;
}

void StreamNest::enter(const Counting &C, uint32_t Loop, uint64_t Weight) {
  Node &L = Nodes[Loop];
  if (L.Term) {
    L.Iterations = Terms.value(L.Term - 1);
    if (!L.Iterations)
      return Terms.require(Loop, 0, 0, 0);
  }
  for (uint32_t N = Loop + 1; L.HasTerms && N < L.End; ++N) {
    Node &Each = Nodes[N];
    if (Each.IsLoop || !Each.Term || Each.TermLevel != L.Level)
      continue;
    place(Each);
  }
  if (L.Varies || !L.SameStep)
    varyingLoop(C, Loop, Weight);
  else
    loop(C, Loop, Weight);
}

void StreamNest::loop(const Counting &C, uint32_t Loop, uint64_t Weight) {
  const Node &L = Nodes[Loop];
  const uint64_t Before = Made;
  body(C, Loop, Weight);
  // At least; nothing in the loop depends on its iteration.
  const uint64_t References = Made - Before;
  if (!References)
    return;
  advance(Loop, 1);
  const uint64_t WarmUp = (C.MaxLag + References - 1) / References;
  const bool IsShort = L.Iterations <= WarmUp + 1;
  const uint64_t Single = IsShort ? L.Iterations : WarmUp;
  if (L.Term)
    Terms.require(Loop, L.Iterations, IsShort ? L.Iterations : WarmUp + 2,
                  IsShort ? L.Iterations : NestTerms::Unlimited);
  for (uint64_t I = 1; I < Single; ++I) {
    body(C, Loop, Weight);
    advance(Loop, 1);
  }
  if (const uint64_t Rest = L.Iterations - Single) {
    const uint32_t Outer = FactorCount;
    if (L.Term && FactorCount++ < Point::MostFactors)
      Factors[Outer] = Rest;
    body(C, Loop, Weight * Rest);
    FactorCount = Outer;
    S->move((Rest - 1) * static_cast<uint64_t>(L.Step));
    advance(Loop, Rest);
  }
  advance(Loop, -L.Iterations);
}

//===--- Loops whose iterations differ ------------------------------------===//

/// Number of further steps for which the distance stays in its bin, and on its
/// side of the threshold.
static uint64_t reachOf(const Counting &C, int64_t Distance, int64_t Step) {
  const auto Size = static_cast<uint64_t>(Distance < 0 ? -Distance : Distance);
  if (Size < ExactBins)
    return 0;
  const uint64_t Last = uint64_t(1) << 15;
  uint64_t Low = Size < Last ? std::bit_floor(Size) : Last;
  uint64_t High = Size < Last ? 2 * Low - 1 : NestTerms::Unlimited;
  if (Size > C.PassAbove)
    Low = std::max(Low, C.PassAbove + 1);
  else
    High = std::min(High, C.PassAbove);
  const bool Grows = (Step < 0) == (Distance < 0);
  const uint64_t Room = Grows ? High - std::min(Size, High) : Size - Low;
  return Room / static_cast<uint64_t>(Step < 0 ? -Step : Step);
}

static uint64_t reachOf(const Counting &C, const Eight &Distances,
                        const Eight &Steps) {
  uint64_t Reach = NestTerms::Unlimited;
  for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag)
    if (Steps[Lag])
      Reach = std::min(Reach, reachOf(C, static_cast<int64_t>(Distances[Lag]),
                                      static_cast<int64_t>(Steps[Lag])));
  return Reach;
}

/// Number of further periods that continue the change between these two
/// successive ones.
uint64_t StreamNest::reach(const Counting &C, const Period &A,
                           const Period &B) const {
  const uint32_t Size = B.Points - A.Points;
  if (Used - B.Points != Size)
    return 0;
  uint64_t Reach = Terms.reach(A.Conditions, B.Conditions);
  for (uint32_t N = 0; Reach && N < Size; ++N) {
    const Point &X = Points[A.Points + N], &Y = Points[B.Points + N];
    if (!X.isLike(Y) || Y.FactorCount > Point::MostFactors)
      return 0;
    unsigned Changes = 0;
    for (uint32_t K = 0; K < Y.FactorCount; ++K) {
      Changes += X.Factors[K] != Y.Factors[K];
      if (X.Factors[K] > Y.Factors[K])
        Reach =
            std::min(Reach, (Y.Factors[K] - 1) / (X.Factors[K] - Y.Factors[K]));
    }
    // A product of two is not affine.
    if (Changes > 1)
      return 0;
    if (Y.IsCorner)
      Reach =
          std::min(Reach, reachOf(C, Y.Distances, Y.Distances - X.Distances));
  }
  return Reach;
}

/// Keeps a point that an outer loop may have to compare. If there is no room,
/// the outer loop cannot compare.
void StreamNest::put(const Counting &C, const Point &New) {
  if (Varying && Used < MaxPoints) {
    Points[Used++] = New;
    return;
  }
  if (New.Weight)
    merge(C, New);
  if (Varying)
    ++Emptied;
}

/// A reference from its own period on and in so many later ones: `Step` further
/// and `More` times more often in each. As often as its distances stay in their
/// bins they count together.
void StreamNest::repeat(const Counting &C, Point Hist, const Eight &Step,
                        uint64_t More, uint64_t Times) {
  const uint64_t First = Hist.Weight;
  const uint32_t Factor = Hist.FactorCount++;
  if (More)
    Hist.FactorCount = Point::MostFactors + 1;
  uint64_t Parts = 0;
  for (uint64_t From = 0;;) {
    const uint64_t Left = Times - From;
    ++Parts;
    const uint64_t Reach = std::min(reachOf(C, Hist.Distances, Step), Left);
    Hist.IsCorner = true;
    if (!More && Factor < Point::MostFactors)
      Hist.Factors[Factor] = Reach + 1;
    Hist.Weight = (Reach + 1) * (First + From * More) + sumTo(Reach) * More;
    put(C, Hist);
    Hist.Weight = 0;
    Hist.Distances += Reach * Step;
    if (Varying)
      put(C, Hist);
    From += Reach + 1;
    if (From > Times)
      break;
    Hist.Distances += Step;
    Hist.Tuple = Share::tuple(C, Hist.Distances);
    Hist.Signs = signsOf(Hist.Distances);
  }
  // An outer loop can compare points only if the number of parts is equal.
  if (Varying)
    Terms.require(4 * GRAUPEL_STRIDE_NEST_TERMS, Parts, Parts, Parts);
}

/// Counts so many periods after these.
void StreamNest::repeat(const Counting &C, const Period &A, const Period &B,
                        uint64_t Times) {
  const uint32_t End = Used;
  if (Varying)
    Terms.repeat(A.Conditions, B.Conditions, Times);
  for (uint32_t N = B.Points; N < End; ++N) {
    const Point &X = Points[N - B.Points + A.Points];
    Point &Y = Points[N];
    const Eight Step = Y.Distances - X.Distances;
    if (!Y.Weight && !X.Weight && !Y.IsCorner)
      continue;
    const Point Hist = Y;
    // The points that repeat() adds replace it.
    Y.Weight = 0;
    repeat(C, Hist, Step, Hist.Weight - X.Weight, Times);
  }
}

void StreamNest::varyingLoop(const Counting &C, uint32_t Loop,
                             uint64_t Weight) {
  const Node &L = Nodes[Loop];
  const uint64_t Iterations = L.Iterations,
                 Each = L.Varies ? Terms.period() : 1;
  const uint64_t Outer = Varying++;
  if (L.Term)
    Terms.require(Loop, Iterations, 1, NestTerms::Unlimited);
  // A loop's conditions: the number of periods that were executed, the
  // iterations of the last one, and the number of periods that were repeated.
  constexpr uint32_t Alone = 1 * GRAUPEL_STRIDE_NEST_TERMS,
                     Last = 2 * GRAUPEL_STRIDE_NEST_TERMS,
                     Repeated = 3 * GRAUPEL_STRIDE_NEST_TERMS;
  Period A{}, B{}, Next{};
  Eight Earlier{};
  uint64_t Singles = 0, Size = 0;
  unsigned Known = 0;
  for (uint64_t I = 0; I < Iterations;) {
    if (!Outer && (Used > MaxPoints / 2 || Terms.isFull())) {
      emptyPoints(C);
      Known = 0;
    }
    Next = {Used, Terms.count(), Emptied, {}};
    const uint64_t End = std::min(I + Each, Iterations);
    Size = End - I;
    ++Singles;
    for (; I < End; ++I) {
      setIteration(L, I);
      body(C, Loop, Weight);
      advance(Loop, 1);
    }
    Next.After = S->recent();
    Earlier = A.After;
    A = B;
    B = Next;
    ++Known;
    if (!ByTallies || Known < 3 || A.Emptied != Emptied ||
        Iterations - I < Each)
      continue;
    uint64_t Different = 0;
    for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag)
      Different |=
          (B.After[Lag] - A.After[Lag]) ^ (A.After[Lag] - Earlier[Lag]);
    if (Different || 2 * (Used - B.Points) + Used > MaxPoints)
      continue;
    const uint64_t Times = std::min(reach(C, A, B), (Iterations - I) / Each);
    if (!Times)
      continue;
    --Varying;
    repeat(C, A, B, Times);
    ++Varying;
    Terms.require(Alone + Loop, Singles, Singles, Singles);
    Terms.require(Repeated + Loop, Times, 1, NestTerms::Unlimited);
    const Eight Step = B.After - A.After;
    S->setRecent(B.After + Times * Step);
    A.After = B.After + (Times - 1) * Step;
    B.After += Times * Step;
    advance(Loop, Times * Each);
    I += Times * Each;
    // The periods compared so far are not compared again.
    Known = 1;
    A.Emptied = B.Emptied = Emptied - 1;
  }
  Terms.require(Alone + Loop, Singles, Singles, Singles);
  Terms.require(Last + Loop, Size, Size, Size);
  advance(Loop, -Iterations);
  --Varying;
}

void StreamNest::run(const Counting &C) {
  Whole = S->isFull() && C.MaxLag <= TupleLags;
  Varying = FactorCount = 0;
  ByTallies = false;
  Terms.record(false);
  if (Whole)
    beginTallies();
  enter(C, 0, 1);
  emptyPoints(C);
  if (!Whole)
    countTallies(C);
  Terms.record(false);
}

} // namespace graupel::stride
