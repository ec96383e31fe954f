//===- DsmLines.cpp - graupel dsm lines ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/Shown.h"
#include "SourceLines/SourceLines.h"
#include "Support/Command.h"
#include <charconv>
#include <cstdio>

using namespace graupel;

/// FILE=0xADDRESS
static bool readPlace(const std::string &Text, CodeModule &M,
                      uint64_t &Address) {
  size_t Equals = Text.rfind('=');
  if (Equals == std::string::npos || Text.compare(Equals + 1, 2, "0x") != 0)
    return false;
  const char *End = Text.data() + Text.size();
  auto [Rest, Error] =
      std::from_chars(Text.data() + Equals + 3, End, Address, 16);
  M.Path = Text.substr(0, Equals);
  return Error == std::errc() && Rest == End;
}

int graupel::dsmLinesCommand(const CommandDescription &, const Parsed &P) {
  SourceLines Lines;
  for (const std::string &Text : P.Words) {
    CodeModule M;
    uint64_t Address;
    if (!readPlace(Text, M, Address)) {
      fprintf(stderr,
              "graupel dsm lines: error: `%s` is no place; write "
              "FILE=0xADDRESS, as messages of a job do\n",
              output::shown(Text).c_str());
      return 1;
    }
    const SourceLine &L = Lines.find(M, Address);
    puts(L.File.empty() ? "" : L.shortName().c_str());
  }
  for (const std::string &W : Lines.Warnings)
    fprintf(stderr, "graupel dsm lines: warning: %s\n",
            output::shown(W).c_str());
  return 0;
}
