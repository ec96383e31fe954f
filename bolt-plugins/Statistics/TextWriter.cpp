//===- Statistics/TextWriter.cpp - Program statistics as text -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sections.h"
#include "Writers.h"

using namespace llvm;
using namespace graupel;

void graupel::writeText(const Portrait &P, raw_ostream &OS) {
  OS << "Statistics of " << P.Program;
  if (!P.Profile.empty())
    OS << " by " << P.Profile;
  OS << '\n';
  for (const Section &S : sectionsOf(P)) {
    OS << '\n';
    writeTable(S, OS);
  }
}
