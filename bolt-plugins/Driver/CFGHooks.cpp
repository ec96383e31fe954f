//===- Driver/CFGHooks.cpp - Where BOLT builds control flow ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT calls the two functions wrapped here for each function of the input,
// from another of its files, so that the linker's --wrap option reaches them.
//
//===----------------------------------------------------------------------===//

#include "BoltOptions.h"
#include "LayoutPlan.h"
#include "Recover/IndirectBranches.h"
#include "bolt/Utils/CommandLineOpts.h"
#include <utility>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static cl::opt<bool> RecoverBranches(
    "recover-branches",
    cl::desc("optimize functions with switches and indirect tail calls that "
             "llvm-bolt does not understand (default: true)"),
    cl::init(true), cl::cat(opts::BoltOptCategory));

static bool shouldRecover(BinaryFunction &BF) {
  static const bool Wanted = RecoverBranches &&
                             layoutPlan().Kind != LayoutKind::None &&
                             !boltFlag("stock-pipeline");
  return Wanted && BF.getBinaryContext().isX86() &&
         BF.getBinaryContext().HasRelocations;
}

/// Labels whose addresses are in data are entries of their functions. BOLT
/// knows that of addresses that the loader relocates by .rela.dyn, but not of
/// those in .relr.dyn, and ends when it comes to update them.
static void enterRelocatedLabels(BinaryContext &BC) {
  static bool Done = boltFlag("stock-pipeline") || !BC.isX86();
  if (std::exchange(Done, true))
    return;
  for (const BinarySection &Section : BC.allocatableSections())
    for (const Relocation &Rel : Section.dynamicRelocations()) {
      if (!Rel.isRelative() || Rel.Symbol ||
          Section.getRelocationAt(Rel.Offset))
        continue;
      BinaryFunction *BF = BC.getBinaryFunctionContainingAddress(Rel.Addend);
      if (BF && BF->getAddress() != Rel.Addend &&
          !BF->isInConstantIsland(Rel.Addend))
        BF->addEntryPointAtOffset(Rel.Addend - BF->getAddress());
    }
}

// C linkage is for the names alone; both sides are C++.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

// BinaryFunction::disassemble()
Error __real__ZN4llvm4bolt14BinaryFunction11disassembleEv(BinaryFunction *BF);
Error __wrap__ZN4llvm4bolt14BinaryFunction11disassembleEv(BinaryFunction *BF) {
  enterRelocatedLabels(BF->getBinaryContext());
  if (Error E = __real__ZN4llvm4bolt14BinaryFunction11disassembleEv(BF))
    return E;
  if (shouldRecover(*BF))
    recoverHoistedTables(*BF);
  return Error::success();
}

// BinaryFunction::buildCFG(MCPlusBuilder::AllocatorIdTy)
Error __real__ZN4llvm4bolt14BinaryFunction8buildCFGEt(
    BinaryFunction *BF, MCPlusBuilder::AllocatorIdTy Allocator);
Error __wrap__ZN4llvm4bolt14BinaryFunction8buildCFGEt(
    BinaryFunction *BF, MCPlusBuilder::AllocatorIdTy Allocator) {
  if (!shouldRecover(*BF))
    return __real__ZN4llvm4bolt14BinaryFunction8buildCFGEt(BF, Allocator);
  const ReferencesInto References(*BF);
  if (Error E = __real__ZN4llvm4bolt14BinaryFunction8buildCFGEt(BF, Allocator))
    return E;
  acceptRecoveredBranches(*BF, References);
  return Error::success();
}
}
