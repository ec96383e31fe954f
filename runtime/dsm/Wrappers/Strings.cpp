//===- Strings.cpp - The string functions on shared memory ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the string functions for shared memory.
//
// 1. Lengths, comparisons and searches: a string's end is not known before it
//    is reached. So go from the bytes that may be loaded now to the next block
//    that may not, until the result is known (someLoadable).
// 2. Copies: look for the end first, then copy memory.
// 3. Functions on private copies: the C library does strstr, strcoll and
//    others. A result within a copy becomes one within the string (find).
// 4. Tokens: strtok and strsep are made of strspn and strcspn.
// 5. The forms of -D_FORTIFY_SOURCE check the size of the destination first.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Wrappers/Checked.h"
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

char *graupel_dsm_strchrnul(const char *S, int Byte) {
  if (!isShared(S)) [[likely]]
    return const_cast<char *>(strchrnul(S, Byte));
  char *Found = graupel_dsm_strchr(S, Byte);
  return Found ? Found : const_cast<char *>(S) + graupel_dsm_strlen(S);
}

char *graupel_dsm_index(const char *S, int Byte) {
  return graupel_dsm_strchr(S, Byte);
}

char *graupel_dsm_rindex(const char *S, int Byte) {
  return graupel_dsm_strrchr(S, Byte);
}

char *graupel_dsm_stpncpy(char *To, const char *From, size_t Size) {
  size_t Length = graupel_dsm_strnlen(From, Size);
  graupel_dsm_strncpy(To, From, Size);
  return To + Length;
}

size_t graupel_dsm_strlcpy(char *To, const char *From, size_t Size) {
  size_t Length = graupel_dsm_strlen(From);
  if (Size) {
    size_t Copied = std::min(Length, Size - 1);
    graupel_dsm_memcpy(To, From, Copied);
    graupel_dsm_memset(To + Copied, 0, 1);
  }
  return Length;
}

size_t graupel_dsm_strlcat(char *To, const char *From, size_t Size) {
  size_t Length = graupel_dsm_strnlen(To, Size);
  return Length + graupel_dsm_strlcpy(To + Length, From, Size - Length);
}

char *graupel_dsm_strdup(const char *S) {
  if (!isShared(S)) [[likely]]
    return strdup(S);
  return graupel_dsm_strndup(S, SIZE_MAX);
}

char *graupel_dsm_strndup(const char *S, size_t Most) {
  if (!isShared(S)) [[likely]]
    return strndup(S, Most);
  size_t Length = graupel_dsm_strnlen(S, Most);
  auto *Copy = static_cast<char *>(malloc(Length + 1));
  if (!Copy)
    return nullptr;
  graupel_dsm_memcpy(Copy, S, Length);
  Copy[Length] = 0;
  return Copy;
}

//===-- On private copies -------------------------------------------------===//

namespace {

/// Function(a, b) that returns a pointer into a.
template <class F> char *find(const char *A, const char *B, F Function) {
  String PrivateA(A), PrivateB(B);
  const char *Found = Function(PrivateA.get(), PrivateB.get());
  return const_cast<char *>(PrivateA.back(Found));
}

} // namespace

char *graupel_dsm_strstr(const char *S, const char *Needle) {
  return find(S, Needle, [](const char *A, const char *B) -> const char * {
    return strstr(A, B);
  });
}

char *graupel_dsm_strcasestr(const char *S, const char *Needle) {
  return find(S, Needle, [](const char *A, const char *B) -> const char * {
    return strcasestr(A, B);
  });
}

char *graupel_dsm_strpbrk(const char *S, const char *Set) {
  return find(S, Set, [](const char *A, const char *B) -> const char * {
    return strpbrk(A, B);
  });
}

GRAUPEL_WRAP(int, strcasecmp, (const char *A, const char *B), String(A),
             String(B))
GRAUPEL_WRAP(int, strcoll, (const char *A, const char *B), String(A), String(B))
GRAUPEL_WRAP(int, strverscmp, (const char *A, const char *B), String(A),
             String(B))
GRAUPEL_WRAP(size_t, strspn, (const char *S, const char *Set), String(S),
             String(Set))
GRAUPEL_WRAP(size_t, strcspn, (const char *S, const char *Set), String(S),
             String(Set))
GRAUPEL_WRAP(int, strcasecmp_l, (const char *A, const char *B, locale_t L),
             String(A), String(B), L)
GRAUPEL_WRAP(int, strcoll_l, (const char *A, const char *B, locale_t L),
             String(A), String(B), L)
