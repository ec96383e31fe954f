//===- Scan.cpp - The scanf family on shared memory -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the scanf family for shared memory. All arguments are pointers to
// places for results.
//
// 1. ScanArguments(): count the arguments that the format takes, and read them.
//    If none is shared, the C library gets what was given.
// 2. rewrite: copy the format, and list the places. A shared place for a value
//    is replaced by a private one. With positions, replaced places are behind
//    the given ones, and the format names them.
// 3. A shared place for a word gets the letter m in its conversion, so that the
//    C library allocates the text, whose length only the input tells. A place
//    for %c gets private memory of its width. At the end of the input there may
//    be less: %n before and behind tells how much. Wide characters fill memory
//    that had none.
// 4. scan: call the C library with the new format and list.
// 5. giveBack: copy what was stored. The call returns the number of conversions
//    that stored something; counts and pointers may be stored without being
//    counted, and differ from what was there.
// 6. Each version of a function (Convert.h) has a wrapper. The oldest takes the
//    letter a in %as for what m means.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Wrappers/Formats.h"
#include <algorithm>

using namespace graupel::dsm;

namespace {

class ScanArguments {
public:
  ScanArguments(const char *Given, va_list, bool KnowsA);
  ~ScanArguments();
  ScanArguments(const ScanArguments &) = delete;
  ScanArguments &operator=(const ScanArguments &) = delete;

  /// Null if nothing is shared.
  const char *format() const { return Format; }
  void *slots() { return Slots; }
  /// Takes the result of the call.
  void scanned(int Result) { Stored = Result; }

private:
  enum class Kind { Value, Word, Letters };
  struct Argument {
    Kind Type;
    void *Shared;
    /// So many conversions are counted before this one.
    int Ordinal;
    bool Wide;
    size_t Bytes; ///< Size of a value.
    size_t Width; ///< Number of letters.
    int Before, Behind;
    void *Text;
    alignas(16) char Value[16];
  };
  struct Conversion {
    int Position = 0;
    const char *PositionEnd;
    bool Suppressed = false, Allocates = false;
    int Width = -1;
    const char *WidthEnd;
    Length Modifier;
    char Letter;
  };

  bool parse(Cursor &, Conversion &) const;
  void countArguments(const char *);
  void rewrite(const char *);
  void convert(const Conversion &, const char *End);
  void *replacement(const Conversion &, Argument &);
  void put(const char *From, const char *To);
  void putCount(int &Place);
  void place(void *);
  void giveBack(Argument &);
  void giveBackLetters(Argument &);

