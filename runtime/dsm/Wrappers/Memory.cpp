//===- Memory.cpp - memcpy and its kin on shared memory ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements memcpy and its kin for shared memory. Each piece is left to the C
// library. Tags of private memory permit everything, so nothing below asks
// which side of a copy is the shared one.
//
// 1. Copies: cut where pages of the destination begin, make source and
//    destination of a piece valid together, and move it. memmove goes backwards
//    if the destination overlaps the source from above.
// 2. memset makes each piece valid for stores and fills it.
// 3. Comparisons and searches: make the first byte valid, and look at all bytes
//    that may be loaded now, until the result is known (someLoadable).
// 4. mempcpy, memccpy, memmem, bcopy, bzero and others are made of these.
// 5. The forms of -D_FORTIFY_SOURCE check the size of the destination first.
//
//===----------------------------------------------------------------------===//

#include "Entries/Pieces.h"
#include "Wrappers/Checked.h"
#include "graupel/dsm_wrappers.h"
#include <cstring>

using namespace graupel::dsm;

namespace {

char *bytes(void *P) { return static_cast<char *>(P); }
const char *bytes(const void *P) { return static_cast<const char *>(P); }

void copyPiece(char *To, const char *From, size_t Size) {
  acquirePieces(toLoad(From, Size), toStore(To, Size));
  memmove(To, From, Size);
}

void copyForward(char *To, const char *From, size_t Size) {
  for (size_t Piece; Size; Size -= Piece, To += Piece, From += Piece) {
    Piece = pieceFrom(To, Size);
    copyPiece(To, From, Piece);
  }
}

void copyBackward(char *To, const char *From, size_t Size) {
  while (Size) {
    size_t Piece = pieceBefore(To + Size, Size);
    Size -= Piece;
    copyPiece(To + Size, From + Size, Piece);
  }
}

int comparePieces(const char *A, const char *B, size_t Size) {
  for (size_t Piece; Size; Size -= Piece, A += Piece, B += Piece) {
    Piece = std::min(someLoadable(A, B), Size);
    if (int Difference = memcmp(A, B, Piece))
      return Difference;
  }
  return 0;
}

} // namespace

void *graupel_dsm_memcpy(void *To, const void *From, size_t Size) {
  if (!isShared(To) && !isShared(From)) [[likely]]
    return memcpy(To, From, Size);
  copyForward(bytes(To), bytes(From), Size);
  return To;
}

void *graupel_dsm_memmove(void *To, const void *From, size_t Size) {
  if (!isShared(To) && !isShared(From)) [[likely]]
    return memmove(To, From, Size);
  bool Overlaps =
      reinterpret_cast<uintptr_t>(To) - reinterpret_cast<uintptr_t>(From) <
      Size;
  (Overlaps ? copyBackward : copyForward)(bytes(To), bytes(From), Size);
  return To;
}

void *graupel_dsm_memset(void *To, int Byte, size_t Size) {
  if (!isShared(To)) [[likely]]
    return memset(To, Byte, Size);
  char *At = bytes(To);
  for (size_t Piece; Size; Size -= Piece, At += Piece) {
    Piece = pieceFrom(At, Size);
    acquirePieces(toStore(At, Piece));
    memset(At, Byte, Piece);
  }
  return To;
}

int graupel_dsm_memcmp(const void *A, const void *B, size_t Size) {
  if (!isShared(A) && !isShared(B)) [[likely]]
    return memcmp(A, B, Size);
  return comparePieces(bytes(A), bytes(B), Size);
}

int graupel_dsm_bcmp(const void *A, const void *B, size_t Size) {
  return graupel_dsm_memcmp(A, B, Size);
}

void *graupel_dsm_memchr(const void *S, int Byte, size_t Size) {
  if (!isShared(S)) [[likely]]
    return const_cast<void *>(memchr(S, Byte, Size));
  const char *At = bytes(S);
  for (size_t Piece; Size; Size -= Piece, At += Piece) {
    Piece = std::min(someLoadable(At), Size);
    if (const void *Found = memchr(At, Byte, Piece))
      return const_cast<void *>(Found);
  }
  return nullptr;
}

void *graupel_dsm_memrchr(const void *S, int Byte, size_t Size) {
  if (!isShared(S)) [[likely]]
    return const_cast<void *>(memrchr(S, Byte, Size));
  const char *At = bytes(S);
  const void *Last = nullptr;
  for (size_t Piece; Size; Size -= Piece, At += Piece) {
    Piece = std::min(someLoadable(At), Size);
    if (const void *Found = memrchr(At, Byte, Piece))
      Last = Found;
  }
  return const_cast<void *>(Last);
}

void *graupel_dsm_rawmemchr(const void *S, int Byte) {
  return graupel_dsm_memchr(S, Byte, SIZE_MAX);
}

void *graupel_dsm_mempcpy(void *To, const void *From, size_t Size) {
  return bytes(graupel_dsm_memcpy(To, From, Size)) + Size;
}

void *graupel_dsm_memccpy(void *To, const void *From, int Byte, size_t Size) {
  const void *Found = graupel_dsm_memchr(From, Byte, Size);
  if (Found)
    Size = bytes(Found) + 1 - bytes(From);
  graupel_dsm_memcpy(To, From, Size);
  return Found ? bytes(To) + Size : nullptr;
}

void *graupel_dsm_memmem(const void *In, size_t Size, const void *Needle,
                         size_t Length) {
  const char *At = bytes(In), *End = At + Size;
  if (!Length)
    return const_cast<void *>(In);
  char First;
  graupel_dsm_memcpy(&First, Needle, 1);
  for (; Length <= static_cast<size_t>(End - At); ++At) {
    At = bytes(static_cast<const void *>(
        graupel_dsm_memchr(At, First, End - At - Length + 1)));
    if (!At)
      return nullptr;
    if (!graupel_dsm_memcmp(At, Needle, Length))
      return const_cast<char *>(At);
  }
  return nullptr;
}

void graupel_dsm_bcopy(const void *From, void *To, size_t Size) {
  graupel_dsm_memmove(To, From, Size);
}

void graupel_dsm_bzero(void *To, size_t Size) {
  graupel_dsm_memset(To, 0, Size);
}

void graupel_dsm_explicit_bzero(void *To, size_t Size) {
  graupel_dsm_memset(To, 0, Size);
}

//===-- As -D_FORTIFY_SOURCE calls them -----------------------------------===//

GRAUPEL_CHECKED(void *, memcpy, Size,
                (void *To, const void *From, size_t Size, size_t Room), To,
                From, Size)
GRAUPEL_CHECKED(void *, memmove, Size,
                (void *To, const void *From, size_t Size, size_t Room), To,
                From, Size)
GRAUPEL_CHECKED(void *, memset, Size,
                (void *To, int Byte, size_t Size, size_t Room), To, Byte, Size)

void *graupel_dsm___mempcpy_chk(void *To, const void *From, size_t Size,
                                size_t Room) {
  return bytes(graupel_dsm___memcpy_chk(To, From, Size, Room)) + Size;
}

void graupel_dsm___explicit_bzero_chk(void *To, size_t Size, size_t Room) {
  graupel_dsm___memset_chk(To, 0, Size, Room);
}
