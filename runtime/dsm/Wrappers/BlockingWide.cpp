//===- BlockingWide.cpp - Wide stdio blocks ---------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interposes the functions of stdio on wide characters that block, as
// BlockingStreams.cpp does. Their buffers are the C library's secret, so single
// characters go offline, too.
//
//===----------------------------------------------------------------------===//

#include "Node/Interpose.h"
#include <cstdarg>
#include <cstdio>
#include <cwchar>

using namespace graupel::dsm;

// NOLINTBEGIN: names and types are the C library's.

//===-- Formatted ---------------------------------------------------------===//

// Name with variable arguments, and its V-form. Before is what is before the
// format.
#define GRAUPEL_BLOCKING_WIDE(Name, VName, Before, ...)                        \
  GRAUPEL_BLOCKING(int, VName,                                                 \
                   (GRAUPEL_PLAIN Before const wchar_t *Format, va_list L),    \
                   (__VA_ARGS__, L))                                           \
  GRAUPEL_INTERPOSE(int, Name,                                                 \
                    (GRAUPEL_PLAIN Before const wchar_t *Format, ...)) {       \
    va_list L;                                                                 \
    va_start(L, Format);                                                       \
    int Result = interposed_##VName(__VA_ARGS__, L);                           \
    va_end(L);                                                                 \
    return Result;                                                             \
  }
#define GRAUPEL_PLAIN(...) __VA_ARGS__

GRAUPEL_BLOCKING_WIDE(wprintf, vwprintf, (), Format)
GRAUPEL_BLOCKING_WIDE(fwprintf, vfwprintf, (FILE * F, ), F, Format)
GRAUPEL_BLOCKING_WIDE(__wprintf_chk, __vwprintf_chk, (int C, ), C, Format)
GRAUPEL_BLOCKING_WIDE(__fwprintf_chk, __vfwprintf_chk, (FILE * F, int C, ), F,
                      C, Format)
GRAUPEL_BLOCKING_WIDE(wscanf, vwscanf, (), Format)
GRAUPEL_BLOCKING_WIDE(fwscanf, vfwscanf, (FILE * F, ), F, Format)
GRAUPEL_BLOCKING_WIDE(__isoc99_wscanf, __isoc99_vwscanf, (), Format)
GRAUPEL_BLOCKING_WIDE(__isoc99_fwscanf, __isoc99_vfwscanf, (FILE * F, ), F,
                      Format)
GRAUPEL_BLOCKING_WIDE(__isoc23_wscanf, __isoc23_vwscanf, (), Format)
GRAUPEL_BLOCKING_WIDE(__isoc23_fwscanf, __isoc23_vfwscanf, (FILE * F, ), F,
                      Format)

//===-- Strings -----------------------------------------------------------===//

#define GRAUPEL_BLOCKING_LINE(Name)                                            \
  GRAUPEL_BLOCKING(wchar_t *, Name, (wchar_t * P, int N, FILE *F), (P, N, F))
GRAUPEL_BLOCKING_LINE(fgetws)
GRAUPEL_BLOCKING_LINE(fgetws_unlocked)

#define GRAUPEL_BLOCKING_CHECKED_LINE(Name)                                    \
  GRAUPEL_BLOCKING(wchar_t *, Name, (wchar_t * P, size_t L, int N, FILE *F),   \
                   (P, L, N, F))
GRAUPEL_BLOCKING_CHECKED_LINE(__fgetws_chk)
GRAUPEL_BLOCKING_CHECKED_LINE(__fgetws_unlocked_chk)

GRAUPEL_BLOCKING(int, fputws, (const wchar_t *P, FILE *F), (P, F))
GRAUPEL_BLOCKING(int, fputws_unlocked, (const wchar_t *P, FILE *F), (P, F))

//===-- Characters --------------------------------------------------------===//

#define GRAUPEL_BLOCKING_GET(Name)                                             \
  GRAUPEL_BLOCKING(wint_t, Name, (FILE * F), (F))
GRAUPEL_BLOCKING_GET(fgetwc)
GRAUPEL_BLOCKING_GET(fgetwc_unlocked)
GRAUPEL_BLOCKING_GET(getwc)
GRAUPEL_BLOCKING_GET(getwc_unlocked)
GRAUPEL_BLOCKING_GET(__wuflow)
GRAUPEL_BLOCKING(wint_t, getwchar, (), ())
GRAUPEL_BLOCKING(wint_t, getwchar_unlocked, (), ())

#define GRAUPEL_BLOCKING_PUT(Name)                                             \
  GRAUPEL_BLOCKING(wint_t, Name, (wchar_t C, FILE * F), (C, F))
GRAUPEL_BLOCKING_PUT(fputwc)
GRAUPEL_BLOCKING_PUT(fputwc_unlocked)
GRAUPEL_BLOCKING_PUT(putwc)
GRAUPEL_BLOCKING_PUT(putwc_unlocked)
GRAUPEL_BLOCKING(wint_t, __woverflow, (FILE * F, wint_t C), (F, C))
GRAUPEL_BLOCKING(wint_t, putwchar, (wchar_t C), (C))
GRAUPEL_BLOCKING(wint_t, putwchar_unlocked, (wchar_t C), (C))
// NOLINTEND
