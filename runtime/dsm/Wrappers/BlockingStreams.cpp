//===- BlockingStreams.cpp - stdio blocks -----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interposes the functions of stdio that block, as Blocking.cpp does. Those on
// wide characters are in BlockingWide.cpp.
//
// 1. Formatted: the form with a list goes offline; the form with variable
//    arguments calls it.
// 2. Many bytes, and calls on streams: each goes offline. flockfile first tries
//    without.
// 3. Single characters, which are called for each of them: use the stream's
//    buffer if its lock is free and the buffer suffices, and go offline only
//    otherwise (takeBuffered, putBuffered).
// 4. __uflow and __overflow, which are behind getc_unlocked and putc_unlocked,
//    go offline.
//
//===----------------------------------------------------------------------===//

#include "Node/Interpose.h"
#include <cstdarg>
#include <cstdio>

using namespace graupel::dsm;

// NOLINTBEGIN: names and types are the C library's.

//===-- Formatted ---------------------------------------------------------===//

// Name with variable arguments, and its V-form.
#define GRAUPEL_BLOCKING_FORMAT(Name, VName, Parameters, VParameters, ...)     \
  GRAUPEL_BLOCKING(int, VName, VParameters, (__VA_ARGS__, L))                  \
  GRAUPEL_INTERPOSE(int, Name, Parameters) {                                   \
    va_list L;                                                                 \
    va_start(L, Format);                                                       \
    int Result = interposed_##VName(__VA_ARGS__, L);                           \
    va_end(L);                                                                 \
    return Result;                                                             \
  }
#define GRAUPEL_FORMAT(...) (__VA_ARGS__, const char *Format, ...)
#define GRAUPEL_FORMAT_LIST(...) (__VA_ARGS__, const char *Format, va_list L)

GRAUPEL_BLOCKING_FORMAT(printf, vprintf, (const char *Format, ...),
                        (const char *Format, va_list L), Format)
GRAUPEL_BLOCKING_FORMAT(fprintf, vfprintf, GRAUPEL_FORMAT(FILE *F),
                        GRAUPEL_FORMAT_LIST(FILE *F), F, Format)
GRAUPEL_BLOCKING_FORMAT(dprintf, vdprintf, GRAUPEL_FORMAT(int F),
                        GRAUPEL_FORMAT_LIST(int F), F, Format)
GRAUPEL_BLOCKING_FORMAT(__printf_chk, __vprintf_chk, GRAUPEL_FORMAT(int C),
                        GRAUPEL_FORMAT_LIST(int C), C, Format)
GRAUPEL_BLOCKING_FORMAT(__fprintf_chk, __vfprintf_chk,
                        GRAUPEL_FORMAT(FILE *F, int C),
                        GRAUPEL_FORMAT_LIST(FILE *F, int C), F, C, Format)
GRAUPEL_BLOCKING_FORMAT(__dprintf_chk, __vdprintf_chk,
                        GRAUPEL_FORMAT(int F, int C),
                        GRAUPEL_FORMAT_LIST(int F, int C), F, C, Format)
GRAUPEL_BLOCKING_FORMAT(scanf, vscanf, (const char *Format, ...),
                        (const char *Format, va_list L), Format)
GRAUPEL_BLOCKING_FORMAT(fscanf, vfscanf, GRAUPEL_FORMAT(FILE *F),
                        GRAUPEL_FORMAT_LIST(FILE *F), F, Format)
GRAUPEL_BLOCKING_FORMAT(__isoc99_scanf, __isoc99_vscanf,
                        (const char *Format, ...),
                        (const char *Format, va_list L), Format)
GRAUPEL_BLOCKING_FORMAT(__isoc99_fscanf, __isoc99_vfscanf,
                        GRAUPEL_FORMAT(FILE *F), GRAUPEL_FORMAT_LIST(FILE *F),
                        F, Format)
GRAUPEL_BLOCKING_FORMAT(__isoc23_scanf, __isoc23_vscanf,
                        (const char *Format, ...),
                        (const char *Format, va_list L), Format)
GRAUPEL_BLOCKING_FORMAT(__isoc23_fscanf, __isoc23_vfscanf,
                        GRAUPEL_FORMAT(FILE *F), GRAUPEL_FORMAT_LIST(FILE *F),
                        F, Format)

//===-- Many bytes --------------------------------------------------------===//

GRAUPEL_BLOCKING(size_t, fread, (void *P, size_t S, size_t N, FILE *F),
                 (P, S, N, F))
GRAUPEL_BLOCKING(size_t, fread_unlocked, (void *P, size_t S, size_t N, FILE *F),
                 (P, S, N, F))
GRAUPEL_BLOCKING(size_t, __fread_chk,
                 (void *P, size_t L, size_t S, size_t N, FILE *F),
                 (P, L, S, N, F))
GRAUPEL_BLOCKING(size_t, __fread_unlocked_chk,
                 (void *P, size_t L, size_t S, size_t N, FILE *F),
                 (P, L, S, N, F))
GRAUPEL_BLOCKING(size_t, fwrite, (const void *P, size_t S, size_t N, FILE *F),
                 (P, S, N, F))
