//===- Driver/FixedBranches.cpp - Jumps by a fixed table entry ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler may know which entry of a table a switch takes:
//
//   movslq table+4*n(%rip), %rax
//   lea    table(%rip), %rsi
//   add    %rsi, %rax
//   jmp    *%rax
//
// BOLT 22 takes the entry for a table of its own first. When it understands the
// jump it deletes that table, and then needs the one at table(%rip). If n is 0
// they are the same, and BOLT crashes; glibc's resolver has such code.
//
//   1. Nothing is deleted while a function is disassembled.
//   2. Afterwards those tables are deleted that no instruction refers to any
//      longer.
//
//===----------------------------------------------------------------------===//

#include "FixedBranches.h"
#include "BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/JumpTable.h"
#include <vector>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Addresses of the tables that BOLT wanted to delete.
static std::vector<uint64_t> GivenUp;

static bool refersTo(BinaryFunction &BF, const MCSymbol *Table) {
  BinaryContext &BC = BF.getBinaryContext();
  for (const auto &[Offset, Inst] : BF.*member(internals::InstructionsTag()))
    for (const MCOperand &Op : MCPlus::primeOperands(Inst))
      if (Op.isExpr() &&
          BC.MIB->getTargetSymbolInfo(Op.getExpr()).first == Table)
        return true;
  return false;
}

// C linkage is for the names alone; both sides are C++.
extern "C" {

// BinaryContext::deleteJumpTable(uint64_t)
void __real__ZN4llvm4bolt13BinaryContext15deleteJumpTableEm(BinaryContext *BC,
                                                            uint64_t Address);
void __wrap__ZN4llvm4bolt13BinaryContext15deleteJumpTableEm(BinaryContext *BC,
                                                            uint64_t Address) {
  if (isStockPipeline())
    __real__ZN4llvm4bolt13BinaryContext15deleteJumpTableEm(BC, Address);
  else
    GivenUp.push_back(Address);
}
}

void graupel::deleteUnusedTables(BinaryFunction &BF) {
  BinaryContext &BC = BF.getBinaryContext();
  for (uint64_t Address : GivenUp) {
    const JumpTable *Table = BC.getJumpTableContainingAddress(Address);
    if (Table && Table->getAddress() == Address &&
        !refersTo(BF, Table->getFirstLabel()))
      __real__ZN4llvm4bolt13BinaryContext15deleteJumpTableEm(&BC, Address);
  }
  GivenUp.clear();
}