  const bool KnowsA;
  bool Positional = false;
  char *Format = nullptr, *Out = nullptr;
  Argument *Used = nullptr;
  void **Given, **Slots = nullptr;
  unsigned Needed = 0, Conversions = 0, Listed = 0, Count = 0;
  int Ordinal = 0, Stored = 0;
};

ScanArguments::ScanArguments(const char *Text, va_list List, bool KnowsA)
    : KnowsA(KnowsA) {
  countArguments(Text);
  Given = static_cast<void **>(privateMemory(Needed * sizeof(void *)));
  bool Any = false;
  va_list L;
  va_copy(L, List);
  for (unsigned I = 0; I != Needed; ++I)
    Any |= isShared(Given[I] = va_arg(L, void *));
  va_end(L);
  if (!Any)
    return;
  // A conversion becomes three, of places with positions.
  constexpr size_t Longer = 48;
  Format = static_cast<char *>(
      privateMemory(strlen(Text) + Conversions * Longer + 1));
  Used = static_cast<Argument *>(privateMemory(Conversions * sizeof(Argument)));
  Slots = static_cast<void **>(
      privateMemory((Needed + 3 * size_t(Conversions)) * sizeof(void *)));
  rewrite(Text);
}

ScanArguments::~ScanArguments() {
  for (unsigned I = 0; I != Count; ++I)
    giveBack(Used[I]);
  free(Format);
  free(Used);
  free(Slots);
  free(Given);
}

//===-- The format --------------------------------------------------------===//

/// The length of so many bits, which C23 has behind a w.
Length bits(Cursor &C) {
  const bool IsFast = C.take('f');
  const int Bits = C.number();
  if (Bits == 8)
    return Length::Char;
  return IsFast || Bits == 64 ? Length::Long
         : Bits == 16         ? Length::Short
                              : Length::None;
}

/// Behind a '%' to behind the conversion; false if it takes no argument.
bool ScanArguments::parse(Cursor &C, Conversion &V) const {
  V.Position = C.position();
  V.PositionEnd = C.at();
  V.Suppressed = C.take('*');
  C.skip("'I");
  V.Width = C.number();
  V.WidthEnd = C.at();
  const bool IsA =
      KnowsA && C.peek() == 'a' && C.at()[1] && strchr("sS[", C.at()[1]);
  V.Allocates = C.take(IsA ? 'a' : 'm');
  V.Modifier = C.take('w') ? bits(C) : C.length();
  V.Letter = C.peek();
  if (!V.Letter)
    return false;
  C.skip();
  if (V.Letter == '[') {
    C.take('^');
    C.take(']');
    while (C.peek() && !C.take(']'))
      C.skip();
  }
  return !V.Suppressed && V.Letter != '%';
}

void ScanArguments::countArguments(const char *Text) {
  for (Cursor C(Text); C.peek();) {
    Conversion V;
    if (!C.take('%')) {
      C.skip();
    } else if (parse(C, V)) {
      ++Conversions;
      Positional |= V.Position != 0;
      Needed = std::max(Needed + !V.Position, unsigned(V.Position));
    }
  }
  Needed = std::min(Needed, MaxArguments);
}

void ScanArguments::put(const char *From, const char *To) {
  Out = static_cast<char *>(mempcpy(Out, From, To - From));
}

/// The next place of the new list, and its position if the format has some.
void ScanArguments::place(void *Slot) {
  Slots[Listed++] = Slot;
  if (Positional)
    Out += sprintf(Out, "%u$", Listed);
}

void ScanArguments::putCount(int &Place) {
  *Out++ = '%';
  place(&Place);
  *Out++ = 'n';
}

/// Where the library stores instead.
void *ScanArguments::replacement(const Conversion &V, Argument &A) {
  A.Wide = V.Modifier == Length::Long || V.Letter == 'S' || V.Letter == 'C';
  if (!V.Allocates && strchr("sS[", V.Letter)) {
    A.Type = Kind::Word;
    return &A.Text;
  }
  if (!V.Allocates && strchr("cC", V.Letter)) {
    A.Type = Kind::Letters;
    A.Width = V.Width < 1 ? 1 : static_cast<size_t>(V.Width);
    const size_t Bytes = A.Width * (A.Wide ? sizeof(wchar_t) : 1);
    A.Text = privateMemory(Bytes);
    // A value that is no character.
    memset(A.Text, -1, Bytes);
    return A.Text;
  }
  A.Type = Kind::Value;
  if (V.Allocates || V.Letter == 'p')
    A.Bytes = sizeof(void *);
  else if (!strchr("aAeEfFgG", V.Letter))
    A.Bytes = integerBytes(V.Modifier);
  else
    A.Bytes = V.Modifier == Length::LongDouble ? sizeof(long double)
              : V.Modifier == Length::Long     ? sizeof(double)
                                               : sizeof(float);
  memset(A.Value, -1, sizeof(A.Value));
  return A.Value;
}

/// The conversion up to End, with a shared place.
void ScanArguments::convert(const Conversion &V, const char *End) {
  Argument &A = Used[Count++];
  A = {};
  A.Shared = Given[V.Position - 1];
  A.Ordinal = Ordinal;
  void *Slot = replacement(V, A);
  const bool Narrow = A.Type == Kind::Letters && !A.Wide;
  if (Narrow)
    putCount(A.Before);
  *Out++ = '%';
  place(Slot);
  put(V.PositionEnd, V.WidthEnd);
  if (A.Type == Kind::Word)
    *Out++ = 'm';
  put(V.WidthEnd, End);
  if (Narrow)
    putCount(A.Behind);
}

void ScanArguments::rewrite(const char *Text) {
  Out = Format;
  unsigned Next = 0;
  if (Positional)
    for (; Listed != Needed; ++Listed)
      Slots[Listed] = Given[Listed];
  for (Cursor C(Text); C.peek();) {
    const char *Start = C.at();
    Conversion V;
    if (!C.take('%')) {
      C.skip();
    } else if (parse(C, V)) {
      if (!V.Position)
        V.Position = static_cast<int>(++Next);
      const bool Known = V.Position <= static_cast<int>(Needed);
      const bool Shared = Known && isShared(Given[V.Position - 1]);
      if (Shared)
        convert(V, C.at());
      else if (Known && !Positional)
        Slots[Listed++] = Given[V.Position - 1];
      Ordinal += V.Letter != 'n';
      if (Shared)
        continue;
    }
    put(Start, C.at());
  }
  *Out = 0;
}

//===-- Results -----------------------------------------------------------===//

void ScanArguments::giveBackLetters(Argument &A) {
  size_t Bytes = A.Behind - A.Before;
  if (A.Wide) {
    auto *Text = static_cast<wchar_t *>(A.Text);
    size_t Length = 0;
    while (Length != A.Width && Text[Length] != wchar_t(-1))
      ++Length;
    Bytes = Length * sizeof(wchar_t);
  }
  graupel_dsm_memcpy(A.Shared, A.Text, Bytes);
}

void ScanArguments::giveBack(Argument &A) {
  const bool IsStored = A.Ordinal < Stored;
  if (A.Type == Kind::Value) {
    char None[sizeof(A.Value)];
    memset(None, -1, sizeof(None));
    if (IsStored || memcmp(A.Value, None, A.Bytes))
      graupel_dsm_memcpy(A.Shared, A.Value, A.Bytes);
    return;
  }
  if (IsStored && A.Type == Kind::Letters)
    giveBackLetters(A);
  else if (IsStored && A.Text)
    graupel_dsm_memcpy(A.Shared, A.Text,
                       A.Wide ? (wcslen(static_cast<wchar_t *>(A.Text)) + 1) *
                                    sizeof(wchar_t)
                              : strlen(static_cast<char *>(A.Text)) + 1);
  free(A.Text);
}

/// Scan(format, arguments).
template <class F>
int scan(const char *Format, va_list Given, F Scan, bool KnowsA = false) {
  String PrivateFormat(Format);
  ScanArguments Arguments(PrivateFormat, Given, KnowsA);
  if (!Arguments.format())
    return Scan(PrivateFormat.get(), Given);
  ArgumentList Private(Arguments.slots());
  int Result = Scan(Arguments.format(), Private.get());
  Arguments.scanned(Result);
  return Result;
}

} // namespace

