//===- stride/PendingCount.h - Counting sixteen at once --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// countPending, in vectors of whatever width the including function is compiled
// for.
//
//   1. Bins of a block of references, lag by lag, and the places of their
//      counters in a wide share.
//   2. If all of the block are of one share and equal, they are one run.
//   3. Otherwise each is counted: in a wide share by its counters' places, in
//      another one by its tuple.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_PENDINGCOUNT_H
#define GRAUPEL_STRIDE_PENDINGCOUNT_H

#include "Pending.h"
#include <cstring>

namespace graupel::stride {

using Addresses16 = uint64_t __attribute__((vector_size(128)));
using Numbers16 = uint32_t __attribute__((vector_size(64)));
using Bits16 = bool __attribute__((ext_vector_type(16)));
static_assert(Pending::Block == 16);

/// Bins of sixteen references.
struct alignas(64) BinBlock {
  /// The counter in a wide share, the bin, by lag.
  uint32_t Place[TupleLags][Pending::Block];
  uint32_t Bin[TupleLags][Pending::Block];
  /// Number of lags that variant filtered counts.
  uint32_t Counted[Pending::Block];
  uint32_t Sign[Pending::Block]; ///< In Share::Signs.
  /// A bit for each reference that differs from the first one.
  uint32_t Different;
};

template <class Vector> GRAUPEL_HOT void loadTo(Vector &To, const void *From) {
  memcpy(&To, From, sizeof(To));
}

GRAUPEL_HOT uint32_t bitsOf(Bits16 Which) {
  return __builtin_bit_cast(uint16_t, Which);
}

// A function would have vectors as arguments.
#define FIRST_EVERYWHERE(V)                                                    \
  __builtin_shufflevector(V, V, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

/// Counts the waiting references of a stream with `Lags` lags.
template <unsigned Lags> class PendingCounter {
public:
  PendingCounter(const Counting &C, DirtyShares &Dirty) : C(C), Dirty(Dirty) {}
  GRAUPEL_HOT void count(Stream &S);

private:
  GRAUPEL_HOT void findBins(const uint64_t *Address);
  GRAUPEL_HOT uint64_t tuple(unsigned N) const;
  GRAUPEL_HOT void countPlaces(unsigned N, Share &H, uint16_t *Rows) const;
  GRAUPEL_HOT void countAlike(Share &H, unsigned Count) const;
  GRAUPEL_HOT void countMixed(Share *const *Hists, unsigned Count) const;

  const Counting &C;
  DirtyShares &Dirty;
  BinBlock B;
};

/// Conversion to a floating point number finds the logarithm of a distance: its
/// exponent minus 6 is the bin of [128, 2^31), and larger than any other
/// distance, which is its own bin.
template <unsigned Lags>
GRAUPEL_HOT void PendingCounter<Lags>::findBins(const uint64_t *Address) {
  using Signed16 = int32_t __attribute__((vector_size(64)));
  using Floats16 = float __attribute__((vector_size(64)));
  using SignedAddresses16 = int64_t __attribute__((vector_size(128)));
  const uint64_t Enough =
      C.PassAbove < firstOf(Bins - 1) ? firstOf(Bins - 1) : C.PassAbove + 1;
  const auto PassAbove = static_cast<uint32_t>(C.PassAbove);
  Addresses16 A, Previous;
  loadTo(A, Address);
  loadTo(Previous, Address - 1);
  Numbers16 Sign = __builtin_convertvector(A < Previous, Numbers16) -
                   __builtin_convertvector(A > Previous, Numbers16) + 1;
  Numbers16 Alive = Numbers16{} - 1, Counted{};
  Numbers16 Different = Sign ^ FIRST_EVERYWHERE(Sign);
  for (unsigned Lag = 0; Lag < Lags; ++Lag) {
    loadTo(Previous, Address - 1 - Lag);
    auto Far = reinterpret_cast<Addresses16>(__builtin_elementwise_abs(
        reinterpret_cast<SignedAddresses16>(A - Previous)));
    Far = __builtin_elementwise_min(Far, Addresses16{} + Enough);
    Numbers16 Distance = __builtin_convertvector(Far, Numbers16);
    auto Exponent = reinterpret_cast<Numbers16>(__builtin_convertvector(
                        reinterpret_cast<Signed16>(Distance), Floats16)) >>
                    23;
    Numbers16 Bin = __builtin_elementwise_min(Distance, Exponent - 6);
    Bin = __builtin_elementwise_min(Bin, Numbers16{} + (Bins - 1));
    Numbers16 Place =
        Bin + Counters::wideAt(Lag, false, 0) + (~Alive & Numbers16{} + Bins);
    Counted -= Alive;
    Alive &= reinterpret_cast<Numbers16>(Distance > PassAbove);
    Different |= Place ^ FIRST_EVERYWHERE(Place);
    memcpy(B.Place[Lag], &Place, sizeof(Place));
    memcpy(B.Bin[Lag], &Bin, sizeof(Bin));
  }
  memcpy(B.Counted, &Counted, sizeof(Counted));
  memcpy(B.Sign, &Sign, sizeof(Sign));
  B.Different = bitsOf(__builtin_convertvector(Different != 0, Bits16));
}

template <unsigned Lags>
GRAUPEL_HOT uint64_t PendingCounter<Lags>::tuple(unsigned N) const {
  static constexpr uint64_t SignBits[3] = {TupleBackward, 0, TupleForward};
  uint64_t Tuple = (B.Counted[N] | SignBits[B.Sign[N]]) << TupleMetaShift;
  for (unsigned Lag = 0; Lag < Lags; ++Lag)
    Tuple |= static_cast<uint64_t>(B.Bin[Lag][N]) << 8 * Lag;
  return Tuple;
}

template <unsigned Lags>
GRAUPEL_HOT void PendingCounter<Lags>::countPlaces(unsigned N, Share &H,
                                                   uint16_t *Rows) const {
  ++H.Signs[B.Sign[N]];
  for (unsigned Lag = 0; Lag < Lags; ++Lag)
    ++Rows[B.Place[Lag][N]];
}

/// A block of one share.
template <unsigned Lags>
GRAUPEL_HOT void PendingCounter<Lags>::countAlike(Share &H,
                                                  unsigned Count) const {
  Dirty.add(&H);
  if (!(B.Different & ((1u << Count) - 1)))
    return H.countTuple(C, tuple(0), Count);
  unsigned N = 0;
  for (; N < Count && !H.OpenRows; ++N)
    H.countTuple(C, tuple(N), 1);
  for (uint16_t *Rows = H.OpenRows; N < Count; ++N)
    countPlaces(N, H, Rows);
}

/// A block of several shares.
template <unsigned Lags>
GRAUPEL_HOT void PendingCounter<Lags>::countMixed(Share *const *Hists,
                                                  unsigned Count) const {
  for (unsigned N = 0; N < Count; ++N) {
    Share &H = *Hists[N];
    if (uint16_t *Rows = H.OpenRows) {
      countPlaces(N, H, Rows);
      continue;
    }
    Dirty.add(&H);
    H.countTuple(C, tuple(N), 1);
  }
}

template <unsigned Lags>
GRAUPEL_HOT void PendingCounter<Lags>::count(Stream &S) {
  uint64_t *Address = S.Begin;
  unsigned Count = S.waiting();
  Dirty.begin(C, Count);
  constexpr unsigned Kept = sizeof(Eight) / sizeof(uint64_t);
  Eight Last =
      __builtin_shufflevector(S.recent(), S.recent(), 7, 6, 5, 4, 3, 2, 1, 0);
  memcpy(Address - Kept, &Last, sizeof(Last));
  auto *Hists = reinterpret_cast<Share *const *>(Address + Stream::ShareAt);
  for (unsigned At = 0; At < Count; At += Pending::Block) {
    findBins(Address + At);
    unsigned Now = Count - At < Pending::Block ? Count - At : Pending::Block;
    Addresses16 Shares;
    loadTo(Shares, Hists + At);
    auto First = reinterpret_cast<uint64_t>(Hists[At]);
    uint32_t Others = bitsOf(
        __builtin_convertvector(Shares != Addresses16{} + First, Bits16));
    if (Others & ((1u << Now) - 1))
      countMixed(Hists + At, Now);
    else
      countAlike(*Hists[At], Now);
  }
  memcpy(&Last, Address + Count - Kept, sizeof(Last));
  Last = __builtin_shufflevector(Last, Last, 7, 6, 5, 4, 3, 2, 1, 0);
  S.setRecent(Last);
  S.rewind();
}

#undef FIRST_EVERYWHERE

/// countPending(), compiled for the caller's processor.
GRAUPEL_HOT void countPendingHere(const Counting &C, Stream &S,
                                  DirtyShares &Dirty) {
  switch (C.MaxLag) {
  case 1:
    return PendingCounter<1>(C, Dirty).count(S);
  case 2:
    return PendingCounter<2>(C, Dirty).count(S);
  case 3:
    return PendingCounter<3>(C, Dirty).count(S);
  case 4:
    return PendingCounter<4>(C, Dirty).count(S);
  case 5:
    return PendingCounter<5>(C, Dirty).count(S);
  case 6:
    return PendingCounter<6>(C, Dirty).count(S);
  default:
    return PendingCounter<TupleLags>(C, Dirty).count(S);
  }
}

} // namespace graupel::stride

#endif
