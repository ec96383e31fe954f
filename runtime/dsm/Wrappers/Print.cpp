//===- Print.cpp - The printf family on shared memory -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the printf family for shared formats, strings, counts and
// destinations.
//
// 1. print: make the format private and parse it into kinds of arguments
//    (parse). If a conversion is not known, nothing is replaced.
// 2. Read the arguments from a copy of the list, each by its kind (read).
// 3. Replace shared strings by private copies, of at most the precision, and
//    places for a count by private ones. If one was replaced, write all
//    arguments to a new list (replace).
// 4. Call the C library with the new list, or with the given one. Then copy the
//    counts back and free the copies (giveBack).
// 5. printTo, for a shared destination: find the length, print to private
//    memory, and copy the text.
// 6. The functions of the family call these. vasprintf stores its pointer as a
//    shared value.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Wrappers/Checked.h"
#include "Wrappers/Formats.h"
#include <cerrno>
#include <err.h>
#include <printf.h>
#include <syslog.h>

using namespace graupel::dsm;

namespace {

enum class Kind : uint8_t {
  Unused,
  Word,
  Double,
  LongDouble,
  String,
  Wide,
  Count
};

/// The arguments of a call. Shared ones are replaced for as long as this
/// exists.
class PrintArguments {
public:
  PrintArguments(const char *Format, va_list Given) {
    // A conversion has a width, a precision and a value.
    for (const char *C = Format; *C; ++C)
      Room += 3 * (*C == '%');
    // Positions are any numbers.
    if (strchr(Format, '$'))
      Room = MaxArguments;
    if (Room > SmallRoom)
      Used = static_cast<Argument *>(privateMemory(Room * sizeof(Argument)));
    memset(static_cast<void *>(Used), 0, Room * sizeof(Argument));
    if (parse(Format) || parseByLibrary(Format)) {
      read(Given);
      replace();
    }
  }
  ~PrintArguments() {
    for (unsigned I = 0; I != Count; ++I)
      giveBack(Used[I]);
    if (Used != Small)
      free(Used);
    free(Slots);
  }
  PrintArguments(const PrintArguments &) = delete;
  PrintArguments &operator=(const PrintArguments &) = delete;

  bool replaced() const { return Slots; }
  void *slots() { return Slots; }

private:
  struct Argument {
    Kind Type;
    Length Modifier;
    /// Of a string: at most so many are read; or another argument says so.
    int Most, MostFrom;
    union {
      uint64_t Word;
      double Double;
      long double LongDouble;
    };
    void *Copy;
  };

  bool parse(const char *Format);
  bool parseOne(Cursor &C);
  bool parseByLibrary(const char *Format);
  /// The argument for a conversion's value, width or precision.
  int argument(int Position, Kind, Length = Length::None);
  void read(va_list);
  void replace();
  size_t most(const Argument &) const;
  void copyString(Argument &);
  void copyWide(Argument &);
  static void giveBack(Argument &);

  static constexpr unsigned SmallRoom = 15;
  Argument Small[SmallRoom];
  Argument *Used = Small;
  uint64_t *Slots = nullptr;
  unsigned Count = 0, Next = 0, Room = 0;
};

int PrintArguments::argument(int Position, Kind Type, Length Modifier) {
  unsigned Index = Position ? unsigned(Position) - 1 : Next++;
  if (Index >= Room)
    return -1;
  Argument &A = Used[Index];
  if (A.Type == Kind::Unused) {
    A.Type = Type;
    A.Modifier = Modifier;
    A.Most = A.MostFrom = -1;
  }
  if (Index >= Count)
    Count = Index + 1;
  return static_cast<int>(Index);
}

/// False for what only the C library knows, such as conversions that a program
/// has registered.
bool PrintArguments::parseOne(Cursor &C) {
  if (C.take('%'))
    return true;
  int Position = C.position();
  C.skip("-+ #0'I");
  if (C.take('*')) {
    if (argument(C.position(), Kind::Word) < 0)
      return false;
  } else
    C.number();
  int Most = -1, MostFrom = -1;
  if (C.take('.')) {
    if (C.take('*')) {
      if ((MostFrom = argument(C.position(), Kind::Word)) < 0)
        return false;
    } else
      Most = std::max(C.number(), 0);
  }
  Length L = C.length();
  Kind Type = Kind::Word;
  switch (C.peek()) {
  case '%':
  case 'm':
    C.skip();
    return true;
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
  case 'b':
  case 'B':
  case 'c':
  case 'C':
  case 'p':
    break;
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    Type = L == Length::LongDouble ? Kind::LongDouble : Kind::Double;
    break;
  case 's':
    Type = L == Length::Long ? Kind::Wide : Kind::String;
    break;
  case 'S':
    Type = Kind::Wide;
    break;
  case 'n':
    Type = Kind::Count;
    break;
  default:
    return false;
  }
  C.skip();
  int Index = argument(Position, Type, L);
  if (Index < 0)
    return false;
  // An argument that is printed twice is read as far as any wants.
  Argument &A = Used[Index];
  bool First = !A.Copy;
  A.Copy = &A;
  if (First) {
    A.Most = Most;
    A.MostFrom = MostFrom;
  } else if (A.MostFrom != MostFrom || A.Most < 0 || Most < 0) {
    A.Most = A.MostFrom = -1;
  } else
    A.Most = std::max(A.Most, Most);
  return true;
}

bool PrintArguments::parse(const char *Format) {
  Cursor C(Format);
  while (C.peek())
    if (!C.take('%'))
      C.skip();
    else if (!parseOne(C))
      return Count = 0, false;
  for (unsigned I = 0; I != Count; ++I)
    Used[I].Copy = nullptr;
  return true;
}

/// By the C library's own parser, which does not tell how much of a string is
/// read. False if there are arguments of types that the program has registered.
bool PrintArguments::parseByLibrary(const char *Format) {
  const size_t Wanted = parse_printf_format(Format, 0, nullptr);
  if (!Wanted || Wanted > Room)
    return false;
  auto *Types = static_cast<int *>(privateMemory(Wanted * sizeof(int)));
  parse_printf_format(Format, Wanted, Types);
  memset(static_cast<void *>(Used), 0, Room * sizeof(Argument));
  Next = 0;
  bool Known = true;
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
             Types[I] & PA_FLAG_SHORT       ? Length::Short
             : Types[I] & PA_FLAG_LONG      ? Length::Long
             : Types[I] & PA_FLAG_LONG_LONG ? Length::Long
                                            : Length::None);
  }
  free(Types);
  return Known || (Count = 0, false);
}

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
    else {
      A.Copy = privateMemory(8);
      graupel_dsm_memcpy(A.Copy, reinterpret_cast<void *>(A.Word),
                         integerBytes(A.Modifier));
    }
  }
  if (!Any)
    return;
  // Long doubles are aligned to 16 bytes, as malloc's memory is.
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