//===-- Versions ----------------------------------------------------------===//

extern "C" {
int plain_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
int plain_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");
int __isoc99_vfscanf(FILE *, const char *, va_list);
int __isoc99_vsscanf(const char *, const char *, va_list);
// Only in newer C libraries.
__attribute__((weak)) int __isoc23_vfscanf(FILE *, const char *, va_list);
__attribute__((weak)) int __isoc23_vsscanf(const char *, const char *, va_list);
}

static auto *newestVfscanf() {
  return __isoc23_vfscanf ? __isoc23_vfscanf : __isoc99_vfscanf;
}

static auto *newestVsscanf() {
  return __isoc23_vsscanf ? __isoc23_vsscanf : __isoc99_vsscanf;
}

/// Defines the functions of a version, whose names begin with Prefix.
#define GRAUPEL_SCAN_VERSION(Prefix, FromFile, FromString, KnowsA)             \
  extern "C" {                                                                 \
  int graupel_dsm_##Prefix##vfscanf(FILE *F, const char *Format, va_list L) {  \
    return scan(                                                               \
        Format, L,                                                             \
        [=](const char *Format, va_list L) { return FromFile(F, Format, L); }, \
        KnowsA);                                                               \
  }                                                                            \
  int graupel_dsm_##Prefix##vscanf(const char *Format, va_list L) {            \
    return graupel_dsm_##Prefix##vfscanf(stdin, Format, L);                    \
  }                                                                            \
  int graupel_dsm_##Prefix##vsscanf(const char *S, const char *Format,         \
                                    va_list L) {                               \
    return scan(                                                               \
        Format, L,                                                             \
        [=](const char *Format, va_list L) {                                   \
          return FromString(String(S), Format, L);                             \
        },                                                                     \
        KnowsA);                                                               \
  }                                                                            \
  }                                                                            \
  GRAUPEL_FORMATTED(Prefix##fscanf, Prefix##vfscanf,                           \
                    (FILE * F, const char *Format, ...), F)                    \
  GRAUPEL_FORMATTED(Prefix##scanf, Prefix##vfscanf, (const char *Format, ...), \
                    stdin)                                                     \
  GRAUPEL_FORMATTED(Prefix##sscanf, Prefix##vsscanf,                           \
                    (const char *S, const char *Format, ...), S)
GRAUPEL_SCAN_VERSION(, plain_vfscanf, plain_vsscanf, true)
GRAUPEL_SCAN_VERSION(__isoc99_, __isoc99_vfscanf, __isoc99_vsscanf, false)
GRAUPEL_SCAN_VERSION(__isoc23_, newestVfscanf(), newestVsscanf(), false)
