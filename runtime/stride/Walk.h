//===- stride/Walk.h - Records as references, in order ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a buffer's records and makes each of their references, those of loops
// written out, in program order. Iterations of a loop in which all members stay
// in their lines and hit them are made as one.
//
// `To` has: isSelected(Site); refer(Site, Address); stays(Address), whether it
// would find the line of a reference of just before again; again(Site, Address,
// Step, Count), of references to the lines of the last ones, which stay;
// lineBytes(); advance(Words, Behind): references are of that record now; maybe
// bulk(Site, Address, Bytes); maybe plain(Words, Last, Range), which counts
// records of one reference each, of these sites, and tells where it stopped.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_WALK_H
#define GRAUPEL_STRIDE_WALK_H

#include "Terms.h"
#include <algorithm>

namespace graupel::stride {

/// For one thread; a loop may begin in one buffer and go on in the next.
template <class To> class Walk {
public:
  explicit Walk(To &Out) : Out(Out) {}

  void run(const uint64_t *Words, const uint64_t *Last) {
    while (Words < Last) {
      if constexpr (requires { Out.plain(Words, Last, LastSites); })
        if (!Loop)
          Words = Out.plain(Words, Last, LastSites);
      if (Words < Last)
        Words = record(Words);
    }
  }

private:
  GRAUPEL_HOT const uint64_t *record(const uint64_t *Words);
  const uint64_t *lanes(const uint64_t *Words, uint32_t Site, unsigned Tag);
  void bulk(uint32_t Site, uint64_t Address, uint64_t Bytes);
  const uint64_t *loop(const uint64_t *Words);
  void nest(const NestShape &Shape, const uint64_t *Words);
  void nestLoop(uint32_t Which);
  bool collect(uint32_t Which);
  void runners(uint64_t Iterations);
  void iteration();
  uint64_t sameLines(uint64_t Most) const;
  bool allStay() const;
  void before(uint32_t Site);
  void after();
  void referMembers(uint64_t Iteration, uint32_t Order);
  void finishLoop();

  GRAUPEL_HOT void refer(uint32_t Site, uint64_t Address) {
    if (__builtin_expect(Out.isSelected(Site), true))
      Out.refer(Site, Address);
  }
  /// Not inlined everywhere.
  __attribute__((noinline)) void referAny(uint32_t Site, uint64_t Address) {
    refer(Site, Address);
  }
  uint64_t addressOf(uint32_t Member, uint64_t Iteration) const {
    return Bases[Member] + Iteration * static_cast<uint64_t>(Steps[Member]);
  }

  To &Out;
  NumberRange LastSites, LastLoops;
  /// The running loop, if it makes other references, too.
  const LoopInfo *Loop = nullptr;
  uint32_t Number = 0, Other = 0, NextMember = 0;
  uint64_t Iterations = 0, Iteration = 0, MemberIteration = 0;
  static constexpr uint32_t MostMembers = GRAUPEL_STRIDE_GROUP_BYTES / 8;
  static_assert(MostMembers >= GRAUPEL_STRIDE_NEST_ITEMS);
  uint64_t Bases[MostMembers];
  int64_t Steps[MostMembers];
  /// The running nest; where its items are, with steps for each of their loops.
  const NestShape *Shape = nullptr;
  const uint64_t *NestWords = nullptr;
  const int64_t *NestSteps = nullptr;
  NestTerms Terms;
  int64_t *DynamicSteps = static_cast<int64_t *>(
      reserve(MostMembers * GRAUPEL_STRIDE_NEST_LEVELS * sizeof(int64_t)));
  /// The selected items of a nest's inner loop, and their addresses in the next
  /// iteration.
  struct Runner {
    uint64_t Address;
    int64_t Step;
    uint32_t Site, Bytes;
  } Runners[MostMembers];
  uint32_t RunnerCount = 0;
};

template <class To>
GRAUPEL_HOT const uint64_t *Walk<To>::record(const uint64_t *Words) {
  unsigned Tag = Words[0] & GRAUPEL_STRIDE_RECORD_TAG;
  if (Tag == GRAUPEL_STRIDE_RECORD_LOOP)
    return loop(Words);
  if (__builtin_expect(!LastSites.has(Words[0] - Tag), false))
    LastSites = rangeOfSite(Words[0] - Tag);
  uint32_t Site = LastSites.number(Words[0] - Tag);
  if (__builtin_expect(Loop != nullptr, false))
    before(Site);
  const uint64_t *Next = Words + 2;
  Out.advance(Words, Next);
  if (__builtin_expect(Tag == GRAUPEL_STRIDE_RECORD_REFERENCE, true))
    refer(Site, Words[1]);
  else if (Tag == GRAUPEL_STRIDE_RECORD_BULK) {
    bulk(Site, Words[1], Words[2]);
    Next = Words + 4;
  } else
    Next = lanes(Words, Site, Tag);
  if (__builtin_expect(Loop != nullptr, false))
    after();
  return Next;
}

template <class To>
const uint64_t *Walk<To>::lanes(const uint64_t *Words, uint32_t Site,
                                unsigned Tag) {
  const graupel_stride_site *E = Sites[Site].Entry;
  bool Gathered = Tag == GRAUPEL_STRIDE_RECORD_LANES;
  uint64_t Mask = Gathered ? Words[1] : Words[2];
  for (unsigned Lane = 0; Lane < E->lanes; ++Lane)
    if (Mask >> Lane & 1)
      referAny(Site, Gathered ? Words[2 + Lane] : Words[1] + Lane * E->bytes);
  return Words + (Gathered ? (2 + E->lanes + 1) & ~1u : 4);
}

template <class To>
void Walk<To>::bulk(uint32_t Site, uint64_t Address, uint64_t Bytes) {
  if constexpr (requires { Out.bulk(Site, Address, Bytes); })
    if (Out.isSelected(Site))
      Out.bulk(Site, Address, Bytes);
}

template <class To> const uint64_t *Walk<To>::loop(const uint64_t *Words) {
  finishLoop();
  uint64_t Entry = Words[0] - GRAUPEL_STRIDE_RECORD_LOOP;
  if (!LastLoops.has(Entry))
    LastLoops = rangeOfLoop(Entry);
  Number = LastLoops.number(Entry);
  const LoopInfo &L = Loops[Number];
  Out.advance(Words, Words + L.Words);
  if (!L.Selected)
    return Words + L.Words;
  if (L.Nest) {
    nest(*L.Nest, Words);
    return Words + L.Words;
  }
  const uint64_t *Dynamic = Words + 2 + L.MemberCount;
  for (uint32_t N = 0; N < L.MemberCount; ++N) {
    Bases[N] = Words[2 + N];
    Steps[N] = L.Members[N].Step;
    if (Steps[N] == GRAUPEL_STRIDE_DYNAMIC)
      Steps[N] = static_cast<int64_t>(*Dynamic++);
  }
  Loop = &L;
  Iterations = Words[1];
  Iteration = MemberIteration = 0;
  Other = NextMember = 0;
  return Words + L.Words;
}

template <class To>
void Walk<To>::nest(const NestShape &NewShape, const uint64_t *Words) {
  Shape = &NewShape;
  NestWords = Words;
  NestSteps = NewShape.stepsOf(Words, DynamicSteps);
  Terms.begin(NewShape, Words);
  for (uint32_t N = 0; N < NewShape.ItemCount; ++N)
    if (const NestItem &Item = NewShape.Items[N]; Item.refers())
      Bases[N] = Words[Item.Word] + Item.Offset;
  nestLoop(0);
}

/// Walks all iterations of a nest's loop. The addresses of its items are the
/// same afterwards.
template <class To> void Walk<To>::nestLoop(uint32_t Which) {
  const NestItem *Items = Shape->Items;
  const NestItem &L = Items[Which];
  const uint64_t Times = Terms.iterationsOf(L);
  if (collect(Which))
    return runners(Times);
  for (uint64_t I = 0; I < Times; ++I) {
    if (L.Varies)
      Terms.setIteration(L.Level, I);
    for (uint32_t N = Which + 1; N < L.End; N = Items[N].End) {
      const NestItem &Item = Items[N];
      if (!Item.refers())
        nestLoop(N);
      else if (Item.Kind == GRAUPEL_STRIDE_NEST_REFERENCE)
        referAny(Item.Number, Bases[N] + Terms.addendOf(Item));
      else
        bulk(Item.Number, Bases[N] + Terms.addendOf(Item),
             NestWords[Item.Length]);
    }
    Shape->advance(Which, 1, NestSteps, Bases);
  }
  Shape->advance(Which, -Times, NestSteps, Bases);
}

/// Whether there is nothing but references in the loop, which are Runners then.
template <class To> bool Walk<To>::collect(uint32_t Which) {
  const NestItem &L = Shape->Items[Which];
  RunnerCount = 0;
  if (L.Varies)
    return false;
  for (uint32_t N = Which + 1; N < L.End; ++N) {
    const NestItem &Item = Shape->Items[N];
    if (Item.Kind != GRAUPEL_STRIDE_NEST_REFERENCE)
      return false;
    if (Out.isSelected(Item.Number))
      Runners[RunnerCount++] = {Bases[N] + Terms.addendOf(Item),
                                NestSteps[Item.Step + L.Level], Item.Number,
                                Facts[Item.Number].Bytes};
  }
  return true;
}

template <class To> void Walk<To>::iteration() {
  for (Runner *R = Runners, *End = R + RunnerCount; R < End; ++R) {
    Out.refer(R->Site, R->Address);
    R->Address += static_cast<uint64_t>(R->Step);
  }
}

/// Iterations from the next one on in which no member leaves its line; 1 if one
/// refers to two lines.
template <class To> uint64_t Walk<To>::sameLines(uint64_t Most) const {
  const uint32_t Line = Out.lineBytes();
  uint32_t Least = Line + 1;
  for (const Runner *R = Runners; R < Runners + RunnerCount; ++R) {
    const auto Step = static_cast<int32_t>(R->Step);
    const uint32_t From = R->Address & (Line - 1), End = From + R->Bytes;
    if (End > Line)
      return 1;
    if (Step)
      Least = std::min(Least, 1 + (Step > 0 ? (Line - End) / uint32_t(Step)
                                            : From / uint32_t(-Step)));
  }
  // If nothing moves at all.
  return Least > Line ? Most : Least;
}

// If nothing that an iteration has referred to was driven out within it, the
// next one finds all of it, if it is to the same lines, and leaves everything
// in the order it was in.
template <class To> void Walk<To>::runners(uint64_t Iterations) {
  uint64_t Farthest = 0;
  for (const Runner *R = Runners; R < Runners + RunnerCount; ++R)
    Farthest = std::max(
        Farthest, static_cast<uint64_t>(R->Step < 0 ? -R->Step : R->Step));
  const bool Near = Farthest <= Out.lineBytes() / 2;
  for (uint64_t Left = Iterations; Left;) {
    const uint64_t Same = Near ? std::min(sameLines(Left), Left) : 1;
    iteration();
    --Left;
    if (Same < 2 || !allStay())
      continue;
    const uint64_t Count = Same - 1;
    for (Runner *R = Runners; R < Runners + RunnerCount; ++R) {
      Out.again(R->Site, R->Address, R->Step, Count);
      R->Address += Count * static_cast<uint64_t>(R->Step);
    }
    Left -= Count;
  }
}

template <class To> bool Walk<To>::allStay() const {
  for (const Runner *R = Runners; R < Runners + RunnerCount; ++R)
    if (!Out.stays(R->Address))
      return false;
  return true;
}

template <class To>
void Walk<To>::referMembers(uint64_t Until, uint32_t Order) {
  while (MemberIteration < Until || (MemberIteration == Until &&
                                     Loop->Members[NextMember].Order < Order)) {
    referAny(Loop->Members[NextMember].Site,
             addressOf(NextMember, MemberIteration));
    if (++NextMember == Loop->MemberCount) {
      NextMember = 0;
      ++MemberIteration;
    }
  }
}

/// Another record comes; ends the running loop if it is not its.
template <class To> void Walk<To>::before(uint32_t Site) {
  if (Sites[Site].Loop != Number)
    return finishLoop();
  referMembers(Iteration, Loop->OtherOrders[Other]);
}

template <class To> void Walk<To>::after() {
  if (++Other != Loop->Others)
    return;
  Other = 0;
  if (++Iteration == Iterations)
    finishLoop();
}

/// A loop that was left in another way than by its end has made the iterations
/// it has others of.
template <class To> void Walk<To>::finishLoop() {
  if (!Loop)
    return;
  referMembers(Iteration, 0);
  Loop = nullptr;
}

} // namespace graupel::stride

#endif
