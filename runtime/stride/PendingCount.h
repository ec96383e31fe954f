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

namespace graupel::stride {

using Addresses16 = uint64_t __attribute__((vector_size(128)));
using Numbers16 = uint32_t __attribute__((vector_size(64)));
using Bits16 = bool __attribute__((ext_vector_type(16)));
static_assert(Pending::Block == 16);

/// What is known of sixteen references.
struct BinBlock {
  /// The counter in a wide share, the bin, by lag.
  uint32_t Place[TupleLags][Pending::Block];
  uint32_t Bin[TupleLags][Pending::Block];
  /// How many lags variant filtered counts.
  uint32_t Counted[Pending::Block];
  /// Which ones differ from the first one.
  uint32_t Different;
  uint32_t Forward, Backward;
};

template <class Vector> GRAUPEL_HOT void loadTo(Vector &To, const void *From) {
  memcpy(&To, From, sizeof(To));
}

GRAUPEL_HOT uint32_t bitsOf(Bits16 Which) {
  return __builtin_bit_cast(uint16_t, Which);
}

/// Conversion to a floating point number finds the logarithm of a distance: its
/// exponent minus 6 is the bin of [128, 2^31), and larger than any other
/// distance, which is its own bin.
GRAUPEL_HOT void findBins(const Counting &C, const uint64_t *Address,
                          BinBlock &B) {
  using Signed16 = int32_t __attribute__((vector_size(64)));
  using Floats16 = float __attribute__((vector_size(64)));
  using SignedAddresses16 = int64_t __attribute__((vector_size(128)));
  const uint64_t Enough =
      C.PassAbove < firstOf(Bins - 1) ? firstOf(Bins - 1) : C.PassAbove + 1;
  const auto PassAbove = static_cast<uint32_t>(C.PassAbove);
  Addresses16 A, Previous;
  loadTo(A, Address);
  loadTo(Previous, Address - 1);
  B.Forward = bitsOf(__builtin_convertvector(A > Previous, Bits16));
  B.Backward = bitsOf(__builtin_convertvector(A < Previous, Bits16));
  Numbers16 Alive = Numbers16{} - 1, Counted{}, Different{};
  for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag) {
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
    Numbers16 Place = Bin + 2 * Lag * Share::RowWords +
                      (~Alive & Numbers16{} + Share::RowWords);
    Counted -= Alive;
    Alive &= reinterpret_cast<Numbers16>(Distance > PassAbove);
    Different |= Place ^ __builtin_shufflevector(Place, Place, 0, 0, 0, 0, 0, 0,
                                                 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    memcpy(B.Place[Lag], &Place, sizeof(Place));
    memcpy(B.Bin[Lag], &Bin, sizeof(Bin));
  }
  memcpy(B.Counted, &Counted, sizeof(Counted));
  B.Different = bitsOf(__builtin_convertvector(Different != 0, Bits16)) |
                (B.Forward & 1 ? ~B.Forward : B.Forward) |
                (B.Backward & 1 ? ~B.Backward : B.Backward);
}

GRAUPEL_HOT uint64_t tupleOf(const Counting &C, const BinBlock &B, unsigned N) {
  uint64_t Meta = B.Counted[N];
  Meta |= B.Forward >> N & 1 ? Share::ForwardBit : 0;
  Meta |= B.Backward >> N & 1 ? Share::BackwardBit : 0;
  uint64_t Tuple = Meta << Share::MetaShift;
  for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag)
    Tuple |= static_cast<uint64_t>(B.Bin[Lag][N]) << 8 * Lag;
  return Tuple;
}

/// The same, for all of them.
GRAUPEL_HOT void findTuples(const Counting &C, const BinBlock &B,
                            uint64_t (&Tuples)[Pending::Block]) {
  for (unsigned N = 0; N < Pending::Block; ++N)
    Tuples[N] = tupleOf(C, B, N);
}

GRAUPEL_HOT void countPlaces(const Counting &C, const BinBlock &B, unsigned N,
                             uint64_t *Rows) {
  if (C.MaxLag == 5) {
    ++Rows[B.Place[0][N]];
    ++Rows[B.Place[1][N]];
    ++Rows[B.Place[2][N]];
    ++Rows[B.Place[3][N]];
    ++Rows[B.Place[4][N]];
    return;
  }
  for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag)
    ++Rows[B.Place[Lag][N]];
}

/// A block of one share.
GRAUPEL_HOT void countAlike(const Counting &C, Share &H, const BinBlock &B,
                            unsigned Count) {
  const uint32_t Valid = (1u << Count) - 1;
  if (!(B.Different & Valid))
    return H.countTuple(C, tupleOf(C, B, 0), Count);
  unsigned N = 0;
  for (; N < Count && !H.wide(); ++N)
    H.countTuple(C, tupleOf(C, B, N), 1);
  if (N == Count)
    return;
  const uint32_t Rest = Valid & ~((1u << N) - 1);
  unsigned Forward = __builtin_popcount(B.Forward & Rest);
  unsigned Backward = __builtin_popcount(B.Backward & Rest);
  H.Signs[0] += Backward;
  H.Signs[1] += Count - N - Forward - Backward;
  H.Signs[2] += Forward;
  for (; N < Count; ++N)
    countPlaces(C, B, N, H.wide());
}

/// A block of several shares.
GRAUPEL_HOT void countMixed(const Counting &C, Share *const *Of,
                            const BinBlock &B, unsigned Count,
                            DirtyShares &Dirty) {
  uint64_t Tuples[Pending::Block];
  bool HasTuples = false;
  for (unsigned N = 0; N < Count; ++N) {
    Share &H = *Of[N];
    Dirty.add(&H);
    if (uint64_t *Rows = H.wide()) {
      ++H.Signs[1 + (B.Forward >> N & 1) - (B.Backward >> N & 1)];
      countPlaces(C, B, N, Rows);
      continue;
    }
    if (!HasTuples)
      findTuples(C, B, Tuples);
    HasTuples = true;
    H.countTuple(C, Tuples[N], 1);
  }
}

GRAUPEL_HOT void countPendingHere(const Counting &C, Stream &S,
                                  DirtyShares &Dirty) {
  uint64_t *Address = S.Begin;
  unsigned Count = S.waiting();
  constexpr unsigned Kept = sizeof(Eight) / sizeof(uint64_t);
  Eight Last =
      __builtin_shufflevector(S.recent(), S.recent(), 7, 6, 5, 4, 3, 2, 1, 0);
  memcpy(Address - Kept, &Last, sizeof(Last));
  auto *Of = reinterpret_cast<Share *const *>(Address + Stream::ShareAt);
  for (unsigned At = 0; At < Count; At += Pending::Block) {
    BinBlock B;
    findBins(C, Address + At, B);
    unsigned Now = Count - At < Pending::Block ? Count - At : Pending::Block;
    Addresses16 Shares;
    loadTo(Shares, Of + At);
    auto First = reinterpret_cast<uint64_t>(Of[At]);
    uint32_t Others = bitsOf(
        __builtin_convertvector(Shares != Addresses16{} + First, Bits16));
    if (Others & ((1u << Now) - 1)) {
      countMixed(C, Of + At, B, Now, Dirty);
      continue;
    }
    Dirty.add(Of[At]);
    countAlike(C, *Of[At], B, Now);
  }
  memcpy(&Last, Address + Count - Kept, sizeof(Last));
  Last = __builtin_shufflevector(Last, Last, 7, 6, 5, 4, 3, 2, 1, 0);
  S.setRecent(Last);
  S.rewind();
}

} // namespace graupel::stride

#endif
