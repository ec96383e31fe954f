//===- Fatal.cpp - The end of a process that cannot go on ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Fatal.h"
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

using namespace graupel;

static std::string formatList(const char *Format, va_list Arguments) {
  va_list Again;
  va_copy(Again, Arguments);
  int Size = vsnprintf(nullptr, 0, Format, Again);
  va_end(Again);
  std::string Text(Size < 0 ? 0 : size_t(Size), '\0');
  vsnprintf(Text.data(), Text.size() + 1, Format, Arguments);
  return Text;
}

std::string dsm::format(const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  std::string Text = formatList(Format, Arguments);
  va_end(Arguments);
  return Text;
}

void dsm::fatal(const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  std::string Line =
      "graupel dsm: error: " + formatList(Format, Arguments) + "\n";
  va_end(Arguments);
  // One call, so that lines of several nodes do not mix.
  [[maybe_unused]] ssize_t Written =
      write(STDERR_FILENO, Line.data(), Line.size());
  _exit(1);
}