void PrintArguments::giveBack(Argument &A) {
  if (!A.Copy)
    return;
  if (A.Type == Kind::Count)
    graupel_dsm_memcpy(reinterpret_cast<void *>(A.Word), A.Copy,
                       integerBytes(A.Modifier));
  free(A.Copy);
}

/// Print(format, arguments) with private ones. `errno` at the beginning is what
/// %m prints.
template <class F> int print(const char *Format, va_list Given, F Print) {
  int Errno = errno;
  String PrivateFormat(Format);
  PrintArguments Arguments(PrivateFormat, Given);
  errno = Errno;
  if (!Arguments.replaced())
    return Print(PrivateFormat.get(), Given);
  ArgumentList Private(Arguments.slots());
  return Print(PrivateFormat.get(), Private.get());
}

/// Prints into memory that may be shared. Print(to, size, format, arguments) is
/// of vsnprintf's kind.
template <class F>
int printTo(char *To, size_t Size, const char *Format, va_list Given, F Print) {
  return print(Format, Given, [&](const char *Format, va_list L) {
    if (!isShared(To) || !Size)
      return Print(To, Size, Format, L);
    va_list Again;
    va_copy(Again, L);
    int Length = vsnprintf(nullptr, 0, Format, Again);
    va_end(Again);
    if (Length < 0)
      return Length;
    size_t Needed = std::min(Size, static_cast<size_t>(Length) + 1);
    auto *Text = static_cast<char *>(privateMemory(Needed));
    Length = Print(Text, Needed, Format, L);
    graupel_dsm_memcpy(To, Text, Needed);
    free(Text);
    return Length;
  });
}

int storePointer(char **To, char *Text, int Length) {
  graupel_dsm_memcpy(To, &Text, sizeof(Text));
  return Length;
}

} // namespace

