//===- Error.cpp - How the runtime ends a job -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node/Error.h"
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace graupel::dsm {

void (*OnFatal)(const char *Message) = nullptr;

void fatal(const char *Format, ...) {
  char Line[1024] = "graupel dsm: error: ";
  int Prefix = static_cast<int>(__builtin_strlen(Line));
  va_list Arguments;
  va_start(Arguments, Format);
  int Length =
      vsnprintf(Line + Prefix, sizeof(Line) - Prefix - 1, Format, Arguments);
  va_end(Arguments);
  int End = Prefix + Length;
  if (End > static_cast<int>(sizeof(Line)) - 2)
    End = sizeof(Line) - 2;
  Line[End] = '\n';
  Line[End + 1] = 0;

  // The first message counts; what fails on the way out is a consequence.
  static std::atomic<bool> Ending{false};
  if (!Ending.exchange(true)) {
    // One write, so that lines of several nodes stay whole.
    if (write(2, Line, End + 1) < 0)
      _exit(1);
    if (OnFatal) {
      Line[End] = 0;
      OnFatal(Line + Prefix);
    }
  }
  _exit(1);
}

} // namespace graupel::dsm
