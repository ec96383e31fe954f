//===- Wide.cpp - Wide strings in shared memory -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the functions on wide strings for shared memory. They are rare, so
// most functions use private copies.
//
// 1. lengthOf goes from the characters that may be loaded now to the next
//    block. Blocks are no shorter than characters, so a piece has whole ones.
//    WideString is a private copy of that length.
// 2. Copies are copies of memory, after the length is known.
// 3. Comparisons, searches and conversions to numbers: the C library gets
//    private copies. Results within a copy become ones within the string.
// 4. Multibyte: recode finds the length first, so that no more of a shared
//    destination is touched than the text needs. If the text has an error, all
//    of the destination may be read.
// 5. The forms of -D_FORTIFY_SOURCE check the size of the destination first.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Wrappers/Checked.h"
#include "Wrappers/Convert.h"
#include <climits>
#include <cwchar>

using namespace graupel::dsm;

namespace {

constexpr size_t Letter = sizeof(wchar_t);

size_t lengthOf(const wchar_t *S, size_t Most) {
  for (size_t Done = 0; Done != Most;) {
    size_t Piece = std::min(someLoadable(S + Done) / Letter, Most - Done);
    size_t Length = wcsnlen(S + Done, Piece);
    Done += Length;
    if (Length != Piece)
      return Done;
  }
  return Most;
}

/// A string that is only read, or what it has in its first Most characters.
class WideString {
public:
  WideString(const wchar_t *S, size_t Most = SIZE_MAX) : Given(S) {
    if (!isShared(S)) [[likely]]
      return;
    size_t Length = lengthOf(S, Most);
    Copy = static_cast<wchar_t *>(privateMemory((Length + 1) * Letter));
    graupel_dsm_memcpy(Copy, S, Length * Letter);
    Copy[Length] = 0;
  }
  ~WideString() { free(Copy); }
  WideString(const WideString &) = delete;
  WideString &operator=(const WideString &) = delete;
  operator const wchar_t *() const { return Copy ? Copy : Given; }
  wchar_t *back(const wchar_t *P) const {
    return const_cast<wchar_t *>(P && Copy ? Given + (P - Copy) : P);
  }

private:
  const wchar_t *Given;
  wchar_t *Copy = nullptr;
};

wchar_t *copy(wchar_t *To, const wchar_t *From, size_t Letters) {
  graupel_dsm_memcpy(To, From, Letters * Letter);
  return To;
}

/// Function(To, Text, N). N may be more than there is at To: no more of it is
/// touched than the text needs.
template <class F, class Unit, class Given>
size_t recode(F Function, Unit *To, const Given &Text, size_t N) {
  if (!isShared(To))
    return Function(To, Text, N);
  size_t Length = Function(nullptr, Text, 0);
  N = std::min(N, Length == size_t(-1) ? N : Length + 1);
  return Function(Objects(To, N), Text, N);
}

/// Function(To, Text, N) stores text of the length that it returns, if it fits.
template <class F>
size_t transform(F Function, wchar_t *To, const WideString &Text, size_t N) {
  Results Private(To, N);
  size_t Length = Function(Private.get(), Text, N);
  if (Length < N)
    Private.stored(Length + 1);
  return Length;
}

/// Number of the N bytes at S that may be read for a character.
size_t oneLetter(const char *S, size_t N) {
  size_t Most = std::min<size_t>(N, MB_LEN_MAX);
  return S ? std::min(Most, graupel_dsm_strnlen(S, Most) + 1) : 0;
}

} // namespace