extern "C" {
int __vprintf_chk(int, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __vdprintf_chk(int, int, const char *, va_list);
int __vasprintf_chk(char **, int, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
void __vsyslog_chk(int, int, const char *, va_list);

int graupel_dsm_vfprintf(FILE *F, const char *Format, va_list L) {
  return print(Format, L, [=](const char *Format, va_list L) {
    return vfprintf(F, Format, L);
  });
}
int graupel_dsm___vfprintf_chk(FILE *F, int C, const char *Format, va_list L) {
  return print(Format, L, [=](const char *Format, va_list L) {
    return __vfprintf_chk(F, C, Format, L);
  });
}
int graupel_dsm_vprintf(const char *Format, va_list L) {
  return graupel_dsm_vfprintf(stdout, Format, L);
}
int graupel_dsm___vprintf_chk(int C, const char *Format, va_list L) {
  return graupel_dsm___vfprintf_chk(stdout, C, Format, L);
}
int graupel_dsm_vdprintf(int File, const char *Format, va_list L) {
  return print(Format, L, [=](const char *Format, va_list L) {
    return vdprintf(File, Format, L);
  });
}
int graupel_dsm___vdprintf_chk(int File, int C, const char *Format, va_list L) {
  return print(Format, L, [=](const char *Format, va_list L) {
    return __vdprintf_chk(File, C, Format, L);
  });
}

int graupel_dsm_vsnprintf(char *To, size_t Size, const char *Format,
                          va_list L) {
  return printTo(To, Size, Format, L, vsnprintf);
}
int graupel_dsm___vsnprintf_chk(char *To, size_t Size, int C, size_t Room,
                                const char *Format, va_list L) {
  if (Room < Size)
    __chk_fail();
  return printTo(To, Size, Format, L,
                 [=](char *To, size_t Size, const char *Format, va_list L) {
                   return __vsnprintf_chk(To, Size, C, Size, Format, L);
                 });
}
int graupel_dsm_vsprintf(char *To, const char *Format, va_list L) {
  return printTo(To, INT32_MAX, Format, L, vsnprintf);
}
int graupel_dsm___vsprintf_chk(char *To, int C, size_t Room, const char *Format,
                               va_list L) {
  size_t Size = std::min<size_t>(Room, INT32_MAX);
  int Length = graupel_dsm___vsnprintf_chk(To, Size, C, Size, Format, L);
  if (Length >= 0 && static_cast<size_t>(Length) >= Size)
    __chk_fail();
  return Length;
}
int graupel_dsm_vasprintf(char **To, const char *Format, va_list L) {
  return print(Format, L, [=](const char *Format, va_list L) {
    char *Text = nullptr;
    int Length = vasprintf(&Text, Format, L);
    return storePointer(To, Text, Length);
  });
}
int graupel_dsm___vasprintf_chk(char **To, int C, const char *Format,
                                va_list L) {
  return print(Format, L, [=](const char *Format, va_list L) {
    char *Text = nullptr;
    int Length = __vasprintf_chk(&Text, C, Format, L);
    return storePointer(To, Text, Length);
  });
}

void graupel_dsm___vsyslog_chk(int Priority, int C, const char *Format,
                               va_list L) {
  print(Format, L, [=](const char *Format, va_list L) {
    __vsyslog_chk(Priority, C, Format, L);
    return 0;
  });
}
void graupel_dsm_vsyslog(int Priority, const char *Format, va_list L) {
  print(Format, L, [=](const char *Format, va_list L) {
    vsyslog(Priority, Format, L);
    return 0;
  });
}
} // extern "C"

GRAUPEL_FORMATTED(fprintf, vfprintf, (FILE * F, const char *Format, ...), F)
GRAUPEL_FORMATTED(printf, vfprintf, (const char *Format, ...), stdout)
GRAUPEL_FORMATTED(dprintf, vdprintf, (int F, const char *Format, ...), F)
GRAUPEL_FORMATTED(sprintf, vsprintf, (char *To, const char *Format, ...), To)
GRAUPEL_FORMATTED(snprintf, vsnprintf,
                  (char *To, size_t Size, const char *Format, ...), To, Size)
GRAUPEL_FORMATTED(asprintf, vasprintf, (char **To, const char *Format, ...), To)
GRAUPEL_FORMATTED(__fprintf_chk, __vfprintf_chk,
                  (FILE * F, int C, const char *Format, ...), F, C)
GRAUPEL_FORMATTED(__printf_chk, __vfprintf_chk,
                  (int C, const char *Format, ...), stdout, C)
GRAUPEL_FORMATTED(__dprintf_chk, __vdprintf_chk,
                  (int F, int C, const char *Format, ...), F, C)
GRAUPEL_FORMATTED(__sprintf_chk, __vsprintf_chk,
                  (char *To, int C, size_t Room, const char *Format, ...), To,
                  C, Room)
GRAUPEL_FORMATTED(__snprintf_chk, __vsnprintf_chk,
                  (char *To, size_t Size, int C, size_t Room,
                   const char *Format, ...),
                  To, Size, C, Room)
GRAUPEL_FORMATTED(__asprintf_chk, __vasprintf_chk,
                  (char **To, int C, const char *Format, ...), To, C)

#define GRAUPEL_TELL(Name, Parameters, Last, Format, Call)                     \
  extern "C" void graupel_dsm_##Name Parameters {                              \
    va_list Given;                                                             \
    va_start(Given, Last);                                                     \
    print(Format, Given, [=](const char *Text, va_list L) {                    \
      Call;                                                                    \
      return 0;                                                                \
    });                                                                        \
    va_end(Given);                                                             \
  }
GRAUPEL_TELL(syslog, (int P, const char *Format, ...), Format, Format,
             vsyslog(P, Text, L))
GRAUPEL_TELL(__syslog_chk, (int P, int C, const char *Format, ...), Format,
             Format, __vsyslog_chk(P, C, Text, L))
GRAUPEL_TELL(warn, (const char *Format, ...), Format, Format ? Format : "",
             vwarn(Format ? Text : nullptr, L))
GRAUPEL_TELL(warnx, (const char *Format, ...), Format, Format ? Format : "",
             vwarnx(Format ? Text : nullptr, L))
GRAUPEL_TELL(err, (int S, const char *Format, ...), Format,
             Format ? Format : "", verr(S, Format ? Text : nullptr, L))
GRAUPEL_TELL(errx, (int S, const char *Format, ...), Format,
             Format ? Format : "", verrx(S, Format ? Text : nullptr, L))
