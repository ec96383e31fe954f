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
//   2. Without relocations there may be no table: BOLT knows none with the entry
//      when it wants to delete that. Then one is made at each address that the
//      instructions before the jump compute.
//   3. Afterwards those tables are deleted that no instruction refers to any
//      longer, and those that were made.
//
// A writable table is no switch's: an interpreter may change its labels. BOLT
// would move the table, and the program go on to write to the old one.
//
//   4. Where BOLT asks what is in such a section, it is told that nobody knows.
//
//===----------------------------------------------------------------------===//

#include "FixedBranches.h"
#include "Support/BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/JumpTable.h"
#include <vector>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Is being disassembled.
static BinaryFunction *Current = nullptr;
/// Addresses of the tables that BOLT wanted to delete, and of those made for
/// it.
static std::vector<uint64_t> GivenUp, Made;

static bool refersTo(BinaryFunction &BF, const MCSymbol *Table) {
  BinaryContext &BC = BF.getBinaryContext();
  for (const auto &[Offset, Inst] : BF.*member(internals::InstructionsTag()))
    for (const MCOperand &Op : MCPlus::primeOperands(Inst))
      if (Op.isExpr() &&
          BC.MIB->getTargetSymbolInfo(Op.getExpr()).first == Table)
        return true;
  return false;
}

/// BOLT is about to look for the table whose address the last instructions
/// compute.
static void makeTables(BinaryContext &BC) {
  const auto &Instructions = Current->*member(internals::InstructionsTag());
  unsigned Left = 8;
  for (auto It = Instructions.rbegin(); It != Instructions.rend() && Left--;
       ++It)
    for (const MCOperand &Op : MCPlus::primeOperands(It->second)) {
      if (!Op.isExpr() || BC.MIB->isBranch(It->second) ||
          BC.MIB->isCall(It->second))
        continue;
      const auto [Symbol, Addend] = BC.MIB->getTargetSymbolInfo(Op.getExpr());
      const ErrorOr<uint64_t> Value = BC.getSymbolValue(*Symbol);
      if (!Value || !BC.getSectionForAddress(*Value + Addend) ||
          BC.getJumpTableContainingAddress(*Value + Addend))
        continue;
      BC.getOrCreateJumpTable(*Current, *Value + Addend, JumpTable::JTT_PIC);
      Made.push_back(*Value + Addend);
    }
}

/// Whether the program may change what is at \p Address. The loader writes to
/// some sections that nobody else does.
static bool mayBeWritten(BinaryContext &BC, uint64_t Address) {
  ErrorOr<BinarySection &> Section = BC.getSectionForAddress(Address);
  return Section && Section->isWritable() &&
         !Section->getName().starts_with(".data.rel.ro");
}

// C linkage is for the names alone; both sides are C++.
extern "C" {

// BinaryContext::analyzeMemoryAt(uint64_t, BinaryFunction &)
MemoryContentsType
__real__ZN4llvm4bolt13BinaryContext15analyzeMemoryAtEmRNS0_14BinaryFunctionE(
    BinaryContext *BC, uint64_t Address, BinaryFunction *BF);
MemoryContentsType
__wrap__ZN4llvm4bolt13BinaryContext15analyzeMemoryAtEmRNS0_14BinaryFunctionE(
    BinaryContext *BC, uint64_t Address, BinaryFunction *BF) {
  if (isOurs(*BC) && mayBeWritten(*BC, Address))
    return MemoryContentsType::UNKNOWN;
  return __real__ZN4llvm4bolt13BinaryContext15analyzeMemoryAtEmRNS0_14BinaryFunctionE(
      BC, Address, BF);
}

// BinaryContext::deleteJumpTable(uint64_t)
void __real__ZN4llvm4bolt13BinaryContext15deleteJumpTableEm(BinaryContext *BC,
                                                            uint64_t Address);
void __wrap__ZN4llvm4bolt13BinaryContext15deleteJumpTableEm(BinaryContext *BC,
                                                            uint64_t Address) {
  if (isStockPipeline())
    return __real__ZN4llvm4bolt13BinaryContext15deleteJumpTableEm(BC, Address);
  if (BC->getJumpTableContainingAddress(Address))
    GivenUp.push_back(Address);
  else
    makeTables(*BC);
}
}

void graupel::watchTables(BinaryFunction &BF) { Current = &BF; }

void graupel::deleteUnusedTables(BinaryFunction &BF) {
  BinaryContext &BC = BF.getBinaryContext();
  for (uint64_t Address : Made)
    __real__ZN4llvm4bolt13BinaryContext15deleteJumpTableEm(&BC, Address);
  Made.clear();
  for (uint64_t Address : GivenUp) {
    const JumpTable *Table = BC.getJumpTableContainingAddress(Address);
    if (Table && Table->getAddress() == Address &&
        !refersTo(BF, Table->getFirstLabel()))
      __real__ZN4llvm4bolt13BinaryContext15deleteJumpTableEm(&BC, Address);
  }
  GivenUp.clear();
}
