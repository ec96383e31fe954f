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

#include "CFGHooks.h"
#include "Copies/Copies.h"
#include "DebugAddresses.h"
#include "Exceptions/Exceptions.h"
#include "FixedBranches.h"
#include "Instrumenting.h"
#include "Options/CopyPlan.h"
#include "Options/LayoutPlan.h"
#include "PackedRelocations.h"
#include "Protect/PartsOfFunctions.h"
#include "Protect/Protected.h"
#include "Recover/IndirectBranches.h"
#include "StubAddresses.h"
#include "Support/BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "UnreadFunctions.h"
#include "bolt/Utils/CommandLineOpts.h"
#include <algorithm>
#include <iterator>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static cl::opt<bool> RecoverBranches(
    "recover-branches",
    cl::desc("optimize functions with switches and indirect tail calls that "
             "llvm-bolt does not understand (default: true)"),
    cl::init(true), cl::cat(opts::BoltOptCategory));

bool graupel::shouldRecover(const BinaryContext &BC) {
  static const bool Wanted =
      RecoverBranches && layoutPlan().Kind != LayoutKind::None;
  return Wanted && isOurs(BC) && BC.HasRelocations;
}

/// shrink_to_fit(), which std::vector does not do without exceptions, and which
/// SmallVector does not have.
template <typename VectorT> static void fit(VectorT &V) {
  if (V.size() == V.capacity())
    return;
  VectorT Exact;
  Exact.reserve(V.size());
  std::move(V.begin(), V.end(), std::back_inserter(Exact));
  V = std::move(Exact);
}

/// Gives back the room that \p BF has for more instructions. When a large
/// program is instrumented, all of it is in memory.
static void fitMemory(BinaryFunction &BF) {
  for (BinaryBasicBlock &Block : BF)
    fit(Block.*member(internals::BlockInstructionsTag()));
  fit(BF.*member(internals::FrameInstructionsTag()));
}

// C linkage is for the names alone; both sides are C++.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

// BinaryFunction::disassemble()
Error __real__ZN4llvm4bolt14BinaryFunction11disassembleEv(BinaryFunction *BF);
Error __wrap__ZN4llvm4bolt14BinaryFunction11disassembleEv(BinaryFunction *BF) {
  completePackedRelocations(BF->getBinaryContext());
  relateParts(BF->getBinaryContext()); // The first time.
  keepStubAddresses(*BF);
  watchTables(*BF);
  if (isOurs(BF->getBinaryContext())) {
    watchReading(BF->getBinaryContext());
    skipData(BF->getBinaryContext());
    keepEndAddresses(*BF);
    noteOperands(*BF);
    if (makesCopies())
      noteTables(*BF);
  }
  if (Error E = __real__ZN4llvm4bolt14BinaryFunction11disassembleEv(BF))
    return E;
  deleteUnusedTables(*BF);
  if (isOurs(BF->getBinaryContext()))
    noteEnd(*BF);
  if (shouldRecover(BF->getBinaryContext()))
    recoverHoistedTables(*BF);
  return Error::success();
}

// BinaryFunction::buildCFG(MCPlusBuilder::AllocatorIdTy)
Error __real__ZN4llvm4bolt14BinaryFunction8buildCFGEt(
    BinaryFunction *BF, MCPlusBuilder::AllocatorIdTy Allocator);
Error __wrap__ZN4llvm4bolt14BinaryFunction8buildCFGEt(
    BinaryFunction *BF, MCPlusBuilder::AllocatorIdTy Allocator) {
  const bool Recover = shouldRecover(BF->getBinaryContext());
  std::optional<ReferencesInto> References;
  if (Recover)
    References.emplace(*BF);
  noteInputOffsets(*BF, Allocator);
  if (Error E = __real__ZN4llvm4bolt14BinaryFunction8buildCFGEt(BF, Allocator))
    return E;
  if (isOurs(BF->getBinaryContext()) && BF->hasCFG())
    dropRulesBehindBranches(*BF);
  if (Recover)
    acceptRecoveredBranches(*BF, *References);
  if (isOurs(BF->getBinaryContext()))
    fallThroughTraps(*BF);
  if (instrumentedImage())
    fitMemory(*BF);
  return Error::success();
}
}
