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
// 1. print: make the format and the arguments private (PrintArguments). If
//    something was replaced, call the C library with the new format and list;
//    else with those that were given.
// 2. printTo, for a shared destination: find the length, print to private
//    memory, and copy the text.
// 3. The functions of the family call these. vasprintf stores its pointer as a
//    shared value.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Wrappers/Checked.h"
#include "Wrappers/Formats.h"
#include "Wrappers/PrintArguments.h"
#include <cerrno>
#include <err.h>
#include <syslog.h>

using namespace graupel::dsm;

namespace {

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
  int Result = Print(Arguments.format(), Private.get());
  Arguments.printed(Result);
  return Result;
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
