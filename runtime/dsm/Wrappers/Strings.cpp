//===- Strings.cpp - The string functions on shared memory ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A string's end is not known before it is reached, so these go from what is
// valid to the next block that is not. Copies look for the end first and then
// are copies of memory.
//
//===----------------------------------------------------------------------===//

#include "Wrappers/Pieces.h"
#include "graupel/dsm_wrappers.h"
#include <cstring>

using namespace graupel::dsm;

namespace {

/// strncmp, of strings that may end anywhere.
int comparePieces(const char *A, const char *B, size_t Most) {
  for (size_t Piece; Most; Most -= Piece, A += Piece, B += Piece) {
    Piece = std::min(someLoadable(A, B), Most);
    if (int Difference = strncmp(A, B, Piece))
      return Difference;
    // Equal: both end in this piece, or none does.
    if (memchr(A, 0, Piece))
      return 0;
  }
  return 0;
}

} // namespace

size_t graupel_dsm_strlen(const char *S) {
  if (!isShared(S)) [[likely]]
    return strlen(S);
  return graupel_dsm_strnlen(S, SIZE_MAX);
}

size_t graupel_dsm_strnlen(const char *S, size_t Most) {
  if (!isShared(S)) [[likely]]
    return strnlen(S, Most);
  for (size_t Done = 0; Done != Most;) {
    size_t Piece = std::min(someLoadable(S + Done), Most - Done);
    size_t Length = strnlen(S + Done, Piece);
    Done += Length;
    if (Length != Piece)
      return Done;
  }
  return Most;
}

char *graupel_dsm_strcpy(char *To, const char *From) {
  if (!isShared(To) && !isShared(From)) [[likely]]
    return strcpy(To, From);
  graupel_dsm_memcpy(To, From, graupel_dsm_strlen(From) + 1);
  return To;
}

char *graupel_dsm_stpcpy(char *To, const char *From) {
  if (!isShared(To) && !isShared(From)) [[likely]]
    return stpcpy(To, From);
  size_t Length = graupel_dsm_strlen(From);
  graupel_dsm_memcpy(To, From, Length + 1);
  return To + Length;
}

char *graupel_dsm_strncpy(char *To, const char *From, size_t Size) {
  size_t Length = graupel_dsm_strnlen(From, Size);
  graupel_dsm_memcpy(To, From, Length);
  graupel_dsm_memset(To + Length, 0, Size - Length);
  return To;
}

int graupel_dsm_strcmp(const char *A, const char *B) {
  if (!isShared(A) && !isShared(B)) [[likely]]
    return strcmp(A, B);
  return comparePieces(A, B, SIZE_MAX);
}

int graupel_dsm_strncmp(const char *A, const char *B, size_t Most) {
  if (!isShared(A) && !isShared(B)) [[likely]]
    return strncmp(A, B, Most);
  return comparePieces(A, B, Most);
}

char *graupel_dsm_strcat(char *To, const char *From) {
  graupel_dsm_strcpy(To + graupel_dsm_strlen(To), From);
  return To;
}

char *graupel_dsm_strncat(char *To, const char *From, size_t Most) {
  char *End = To + graupel_dsm_strlen(To);
  size_t Length = graupel_dsm_strnlen(From, Most);
  graupel_dsm_memcpy(End, From, Length);
  graupel_dsm_memset(End + Length, 0, 1);
  return To;
}

char *graupel_dsm_strchr(const char *S, int Byte) {
  if (!isShared(S)) [[likely]]
    return const_cast<char *>(strchr(S, Byte));
  for (;;) {
    size_t Piece = someLoadable(S), Length = strnlen(S, Piece);
    // The end of the string is a byte that can be looked for, too.
    bool Ends = Length != Piece;
    if (const void *Found = memchr(S, Byte, Length + Ends))
      return static_cast<char *>(const_cast<void *>(Found));
    if (Ends)
      return nullptr;
    S += Piece;
  }
}

char *graupel_dsm_strrchr(const char *S, int Byte) {
  if (!isShared(S)) [[likely]]
    return const_cast<char *>(strrchr(S, Byte));
  const void *Last = nullptr;
  for (bool Ends = false; !Ends;) {
    size_t Piece = someLoadable(S), Length = strnlen(S, Piece);
    Ends = Length != Piece;
    if (const void *Found = memrchr(S, Byte, Length + Ends))
      Last = Found;
    S += Piece;
  }
  return static_cast<char *>(const_cast<void *>(Last));
}
