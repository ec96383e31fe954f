//===- Pieces.h - Ranges a few KiB at a time --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that take ranges of any size look at tags like checked code, which
// relies on a piece until the next handshake point. Every acquisition here is
// one, so there is a poll between any two pieces.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ENTRIES_PIECES_H
#define GRAUPEL_DSM_ENTRIES_PIECES_H

#include "Base/ThreadLook.h"
#include "Entries.h"
#include <algorithm>

namespace graupel::dsm {

/// The size that is held against other nodes at a time, on each side of a copy.
constexpr size_t PieceBytes = PageBytes;

/// Whether an address is shared. No object lies across the ends of such memory.
inline bool isShared(const void *P) {
  return Look.Shared.contains(reinterpret_cast<uintptr_t>(P));
}

inline graupel_dsm_range toLoad(const void *P, size_t Size) {
  return {P, Size << 1};
}
inline graupel_dsm_range toStore(const void *P, size_t Size) {
  return {P, Size << 1 | 1};
}

/// True if the summaries of the one or two pages of a range permit the access.
inline bool permitsAtOnce(const graupel_dsm_range &R) {
  auto A = reinterpret_cast<uintptr_t>(R.start);
  bool Store = R.size_and_store & 1;
  return permits(Look.Tags.summary(A), Store) &&
         permits(Look.Tags.summary(A + (R.size_and_store >> 1) - 1), Store);
}

inline bool mustPoll() {
  return !SelfLook ||
         __atomic_load_n(Look.Tags.base() + GRAUPEL_DSM_POLL_OFFSET,
                         __ATOMIC_RELAXED);
}

/// Returns when all ranges, of 1 to PieceBytes bytes each, are permitted
/// together. They are so until the next call of this or of someLoadable.
template <class... Ranges> inline void acquirePieces(Ranges... Given) {
  if (mustPoll() || !(permitsAtOnce(Given) && ...)) [[unlikely]] {
    graupel_dsm_range All[] = {Given...};
    graupel_dsm_poll_acquire(All, sizeof...(Given));
  }
  // No access is moved before the looks at tags.
  asm volatile("" ::: "memory");
}

/// Number of bytes from P on that may be loaded: 0 if the first may not, at
/// most up to the end of its page.
inline size_t loadableNow(const void *P) {
  auto A = reinterpret_cast<uintptr_t>(P), End = (A | (PageBytes - 1)) + 1;
  if (permits(Look.Tags.summary(A), false))
    return End - A;
  uintptr_t G = A;
  while (G != End && permits(Look.Tags.tag(G), false))
    G = (G | (GranuleBytes - 1)) + 1;
  return G - A;
}

/// For who does not know yet how much of a range will be needed: makes the
/// first byte of each string loadable, and nothing that is not in its block.
/// Returns how many bytes of all of them may be loaded until the next handshake
/// point.
template <class... Pointers> inline size_t someLoadable(Pointers... P) {
  if (!mustPoll()) [[likely]]
    if (size_t Now = std::min({loadableNow(P)...})) {
      asm volatile("" ::: "memory");
      return Now;
    }
  graupel_dsm_range All[] = {toLoad(P, 1)...};
  graupel_dsm_poll_acquire(All, sizeof...(P));
  size_t Now = std::min({loadableNow(P)...});
  asm volatile("" ::: "memory");
  return Now;
}

/// Bytes from At on, at most Left and PieceBytes, so that the next piece begins
/// with a page.
inline size_t pieceFrom(const void *At, size_t Left) {
  size_t Piece = PieceBytes - reinterpret_cast<uintptr_t>(At) % PieceBytes;
  return std::min(Piece, Left);
}

/// Bytes before End, in the same way.
inline size_t pieceBefore(const void *End, size_t Left) {
  size_t Piece = (reinterpret_cast<uintptr_t>(End) - 1) % PieceBytes + 1;
  return std::min(Piece, Left);
}

} // namespace graupel::dsm

#endif
