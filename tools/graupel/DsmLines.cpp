//===- DsmLines.cpp - graupel dsm lines: its options ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DsmReport/Command.h"
#include "Support/Command.h"

using namespace graupel;

int graupel::dsmLinesCommand(const CommandDescription &, const Parsed &P) {
  return dsm::printLines(P.Words);
}