GRAUPEL_WRAP(int, strncasecmp, (const char *A, const char *B, size_t Most),
             String(A, Most), String(B, Most), Most)
GRAUPEL_WRAP(int, strncasecmp_l,
             (const char *A, const char *B, size_t Most, locale_t L),
             String(A, Most), String(B, Most), Most, L)

namespace {

/// Function(to, size) stores text of the length that it returns, if it fits.
template <class F> size_t transform(char *To, size_t Size, F Function) {
  Results Private(To, Size);
  size_t Length = Function(Private.get(), Size);
  if (Length < Size)
    Private.stored(Length + 1);
  return Length;
}

} // namespace

extern "C" {

size_t graupel_dsm_strxfrm(char *To, const char *From, size_t Size) {
  return transform(To, Size, [From](char *To, size_t Size) {
    return strxfrm(To, String(From), Size);
  });
}

size_t graupel_dsm_strxfrm_l(char *To, const char *From, size_t Size,
                             locale_t L) {
  return transform(To, Size, [From, L](char *To, size_t Size) {
    return strxfrm_l(To, String(From), Size, L);
  });
}

char *graupel_dsm_strerror_r(int Error, char *To, size_t Size) {
  Objects Private(To, Size);
  char *Text = strerror_r(Error, Private.get(), Size);
  return Text == Private.get() ? To : Text;
}

/// The GNU one, which changes nothing.
char *graupel_dsm_basename(const char *Path) {
  const char *Slash = graupel_dsm_strrchr(Path, '/');
  return const_cast<char *>(Slash ? Slash + 1 : Path);
}

} // extern "C"

extern "C" int __xpg_strerror_r(int, char *, size_t);
GRAUPEL_WRAP(int, __xpg_strerror_r, (int Error, char *To, size_t Size), Error,
             Objects(To, Size), Size)

//===-- Tokens ------------------------------------------------------------===//

char *graupel_dsm_strtok_r(char *S, const char *Set, char **State) {
  Object Rest(State);
  char *At = S ? S : *Rest.get();
  if (!At)
    return nullptr;
  At += graupel_dsm_strspn(At, Set);
  size_t Length = graupel_dsm_strcspn(At, Set);
  if (!Length) {
    *Rest.get() = At;
    return nullptr;
  }
  char *End = At + Length, Ends;
  graupel_dsm_memcpy(&Ends, End, 1);
  if (Ends)
    graupel_dsm_memset(End++, 0, 1);
  *Rest.get() = End;
  return At;
}

char *graupel_dsm_strtok(char *S, const char *Set) {
  // One place for the process, as the C library has.
  static char *State;
  return graupel_dsm_strtok_r(S, Set, &State);
}

char *graupel_dsm_strsep(char **State, const char *Set) {
  Object Rest(State);
  char *At = *Rest.get();
  if (!At)
    return nullptr;
  char *End = At + graupel_dsm_strcspn(At, Set), Ends;
  graupel_dsm_memcpy(&Ends, End, 1);
  if (Ends)
    graupel_dsm_memset(End++, 0, 1);
  *Rest.get() = Ends ? End : nullptr;
  return At;
}

//===-- As -D_FORTIFY_SOURCE calls them -----------------------------------===//

GRAUPEL_CHECKED(char *, strcpy, graupel_dsm_strlen(From) + 1,
                (char *To, const char *From, size_t Room), To, From)
GRAUPEL_CHECKED(char *, stpcpy, graupel_dsm_strlen(From) + 1,
                (char *To, const char *From, size_t Room), To, From)
GRAUPEL_CHECKED(char *, strncpy, Size,
                (char *To, const char *From, size_t Size, size_t Room), To,
                From, Size)
GRAUPEL_CHECKED(char *, stpncpy, Size,
                (char *To, const char *From, size_t Size, size_t Room), To,
                From, Size)
GRAUPEL_CHECKED(size_t, strlcpy, Size,
                (char *To, const char *From, size_t Size, size_t Room), To,
                From, Size)
GRAUPEL_CHECKED(size_t, strlcat, Size,
                (char *To, const char *From, size_t Size, size_t Room), To,
                From, Size)
GRAUPEL_CHECKED(char *, strcat,
                graupel_dsm_strlen(To) + graupel_dsm_strlen(From) + 1,
                (char *To, const char *From, size_t Room), To, From)
GRAUPEL_CHECKED(char *, strncat,
                graupel_dsm_strlen(To) + graupel_dsm_strnlen(From, Most) + 1,
                (char *To, const char *From, size_t Most, size_t Room), To,
                From, Most)
