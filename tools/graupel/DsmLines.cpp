//===- DsmLines.cpp - graupel dsm lines: its options ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DsmReport/Command.h"
#include "Support/Parse.h"

using namespace graupel;

int graupel::dsmLinesCommand(const Arguments &A) {
  int Status = 1;
  auto P = parse(description("dsm lines"), A, Status);
  return P ? dsm::printLines(P->Words) : Status;
}
