//===- Process/Words.cpp - Words of a command line ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Words.h"
#include <utility>

using namespace llvm;

Expected<std::vector<std::string>>
graupel::environment::splitWords(StringRef Line) {
  std::vector<std::string> Words;
  std::string Word;
  bool IsWord = false;
  char Quote = 0;
  for (size_t I = 0; I < Line.size(); ++I) {
    const char C = Line[I];
    if (C == '\\' && Quote != '\'' && I + 1 < Line.size()) {
      Word += Line[++I];
      IsWord = true;
    } else if (Quote ? C == Quote : C == '"' || C == '\'') {
      Quote = Quote ? 0 : C;
      IsWord = true;
    } else if (!Quote && (C == ' ' || C == '\t' || C == '\n')) {
      if (IsWord)
        Words.push_back(std::exchange(Word, ""));
      IsWord = false;
    } else {
      Word += C;
      IsWord = true;
    }
  }
  if (Quote)
    return createStringError(Line + ": a quote is not closed");
  if (IsWord)
    Words.push_back(Word);
  return Words;
}