GRAUPEL_BLOCKING(size_t, fwrite_unlocked,
                 (const void *P, size_t S, size_t N, FILE *F), (P, S, N, F))
GRAUPEL_BLOCKING(int, fputs, (const char *P, FILE *F), (P, F))
GRAUPEL_BLOCKING(int, fputs_unlocked, (const char *P, FILE *F), (P, F))
GRAUPEL_BLOCKING(int, puts, (const char *P), (P))
GRAUPEL_BLOCKING(char *, fgets, (char *P, int N, FILE *F), (P, N, F))
GRAUPEL_BLOCKING(char *, fgets_unlocked, (char *P, int N, FILE *F), (P, N, F))
GRAUPEL_BLOCKING(char *, __fgets_chk, (char *P, size_t L, int N, FILE *F),
                 (P, L, N, F))
GRAUPEL_BLOCKING(char *, __fgets_unlocked_chk,
                 (char *P, size_t L, int N, FILE *F), (P, L, N, F))
GRAUPEL_BLOCKING(ssize_t, getline, (char **P, size_t *N, FILE *F), (P, N, F))
GRAUPEL_BLOCKING(ssize_t, getdelim, (char **P, size_t *N, int C, FILE *F),
                 (P, N, C, F))
GRAUPEL_BLOCKING(ssize_t, __getdelim, (char **P, size_t *N, int C, FILE *F),
                 (P, N, C, F))

//===-- Streams -----------------------------------------------------------===//

GRAUPEL_BLOCKING(FILE *, fopen, (const char *P, const char *M), (P, M))
GRAUPEL_BLOCKING(FILE *, fopen64, (const char *P, const char *M), (P, M))
GRAUPEL_BLOCKING(FILE *, freopen, (const char *P, const char *M, FILE *F),
                 (P, M, F))
GRAUPEL_BLOCKING(FILE *, freopen64, (const char *P, const char *M, FILE *F),
                 (P, M, F))
GRAUPEL_BLOCKING(int, fclose, (FILE * F), (F))
GRAUPEL_BLOCKING(int, pclose, (FILE * F), (F))
GRAUPEL_BLOCKING(int, fflush, (FILE * F), (F))
GRAUPEL_BLOCKING(int, fseek, (FILE * F, long A, int W), (F, A, W))
GRAUPEL_BLOCKING(int, fseeko, (FILE * F, off_t A, int W), (F, A, W))
GRAUPEL_BLOCKING(int, fseeko64, (FILE * F, off_t A, int W), (F, A, W))
GRAUPEL_INTERPOSE(void, flockfile, (FILE * F)) {
  if (ftrylockfile(F) == 0)
    return;
  Blocking Here;
  real_flockfile()(F);
}

//===-- Single characters -------------------------------------------------===//

/// Whether a character was taken from the stream's buffer.
static bool takeBuffered(FILE *F, int &Taken) {
  if (ftrylockfile(F))
    return false;
  bool Has = F->_IO_read_ptr < F->_IO_read_end;
  if (Has)
    Taken = static_cast<unsigned char>(*F->_IO_read_ptr++);
  funlockfile(F);
  return Has;
}

/// Whether a character was put into the stream's buffer.
static bool putBuffered(int C, FILE *F) {
  if (ftrylockfile(F))
    return false;
  bool Has = F->_IO_write_ptr < F->_IO_write_end;
  if (Has)
    *F->_IO_write_ptr++ = static_cast<char>(C);
  funlockfile(F);
  return Has;
}

#define GRAUPEL_BLOCKING_GET(Name, Parameters, Stream, Arguments)              \
  GRAUPEL_INTERPOSE(int, Name, Parameters) {                                   \
    int Taken;                                                                 \
    if (takeBuffered(Stream, Taken))                                           \
      return Taken;                                                            \
    Blocking Here;                                                             \
    return real_##Name() Arguments;                                            \
  }
GRAUPEL_BLOCKING_GET(getc, (FILE * F), F, (F))
GRAUPEL_BLOCKING_GET(fgetc, (FILE * F), F, (F))
GRAUPEL_BLOCKING_GET(getchar, (), stdin, ())

#define GRAUPEL_BLOCKING_PUT(Name, Parameters, Stream, Arguments)              \
  GRAUPEL_INTERPOSE(int, Name, Parameters) {                                   \
    if (putBuffered(C, Stream))                                                \
      return static_cast<unsigned char>(C);                                    \
    Blocking Here;                                                             \
    return real_##Name() Arguments;                                            \
  }
GRAUPEL_BLOCKING_PUT(putc, (int C, FILE *F), F, (C, F))
GRAUPEL_BLOCKING_PUT(fputc, (int C, FILE *F), F, (C, F))
GRAUPEL_BLOCKING_PUT(putchar, (int C), stdout, (C))

// Functions behind getc_unlocked and putc_unlocked.
GRAUPEL_BLOCKING(int, __uflow, (FILE * F), (F))
GRAUPEL_BLOCKING(int, __overflow, (FILE * F, int C), (F, C))
// NOLINTEND
