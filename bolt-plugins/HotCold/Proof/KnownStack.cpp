//===- HotCold/Proof/KnownStack.cpp - Where values come from --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownStack.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::symbolic;

uint32_t Alignments::add(const MCInst &Inst, int64_t From, int64_t To) {
  const auto [At, IsNew] = BaseOf.try_emplace(&Inst, Bases.size());
  if (IsNew)
    Bases.push_back({From, To});
  return Bases[At->second] == std::pair(From, To) ? At->second : 0;
}

std::pair<int64_t, int64_t> Alignments::extent(StackAddress At,
                                               int64_t Size) const {
  const auto [From, To] = Bases[At.Base];
  const int64_t Begin =
      At.Kind == StackAddress::AtMost ? INT64_MIN : From - (To - 1) + At.Offset;
  return {Begin, From + At.Offset + Size};
}

bool Alignments::overlap(StackAddress A, int64_t SizeA, StackAddress B,
                         int64_t SizeB) const {
  if (A.Base == B.Base && A.Kind == B.Kind && A.Kind == StackAddress::Exact)
    return A.Offset < B.Offset + SizeB && B.Offset < A.Offset + SizeA;
  const auto [BeginA, EndA] = extent(A, SizeA);
  const auto [BeginB, EndB] = extent(B, SizeB);
  return BeginA < EndB && BeginB < EndA;
}

StackAddress Alignments::join(StackAddress A, StackAddress B) const {
  if (A == B)
    return A;
  if (A.Kind == StackAddress::None || B.Kind == StackAddress::None)
    return {};
  const int64_t Highest = std::max(extent(A, 0).second, extent(B, 0).second);
  // Above the return address nothing is the function's own.
  if (Highest > 0)
    return {};
  return {StackAddress::AtMost, 0, Highest};
}

KnownStack KnownStack::atEntry() {
  KnownStack Result;
  for (unsigned I = 0; I < NumGeneral; ++I) {
    Result.General[I].MayBe = 1 << I;
    Result.General[I].CopyOf = I;
  }
  Result.General[countr_zero(reg::RSP)] = {0, -1, {StackAddress::Exact, 0, 0}};
  return Result;
}

KnownStack::Joined KnownStack::join(const KnownStack &Other,
                                    const Alignments &Bases) {
  Joined Result;
  auto update = [&](auto &Here, const auto &New) {
    Result.Changed |= Here != New;
    Here = New;
  };
  auto joinOrigins = [&](Origin &Here, const Origin &There) {
    if (Here == There)
      return;
    update(Here, Origin{uint16_t(Here.MayBe | There.MayBe),
                        Here.CopyOf == There.CopyOf ? Here.CopyOf : int8_t(-1),
                        Bases.join(Here.Address, There.Address)});
  };
  for (unsigned I = 0; I < NumGeneral; ++I)
    joinOrigins(General[I], Other.General[I]);
  update(MayBeOld, MayBeOld | Other.MayBeOld);
  update(AreOld, AreOld & Other.AreOld);
  // Both are in order.
  auto There = Other.Slots.begin();
  auto loseBefore = [&](StackAddress At) {
    for (; There != Other.Slots.end() && There->At < At; ++There)
      Result.Lost |= There->Content.MayBe;
  };
  erase_if(Slots, [&](Slot &S) {
    loseBefore(S.At);
    if (There != Other.Slots.end() && There->At == S.At) {
      joinOrigins(S.Content, (There++)->Content);
      return false;
    }
    Result.Lost |= S.Content.MayBe;
    return Result.Changed = true;
  });
  for (; There != Other.Slots.end(); ++There)
    Result.Lost |= There->Content.MayBe;
  return Result;
}

const Origin *KnownStack::find(StackAddress At) const {
  const auto It = lower_bound(
      Slots, At, [](const Slot &S, const StackAddress &A) { return S.At < A; });
  return It != Slots.end() && It->At == At ? &It->Content : nullptr;
}

void KnownStack::set(StackAddress At, const Origin &Content) {
  const auto It = lower_bound(
      Slots, At, [](const Slot &S, const StackAddress &A) { return S.At < A; });
  if (It != Slots.end() && It->At == At)
    It->Content = Content;
  else
    Slots.insert(It, {At, Content});
}