extern "C" {

size_t graupel_dsm_wcslen(const wchar_t *S) {
  return isShared(S) ? lengthOf(S, SIZE_MAX) : wcslen(S);
}
size_t graupel_dsm_wcsnlen(const wchar_t *S, size_t Most) {
  return isShared(S) ? lengthOf(S, Most) : wcsnlen(S, Most);
}
wchar_t *graupel_dsm_wmemcpy(wchar_t *To, const wchar_t *From, size_t N) {
  return copy(To, From, N);
}
wchar_t *graupel_dsm_wmempcpy(wchar_t *To, const wchar_t *From, size_t N) {
  return copy(To, From, N) + N;
}
wchar_t *graupel_dsm_wmemmove(wchar_t *To, const wchar_t *From, size_t N) {
  graupel_dsm_memmove(To, From, N * Letter);
  return To;
}
wchar_t *graupel_dsm_wmemset(wchar_t *To, wchar_t C, size_t N) {
  if (!isShared(To))
    return wmemset(To, C, N);
  for (size_t I = 0; I != N; ++I)
    copy(To + I, &C, 1);
  return To;
}
int graupel_dsm_wmemcmp(const wchar_t *A, const wchar_t *B, size_t N) {
  return wmemcmp(Objects(A, N), Objects(B, N), N);
}
wchar_t *graupel_dsm_wmemchr(const wchar_t *S, wchar_t C, size_t N) {
  Objects Private(S, N);
  const wchar_t *Start = Private, *Found = wmemchr(Start, C, N);
  return const_cast<wchar_t *>(Found ? S + (Found - Start) : nullptr);
}
wchar_t *graupel_dsm_wcscpy(wchar_t *To, const wchar_t *From) {
  return copy(To, From, graupel_dsm_wcslen(From) + 1);
}
wchar_t *graupel_dsm_wcsncpy(wchar_t *To, const wchar_t *From, size_t N) {
  size_t Length = graupel_dsm_wcsnlen(From, N);
  copy(To, From, Length);
  graupel_dsm_memset(To + Length, 0, (N - Length) * Letter);
  return To;
}
wchar_t *graupel_dsm_wcpcpy(wchar_t *To, const wchar_t *From) {
  size_t Length = graupel_dsm_wcslen(From);
  return copy(To, From, Length + 1) + Length;
}
wchar_t *graupel_dsm_wcpncpy(wchar_t *To, const wchar_t *From, size_t N) {
  size_t Length = graupel_dsm_wcsnlen(From, N);
  return graupel_dsm_wcsncpy(To, From, N) + Length;
}
wchar_t *graupel_dsm_wcscat(wchar_t *To, const wchar_t *From) {
  graupel_dsm_wcscpy(To + graupel_dsm_wcslen(To), From);
  return To;
}
wchar_t *graupel_dsm_wcsncat(wchar_t *To, const wchar_t *From, size_t N) {
  wchar_t *End = To + graupel_dsm_wcslen(To);
  size_t Length = graupel_dsm_wcsnlen(From, N);
  copy(End, From, Length);
  graupel_dsm_memset(End + Length, 0, Letter);
  return To;
}
int graupel_dsm_wcscmp(const wchar_t *A, const wchar_t *B) {
  return wcscmp(WideString(A), WideString(B));
}
int graupel_dsm_wcsncmp(const wchar_t *A, const wchar_t *B, size_t N) {
  return wcsncmp(WideString(A, N), WideString(B, N), N);
}
wchar_t *graupel_dsm_wcschr(const wchar_t *S, wchar_t C) {
  WideString Private(S);
  const wchar_t *Start = Private;
  return Private.back(wcschr(Start, C));
}
wchar_t *graupel_dsm_wcsrchr(const wchar_t *S, wchar_t C) {
  WideString Private(S);
  const wchar_t *Start = Private;
  return Private.back(wcsrchr(Start, C));
}
wchar_t *graupel_dsm_wcsstr(const wchar_t *S, const wchar_t *Needle) {
  WideString Private(S), PrivateNeedle(Needle);
  const wchar_t *Start = Private, *For = PrivateNeedle;
  return Private.back(wcsstr(Start, For));
}
wchar_t *graupel_dsm_wcspbrk(const wchar_t *S, const wchar_t *Set) {
  WideString Private(S), PrivateSet(Set);
  const wchar_t *Start = Private, *For = PrivateSet;
  return Private.back(wcspbrk(Start, For));
}
wchar_t *graupel_dsm_wcschrnul(const wchar_t *S, wchar_t C) {
  WideString Private(S);
  return Private.back(wcschrnul(Private, C));
}
wchar_t *graupel_dsm_wcsdup(const wchar_t *S) { return wcsdup(WideString(S)); }
size_t graupel_dsm_wcsxfrm(wchar_t *To, const wchar_t *From, size_t N) {
  return transform(wcsxfrm, To, WideString(From), N);
}

} // extern "C"

GRAUPEL_WRAP(int, wcscasecmp, (const wchar_t *A, const wchar_t *B),
             WideString(A), WideString(B))
GRAUPEL_WRAP(int, wcsncasecmp, (const wchar_t *A, const wchar_t *B, size_t N),
             WideString(A, N), WideString(B, N), N)
