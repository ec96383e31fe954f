//===- JSON/Parse.cpp - JSON of others ------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parse.h"

using namespace llvm;

/// All that Graupel writes has fewer levels. Brackets in strings do not count.
static bool isTooDeep(StringRef Text) {
  constexpr int Most = 32;
  int Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size() && Depth <= Most; ++I) {
    const char C = Text[I];
    if (InString && C == '\\')
      ++I;
    else if (C == '"')
      InString = !InString;
    else if (!InString)
      Depth += (C == '[' || C == '{') - (C == ']' || C == '}');
  }
  return Depth > Most;
}

Expected<json::Value> graupel::parseJSON(StringRef Text) {
  if (isTooDeep(Text))
    return createStringError("too many nested brackets");
  return json::parse(Text);
}
