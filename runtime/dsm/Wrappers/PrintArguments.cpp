//===- PrintArguments.cpp - Arguments of the printf family ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a private list of a call's arguments.
//
// 1. Parse the format into kinds of arguments (parse). If a conversion is not
//    known, ask the C library (parseByLibrary); if it does not know either,
//    nothing is replaced.
// 2. Read the arguments from a copy of the list, each by its kind (read).
// 3. A position may be used with several kinds: as a string and as an address.
//    If it is shared, each kind but numbers becomes an argument of its own
//    behind the others, and the format names that (separate).
// 4. Replace shared strings by private copies, of at most the precision, and
//    places for a count by private ones (replace). If one was replaced, write
//    all arguments to a new list (list).
// 5. Behind the call, copy the counts back and free the copies (giveBack).
//
//===----------------------------------------------------------------------===//

#include "Wrappers/PrintArguments.h"
#include "Entries/Private.h"
#include <printf.h>

namespace graupel::dsm {

PrintArguments::PrintArguments(const char *Format, va_list Given)
    : Format(Format) {
  unsigned Conversions = 0;
  for (const char *C = Format; *C; ++C)
    Conversions += *C == '%';
  // A conversion has a width, a precision and a value. Positions are any
  // numbers.
  Limit = strchr(Format, '$') ? MaxArguments : 3 * Conversions;
  Room = Limit + Conversions;
  if (Room > SmallRoom)
    Used = static_cast<Argument *>(privateMemory(Room * sizeof(Argument)));
  memset(static_cast<void *>(Used), 0, Room * sizeof(Argument));
  if (!parse() && !parseByLibrary())
    return;
  read(Given);
  separate();
  replace();
}

PrintArguments::~PrintArguments() {
  for (unsigned I = 0; I != Count; ++I)
    giveBack(Used[I]);
  if (Used != Small)
    free(Used);
  free(Slots);
  free(NewFormat);
}

//===-- The format --------------------------------------------------------===//

bool PrintArguments::kindOf(char Letter, Length L, Kind &Type) {
  if (Letter && strchr("diouxXbBcCp", Letter))
    Type = Kind::Word;
  else if (Letter && strchr("aAeEfFgG", Letter))
    Type = L == Length::LongDouble ? Kind::LongDouble : Kind::Double;
  else if (Letter == 's')
    Type = L == Length::Long ? Kind::Wide : Kind::String;
  else if (Letter == 'S')
    Type = Kind::Wide;
  else if (Letter == 'n')
    Type = Kind::Count;
  else
    return Letter == '%' || Letter == 'm';
  return true;
}

/// False for what only the C library knows, such as conversions that a program
/// has registered.
bool PrintArguments::parseOne(Cursor &C, Conversion &V) {
  if (C.take('%'))
    return true;
  V.Position = C.position();
  V.PositionEnd = C.at();
  C.skip("-+ #0'I");
  if ((V.TakesWidth = C.take('*')))
    V.WidthFrom = C.position();
  else
    C.number();
  if (C.take('.')) {
    if ((V.TakesMost = C.take('*')))
      V.MostFrom = C.position();
    else
      V.Most = std::max(C.number(), 0);
  }
  V.Modifier = C.length();
  if (!kindOf(C.peek(), V.Modifier, V.Type))
    return false;
  C.skip();
  return true;
}

int PrintArguments::argument(int Position, Kind Type, Length Modifier) {
  unsigned Index = Position ? unsigned(Position) - 1 : Next++;
  if (Index >= Limit)
    return -1;
  Argument &A = Used[Index];
  if (A.Type == Kind::None) {
    A.Type = Type;
    A.Modifier = Modifier;
    A.Most = A.MostFrom = -1;
  } else if (Type == Kind::Count)
    A.Modifier = std::max(A.Modifier, Modifier);
  A.Kinds |= 1 << unsigned(Type);
  if (Index >= Count)
    Count = Index + 1;
  return static_cast<int>(Index);
}

bool PrintArguments::note(const Conversion &V) {
  if (V.TakesWidth && argument(V.WidthFrom, Kind::Word) < 0)
    return false;
  int MostFrom = -1;
  if (V.TakesMost && (MostFrom = argument(V.MostFrom, Kind::Word)) < 0)
    return false;
  if (V.Type == Kind::None)
    return true;
  int Index = argument(V.Position, V.Type, V.Modifier);
  if (Index < 0)
    return false;
  // An argument that is printed twice is read as far as any wants.
  Argument &A = Used[Index];
  if (!A.Uses++) {
    A.Most = V.Most;
    A.MostFrom = MostFrom;
  } else if (A.MostFrom != MostFrom || A.Most < 0 || V.Most < 0) {
    A.Most = A.MostFrom = -1;
  } else
    A.Most = std::max(A.Most, V.Most);
  return true;
}

bool PrintArguments::parse() {
  for (Cursor C(Format); C.peek();) {
    Conversion V;
    if (!C.take('%'))
      C.skip();
    else if (!parseOne(C, V) || !note(V))
      return Count = 0, false;
  }
  return true;
}

/// The length of the next %n, which the C library's parser does not tell.
Length PrintArguments::nextCount(Cursor &C) {
  while (C.peek()) {
    Conversion V;
    if (!C.take('%'))
      C.skip();
    else if (parseOne(C, V) && V.Type == Kind::Count)
      return V.Modifier;
  }
  return Length::None;
}

/// By the C library's own parser, which does not tell how much of a string is
/// read. False if there are arguments of types that the program has registered.
bool PrintArguments::parseByLibrary() {
  const size_t Wanted = parse_printf_format(Format, 0, nullptr);
  if (!Wanted || Wanted > Limit)
    return false;
  auto *Types = static_cast<int *>(privateMemory(Wanted * sizeof(int)));
  parse_printf_format(Format, Wanted, Types);
  memset(static_cast<void *>(Used), 0, Room * sizeof(Argument));
  Next = 0;
  bool Known = true;
  Cursor Counts(Format);
  for (size_t I = 0; I != Wanted; ++I) {
    const int Base = Types[I] & ~PA_FLAG_MASK;
    Kind Type = Kind::Word;
    if (Types[I] & PA_FLAG_PTR)
      Type = Kind::Count;
    else if (Base == PA_STRING)
      Type = Kind::String;
    else if (Base == PA_WSTRING)
      Type = Kind::Wide;
    else if (Base == PA_DOUBLE || Base == PA_FLOAT)
      Type = Types[I] & PA_FLAG_LONG_DOUBLE ? Kind::LongDouble : Kind::Double;
    Known &= Base < PA_LAST;
    argument(0, Type,
             Type == Kind::Count            ? nextCount(Counts)
             : Types[I] & PA_FLAG_SHORT     ? Length::Short
             : Types[I] & PA_FLAG_LONG      ? Length::Long
             : Types[I] & PA_FLAG_LONG_LONG ? Length::Long
                                            : Length::None);
  }
  free(Types);
  return Known || (Count = 0, false);
}

//===-- Values ------------------------------------------------------------===//

void PrintArguments::read(va_list Given) {
  va_list L;
  va_copy(L, Given);
  for (unsigned I = 0; I != Count; ++I) {
    Argument &A = Used[I];
    if (A.Type == Kind::Double)
      A.Double = va_arg(L, double);
    else if (A.Type == Kind::LongDouble)
      A.LongDouble = va_arg(L, long double);
    else
      A.Word = va_arg(L, uint64_t);
  }
  va_end(L);
}

/// Whether an argument is shared memory, and used with several kinds.
bool PrintArguments::isMixed(const Argument &A) const {
  return (A.Kinds & (A.Kinds - 1)) && A.Type != Kind::Double &&
         A.Type != Kind::LongDouble &&
         isShared(reinterpret_cast<void *>(A.Word));
}

/// A new argument for a conversion of a mixed one.
unsigned PrintArguments::separated(const Conversion &V) {
  Argument &A = Used[Count];
  A.Type = V.Type;
  A.Modifier = V.Modifier;
  A.Most = V.Most;
  A.MostFrom = V.TakesMost ? V.MostFrom - 1 : -1;
  A.Word = Used[V.Position - 1].Word;
  return Count++;
}

void PrintArguments::separate() {
  const unsigned Given = Count;
  if (std::none_of(Used, Used + Given,
                   [this](const Argument &A) { return isMixed(A); }))
    return;
  constexpr size_t LongestPosition = 12;
  NewFormat = static_cast<char *>(
      privateMemory(strlen(Format) + (Room - Limit) * LongestPosition + 1));
  char *Out = NewFormat;
  for (Cursor C(Format); C.peek();) {
    const char *Start = C.at();
    Conversion V;
    if (!C.take('%'))
      C.skip();
    else if (parseOne(C, V) && V.Position && V.Type >= Kind::String &&
             isMixed(Used[V.Position - 1])) {
      Out += sprintf(Out, "%%%u$", separated(V) + 1);
      Start = V.PositionEnd;
    }
    Out = static_cast<char *>(mempcpy(Out, Start, C.at() - Start));
  }
  *Out = 0;
  for (unsigned I = 0; I != Given; ++I)
    if (isMixed(Used[I]))
      Used[I].Type = Kind::Word;
}

//===-- Copies ------------------------------------------------------------===//

size_t PrintArguments::most(const Argument &A) const {
  if (A.MostFrom >= 0) {
    int Most = static_cast<int>(Used[A.MostFrom].Word);
    return Most < 0 ? SIZE_MAX : static_cast<size_t>(Most);
  }
  return A.Most < 0 ? SIZE_MAX : static_cast<size_t>(A.Most);
}

void PrintArguments::copyString(Argument &A) {
  auto *S = reinterpret_cast<const char *>(A.Word);
  size_t Length = graupel_dsm_strnlen(S, most(A));
  auto *Copy = static_cast<char *>(privateMemory(Length + 1));
  graupel_dsm_memcpy(Copy, S, Length);
  Copy[Length] = 0;
  A.Copy = Copy;
}

/// A precision counts bytes of the result, so there are no more characters.
void PrintArguments::copyWide(Argument &A) {
  auto *S = reinterpret_cast<const wchar_t *>(A.Word);
  size_t Length = 0, Most = most(A);
  for (wchar_t C; Length != Most; ++Length)
    if (graupel_dsm_memcpy(&C, S + Length, sizeof(C)); !C)
      break;
  auto *Copy =
      static_cast<wchar_t *>(privateMemory((Length + 1) * sizeof(wchar_t)));
  graupel_dsm_memcpy(Copy, S, Length * sizeof(wchar_t));
  Copy[Length] = 0;
  A.Copy = Copy;
}

/// The place, and what it was.
void PrintArguments::copyCount(Argument &A) {
  A.Copy = privateMemory(16);
  graupel_dsm_memcpy(A.Copy, reinterpret_cast<void *>(A.Word),
                     integerBytes(A.Modifier));
  memcpy(asBytes(A.Copy) + 8, A.Copy, 8);
}

void PrintArguments::replace() {
  bool Any = false;
  for (unsigned I = 0; I != Count; ++I) {
    Argument &A = Used[I];
    if (A.Type < Kind::String || !isShared(reinterpret_cast<void *>(A.Word)))
      continue;
    Any = true;
    if (A.Type == Kind::String)
      copyString(A);
    else if (A.Type == Kind::Wide)
      copyWide(A);
    else
      copyCount(A);
  }
  if (Any)
    list();
}

/// Long doubles are aligned to 16 bytes, as malloc's memory is.
void PrintArguments::list() {
  Slots = static_cast<uint64_t *>(privateMemory(size_t(Count) * 24));
  unsigned At = 0;
  for (unsigned I = 0; I != Count; ++I) {
    Argument &A = Used[I];
    if (A.Type == Kind::LongDouble) {
      At += At & 1;
      memcpy(&Slots[At], &A.LongDouble, sizeof(long double));
      At += 2;
    } else
      Slots[At++] = A.Copy ? reinterpret_cast<uint64_t>(A.Copy) : A.Word;
  }
}

/// A call that fails may have come to a count.
void PrintArguments::giveBack(Argument &A) {
  if (!A.Copy)
    return;
  const size_t Bytes = integerBytes(A.Modifier);
  if (A.Type == Kind::Count &&
      (!Failed || memcmp(A.Copy, asBytes(A.Copy) + 8, Bytes)))
    graupel_dsm_memcpy(reinterpret_cast<void *>(A.Word), A.Copy, Bytes);
  free(A.Copy);
}

} // namespace graupel::dsm