GRAUPEL_WRAP(int, wcscoll, (const wchar_t *A, const wchar_t *B), WideString(A),
             WideString(B))
GRAUPEL_WRAP(size_t, wcsspn, (const wchar_t *S, const wchar_t *Set),
             WideString(S), WideString(Set))
GRAUPEL_WRAP(size_t, wcscspn, (const wchar_t *S, const wchar_t *Set),
             WideString(S), WideString(Set))
GRAUPEL_WRAP(int, wcswidth, (const wchar_t *S, size_t N), WideString(S, N), N)

//===-- Numbers -----------------------------------------------------------===//

GRAUPEL_CONVERT(double, wcstod, WideString, wchar_t)
GRAUPEL_CONVERT(float, wcstof, WideString, wchar_t)
GRAUPEL_CONVERT(long double, wcstold, WideString, wchar_t)
GRAUPEL_CONVERT_BASE(long, wcstol, WideString, wchar_t)
GRAUPEL_CONVERT_BASE(long long, wcstoll, WideString, wchar_t)
GRAUPEL_CONVERT_BASE(unsigned long, wcstoul, WideString, wchar_t)
GRAUPEL_CONVERT_BASE(unsigned long long, wcstoull, WideString, wchar_t)

//===-- Multibyte ---------------------------------------------------------===//

extern "C" {

size_t graupel_dsm_mbstowcs(wchar_t *To, const char *From, size_t N) {
  return recode(mbstowcs, To, String(From), N);
}
size_t graupel_dsm_wcstombs(char *To, const wchar_t *From, size_t N) {
  return recode(wcstombs, To, WideString(From), N);
}
int graupel_dsm_mbtowc(wchar_t *To, const char *S, size_t N) {
  if (S && !N)
    return -1;
  return mbtowc(Object(To), Objects(S, oneLetter(S, N)), N);
}
size_t graupel_dsm_mbrlen(const char *S, size_t N, mbstate_t *State) {
  return mbrlen(Objects(S, oneLetter(S, N)), N, Object(State));
}
int graupel_dsm_mblen(const char *S, size_t N) {
  return graupel_dsm_mbtowc(nullptr, S, N);
}
int graupel_dsm_wctomb(char *To, wchar_t C) {
  if (!isShared(To))
    return wctomb(To, C);
  char Text[MB_LEN_MAX];
  int Length = wctomb(Text, C);
  if (Length > 0)
    graupel_dsm_memcpy(To, Text, Length);
  return Length;
}

} // extern "C"

//===-- As -D_FORTIFY_SOURCE calls them -----------------------------------===//

#define GRAUPEL_CHECKED_COPY(Name)                                             \
  GRAUPEL_CHECKED(wchar_t *, Name, N,                                          \
                  (wchar_t * To, const wchar_t *From, size_t N, size_t Room),  \
                  To, From, N)
GRAUPEL_CHECKED_COPY(wmemcpy)
GRAUPEL_CHECKED_COPY(wmemmove)
GRAUPEL_CHECKED_COPY(wmempcpy)
GRAUPEL_CHECKED_COPY(wcsncpy)
GRAUPEL_CHECKED(wchar_t *, wmemset, N,
                (wchar_t * To, wchar_t C, size_t N, size_t Room), To, C, N)
GRAUPEL_CHECKED(wchar_t *, wcscpy, graupel_dsm_wcslen(From) + 1,
                (wchar_t * To, const wchar_t *From, size_t Room), To, From)
GRAUPEL_CHECKED(wchar_t *, wcscat,
                graupel_dsm_wcslen(To) + graupel_dsm_wcslen(From) + 1,
                (wchar_t * To, const wchar_t *From, size_t Room), To, From)
GRAUPEL_CHECKED(wchar_t *, wcsncat,
                graupel_dsm_wcslen(To) + graupel_dsm_wcsnlen(From, N) + 1,
                (wchar_t * To, const wchar_t *From, size_t N, size_t Room), To,
                From, N)
GRAUPEL_CHECKED(size_t, mbstowcs, N,
                (wchar_t * To, const char *From, size_t N, size_t Room), To,
                From, N)
GRAUPEL_CHECKED(size_t, wcstombs, N,
                (char *To, const wchar_t *From, size_t N, size_t Room), To,
                From, N)
GRAUPEL_CHECKED(int, wctomb, size_t(1), (char *To, wchar_t C, size_t Room), To,
                C)
