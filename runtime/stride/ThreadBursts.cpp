//===- stride/ThreadBursts.cpp - A thread that is sampled -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records pass by in the time of Bursts; those in a burst are counted:
//
//   1. A record of one reference, lanes or a copy is in a burst if it begins
//      there.
//   2. Whole iterations of a nest are counted. Iterations in which a burst
//      begins or ends are clipped again, loop by loop.
//   3. Members of a mixed loop go by with their iteration's last other
//      reference.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"
#include <algorithm>

namespace graupel::stride {

//===--- Bursts -----------------------------------------------------------===//

void Thread::startIfDue() {
  if (!Sampled->isOpen() && !Sampled->gap())
    startBurst();
}

void Thread::startBurst() {
  uint32_t Previous = Part;
  if (Batch)
    handOver();
  Part = Sampled->start();
  Number = Sampled->first() + Part;
  if (Part != Previous)
    leavePart();
  if (!Now.Loop || !Now.Silent)
    return;
  // In the middle of a loop: counts the rest of it.
  Now.Silent = false;
  Now.Literal = R.Wanted.Literal || Batch || !group(*Now.Loop);
  Now.MemberIteration = Now.Iteration;
  Now.NextMember = 0;
  for (uint32_t N = 0; !Now.Literal && N < Now.GroupCount; ++N)
    Now.Groups[N].Iteration = Now.Iteration;
}

/// The next one knows nothing of this one's addresses.
void Thread::endBurst() {
  if (Now.Loop) {
    countMembers();
    Now.Silent = true;
    Now.Literal = false;
  }
  settleAll();
  Dirty.flush(C);
  flushNests();
  for (Stream *S : UsedStreams)
    S->forget();
  Sampled->end();
}

/// Sites and loops have other counters in another part.
void Thread::leavePart() {
  for (uint32_t Site : UsedSites) {
    Visit *Visits = States[Site].Visits;
    if (Visits)
      std::fill_n(Visits, Visit::Count, Visit{});
    States[Site] = {};
    States[Site].Visits = Visits;
  }
  UsedSites.clear();
  for (uint32_t Loop : UsedLoops)
    LoopStates[Loop].Counts = nullptr;
  UsedLoops.clear();
  for (Stream *S : UsedStreams)
    S->IsUsed = false;
  UsedStreams.clear();
}

void Thread::goBy(uint64_t References) {
  if (!Sampled->isOpen())
    Sampled->pass(References);
  else if (Sampled->take(References))
    endBurst();
}

//===--- References counted outside of bursts, too ------------------------===//

void Thread::countLarge(uint64_t Entry, uint64_t Address, uint64_t Bytes) {
  Guard G(Mutex);
  if (Sampled)
    countWhole(siteOf(Entry), Address, Bytes);
}

void Thread::countWhole(uint32_t Site, uint64_t Address, uint64_t Bytes) {
  if (!Sites[Site].Selected)
    return;
  if (Traffic)
    Traffic->takeWhole(Sampled->first() + Sampled->whole(), Site, Address,
                       Bytes);
  countBulk(Sampled->whole(), Site,
            findObjectOf(Site, Address, StackBegin, StackEnd).Obj, 1, Bytes);
}

//===--- Nests ------------------------------------------------------------===//

/// A nest whose time goes by.
struct Thread::Clip {
  Nesting N;
  bool Selected;
  /// The record; the iterations of a clipped loop change.
  uint64_t Words[GRAUPEL_STRIDE_GROUP_BYTES / sizeof(uint64_t)];
};

/// Counts the references of an iteration of each item, if none depends on
/// terms. Returns the number of references of the nest.
uint64_t Thread::countReferences(const NestShape &Shape,
                                 const uint64_t *Words) {
  // From the inside out.
  for (uint32_t I = Shape.ItemCount; I-- > 0;) {
    const NestItem &Item = Shape.Items[I];
    uint64_t References = Item.Kind == GRAUPEL_STRIDE_NEST_REFERENCE;
    for (uint32_t K = I + 1; !Item.refers() && K < Item.End;
         K = Shape.Items[K].End) {
      const NestItem &In = Shape.Items[K];
      References +=
          In.refers() ? NestReferences[K] : Words[In.Word] * NestReferences[K];
    }
    NestReferences[I] = References;
  }
  return Words[Shape.Items[0].Word] * NestReferences[0];
}

/// The same for a nest with terms.
uint64_t Thread::countExecutions(const NestShape &Shape,
                                 const uint64_t *Words) {
  Terms.begin(Shape, Words);
  const NestExtent::Extent *ItemExtents =
      Extents.run(Shape, Words, Shape.stepsOf(Words, NestSteps), Terms);
  uint64_t References = 0;
  for (uint32_t N = 0; N < Shape.ItemCount; ++N)
    if (Shape.Items[N].Kind == GRAUPEL_STRIDE_NEST_REFERENCE)
      References += ItemExtents[N].Executions;
  return References;
}

void Thread::sampledNest(const LoopInfo &L, const uint64_t *Words) {
  const NestShape &Shape = *L.Nest;
  uint64_t References = 0;
  if (!Shape.TermCount)
    References = countReferences(Shape, Words);
  if (!Sampled->isOpen() && Sampled->gap()) {
    if (Shape.TermCount)
      References = countExecutions(Shape, Words);
    // No burst begins in it.
    if (References < Sampled->gap())
      return goBy(References);
  }
  Clip P;
  std::copy(Words, Words + Shape.End, P.Words);
  P.N = nesting(Shape, P.Words);
  P.Selected = L.Selected;
  Terms.begin(Shape, P.Words);
  if (Shape.TermCount)
    clipTerms(P, 0);
  else
    clipLoop(P, 0);
}

/// Counts items of the iteration that goes by.
void Thread::run(Clip &P, uint32_t First, uint32_t End) {
  P.N.First = First;
  P.N.End = End;
  P.N.GoesOn = First;
  P.N.IsSingle = P.N.Shape->IsSingle && First == 0;
  countPart(P.N, P.Selected);
}

void Thread::clipReference(Clip &P, uint32_t Which) {
  startIfDue();
  if (Sampled->isOpen())
    run(P, Which, Which + 1);
  goBy(NestReferences[Which]);
}

/// An execution of a loop or guard, at the addresses where it begins; they are
/// the same afterwards.
void Thread::clipLoop(Clip &P, uint32_t Which) {
  const NestItem *Items = P.N.Shape->Items;
  const NestItem &L = Items[Which];
  const uint64_t Iterations = P.Words[L.Word], Each = NestReferences[Which];
  startIfDue();
  if (Iterations && L.Kind == GRAUPEL_STRIDE_NEST_LOOP && Sampled->isOpen())
    countLoop(L.Number, Iterations);
  for (uint64_t Done = 0; Done < Iterations;) {
    startIfDue();
    const bool Open = Sampled->isOpen();
    uint64_t Count = Iterations - Done;
    if (Each)
      Count = std::min(Count, (Open ? Sampled->left() : Sampled->gap()) / Each);
    if (Count) {
      P.Words[L.Word] = Count;
      if (Open)
        run(P, Which, L.End);
      goBy(Count * Each);
    } else {
      Count = 1;
      for (uint32_t N = Which + 1; N < L.End; N = Items[N].End)
        if (Items[N].refers())
          clipReference(P, N);
        else
          clipLoop(P, N);
    }
    P.N.Shape->advance(Which, Count, P.N.Steps, P.N.Bases);
    Done += Count;
  }
  P.N.Shape->advance(Which, -Iterations, P.N.Steps, P.N.Bases);
  P.Words[L.Word] = Iterations;
}

/// The same for a nest with terms, by single references. Between bursts
/// iterations of innermost loops go by at once.
void Thread::clipTerms(Clip &P, uint32_t Which) {
  const NestItem *Items = P.N.Shape->Items;
  const NestItem &L = Items[Which];
  const uint64_t Iterations = Terms.iterationsOf(L);
  bool IsInner = !L.Varies;
  for (uint32_t N = Which + 1; N < L.End; ++N)
    IsInner &= Items[N].Kind == GRAUPEL_STRIDE_NEST_REFERENCE;
  const uint64_t Each = L.End - Which - 1;
  startIfDue();
  if (Iterations && L.Kind == GRAUPEL_STRIDE_NEST_LOOP && Sampled->isOpen())
    countLoop(L.Number, Iterations);
  for (uint64_t Done = 0; Done < Iterations;) {
    startIfDue();
    uint64_t Count = 0;
    if (IsInner && Each && !Sampled->isOpen())
      Count = std::min(Iterations - Done, Sampled->gap() / Each);
    if (Count) {
      goBy(Count * Each);
    } else {
      Count = 1;
      if (L.Varies)
        Terms.setIteration(L.Level, Done);
      for (uint32_t N = Which + 1; N < L.End; N = Items[N].End)
        if (Items[N].refers())
          clipTerm(P, Items[N], P.N.Bases[N] + Terms.addendOf(Items[N]));
        else
          clipTerms(P, N);
    }
    P.N.Shape->advance(Which, Count, P.N.Steps, P.N.Bases);
    Done += Count;
  }
  P.N.Shape->advance(Which, -Iterations, P.N.Steps, P.N.Bases);
}

void Thread::clipTerm(Clip &P, const NestItem &Item, uint64_t Address) {
  const bool Refers = Item.Kind == GRAUPEL_STRIDE_NEST_REFERENCE;
  startIfDue();
  if (Sampled->isOpen() && P.Selected) {
    if (Refers)
      referAlone(Item.Number, Address);
    else
      bulkOf(P.N, Item, Address);
  }
  goBy(Refers);
}

//===--- Records ----------------------------------------------------------===//

uint64_t Thread::referencesOf(uint32_t Site, unsigned Tag) const {
  if (Tag == GRAUPEL_STRIDE_RECORD_REFERENCE)
    return 1;
  if (Tag == GRAUPEL_STRIDE_RECORD_BULK)
    return 0;
  // As uninstrumented code counts: regardless of the mask.
  return Sites[Site].Entry->lanes;
}

const uint64_t *Thread::sampledLoop(const uint64_t *Words) {
  finishLoop();
  uint32_t Loop = loopOf(Words[0] - GRAUPEL_STRIDE_RECORD_LOOP);
  const LoopInfo &L = Loops[Loop];
  if (L.Nest) {
    sampledNest(L, Words);
    return Words + L.Words;
  }
  const uint64_t Iterations = Words[1] & ~GRAUPEL_STRIDE_REST;
  const bool Open = Sampled->isOpen();
  if (Open && Iterations == Words[1])
    countLoop(Loop, Iterations);
  if (L.Selected) {
    // Its members go by with the others.
    beginLoop(Loop, Words, Iterations);
    Now.Silent = !Open;
    Now.Literal = Open && (R.Wanted.Literal || Batch || !group(L));
  }
  return Words + L.Words;
}

const uint64_t *Thread::sampled(const uint64_t *Words) {
  // A burst begins in them where there is nothing else, in nests that is.
  if (!OutOfOrder)
    startIfDue();
  unsigned Tag = Words[0] & GRAUPEL_STRIDE_RECORD_TAG;
  if (Tag == GRAUPEL_STRIDE_RECORD_LOOP)
    return sampledLoop(Words);
  uint32_t Site = siteOf(Words[0] - Tag);
  uint64_t References = referencesOf(Site, Tag);
  const LoopInfo *RunningLoop = Now.Loop;
  uint64_t Iteration = Now.Iteration;
  const uint64_t *Next;
  if (Sampled->isOpen()) {
    Next = recordAlone(Words);
  } else {
    before(Site);
    if (Tag == GRAUPEL_STRIDE_RECORD_BULK && Words[2] >= GRAUPEL_STRIDE_LARGE)
      countWhole(Site, Words[1], Words[2]);
    after();
    Next = Words + (Tag == GRAUPEL_STRIDE_RECORD_REFERENCE ? 2
                    : Tag == GRAUPEL_STRIDE_RECORD_LANES
                        ? (2 + Sites[Site].Entry->lanes + 1) & ~1u
                        : 4);
  }
  // The loop's members go by with its last other.
  if (RunningLoop && (Now.Loop != RunningLoop || Now.Iteration != Iteration))
    References += RunningLoop->MemberCount;
  goBy(References);
  return Next;
}

void Thread::countSampled(const uint64_t *Words, const uint64_t *Last) {
  while (Words < Last) {
    // Most records between bursts, if there is no uninstrumented code.
    const uint64_t *From = Words;
    if (!Sampled->isOpen() && !Now.Loop)
      while (Words < Last && !(Words[0] & GRAUPEL_STRIDE_RECORD_TAG) &&
             (OutOfOrder ||
              static_cast<uint64_t>(Words - From) < 2 * Sampled->gap()))
        Words += 2;
    if (Words != From)
      Sampled->pass(static_cast<uint64_t>(Words - From) / 2);
    else
      Words = sampled(Words);
  }
}

//===--- The buffer's ends ------------------------------------------------===//

void Thread::resume(bool Record) {
  Start = Buffer;
  *Budget = NoBudget;
  if (Traffic && !Sampled)
    Start += GRAUPEL_STRIDE_FULL - Traffic->room();
  if (Sampled) {
    // The last reference of the burst or gap fills the buffer. Use less of the
    // buffer if records stand for loops, and somebody waits.
    constexpr uint64_t Most = GRAUPEL_STRIDE_FULL / 16;
    const uint64_t Room = Traffic ? Traffic->room() : GRAUPEL_STRIDE_FULL;
    uint64_t Gap = Sampled->gap(), References = Gap;
    if (Sampled->isOpen() || !Gap || Record) {
      References = Gap < Most ? Gap + Sampled->left() : Most;
    } else {
      Start += GRAUPEL_STRIDE_GAP;
      *Budget = static_cast<int64_t>(Gap);
    }
    Start +=
        GRAUPEL_STRIDE_FULL - std::min(16 * std::min(References, Most), Room);
  }
  *Cursor = const_cast<char *>(Start);
}

} // namespace graupel::stride
