//===- Copies/PrintCopies.cpp - Prints what was decided of copies ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "bolt/Core/JumpTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static cl::opt<bool> PrintCopies(
    "print-copies",
    cl::desc("where originals stay: print the bounds of functions that may be "
             "copied, their jump tables, and why others are not copied "
             "(default: false)"),
    cl::cat(opts::BoltOptCategory));

void graupel::printCopies(BinaryContext &BC, ArrayRef<NotCopied> Left) {
  if (!PrintCopies)
    return;
  DenseMap<const BinaryFunction *, const char *> Reasons;
  for (const NotCopied &N : Left)
    Reasons[N.BF] = *N.Why ? N.Why : "its flow is not known";
  raw_ostream &OS = BC.outs();
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions())) {
    if (BF.isIgnored() || BF.isPseudo() || BF.isPLTFunction())
      continue;
    const char *Why = Reasons.lookup(&BF);
    OS << "copies: function " << format_hex(BF.getAddress(), 0) << " to "
       << format_hex(BF.getAddress() + BF.getSize(), 0) << ": "
       << (Why ? Why : "may be copied") << '\n';
    if (!Why)
      for (const JumpTable *Table : make_second_range(BF.jumpTables()))
        OS << "copies: table " << format_hex(Table->getAddress(), 0) << ": "
           << Table->getSize() / Table->EntrySize << " entries of "
           << Table->EntrySize << " bytes\n";
  }
}
