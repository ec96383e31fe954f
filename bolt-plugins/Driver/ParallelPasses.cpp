//===- Driver/ParallelPasses.cpp - Passes on several functions ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Does the work of some of BOLT's passes on several functions at once. The
// result is the same as that of BOLT's passes.
//
// 1. forEach() runs an action for all wanted functions in BOLT's thread pool.
// 2. CheckInternalCalls looks for calls inside a function. If there is one, it
//    runs BOLT's pass.
// 3. CheckMemRefs looks for functions that refer to a jump table of another
//    one. While BOLT's pass runs, all others are in a state in which that pass
//    skips them.
// 4. RemoveUnreachable, FixBranches and LowerInstructions change each function
//    as BOLT's passes do. RemoveUnreachable makes an assembler only where
//    blocks are removed.
// 5. LowerArgumentSizes runs BOLT's pass if some function uses
//    DW_CFA_GNU_args_size.
//
//===----------------------------------------------------------------------===//

#include "ParallelPasses.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/ParallelUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <mutex>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Runs \p Do for each function of \p BC that \p Wanted accepts.
static void forEach(BinaryContext &BC, const char *Name,
                    function_ref<bool(const BinaryFunction &)> Wanted,
                    function_ref<void(BinaryFunction &)> Do) {
  // Other policies warn if there is nothing to do.
  ParallelUtilities::runOnEachFunction(
      BC, ParallelUtilities::SchedulingPolicy::SP_TRIVIAL, Do,
      [Wanted](const BinaryFunction &BF) { return !Wanted(BF); }, Name);
}

/// The only operand of a direct call or jump.
static bool hasTarget(const BinaryContext &BC, const MCInst &Inst) {
  const MCInstrDesc &Desc = BC.MII->get(Inst.getOpcode());
  return (Desc.isCall() || Desc.isBranch()) && Inst.getNumOperands() &&
         Inst.getOperand(0).isExpr();
}

static bool callsItself(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block)
      if (hasTarget(BC, Inst) && BC.MIB->isCall(Inst) &&
          BF.getBasicBlockForLabel(BC.MIB->getTargetSymbol(Inst)))
        return true;
  return false;
}

Error CheckInternalCalls::runOnFunctions(BinaryContext &BC) {
  std::atomic<bool> Any = false;
  forEach(
      BC, getName(), [](const BinaryFunction &) { return true; },
      [&](BinaryFunction &BF) {
        if (callsItself(BF))
          Any = true;
      });
  return Any ? ValidateInternalCalls::runOnFunctions(BC) : Error::success();
}

/// True if \p BF may refer to a jump table of another function, which it must
/// then take for data.
static bool refersToForeignTable(BinaryFunction &BF) {
  BinaryContext &BC = BF.getBinaryContext();
  auto isForeign = [&](const MCOperand &Op) {
    const MCSymbol *Symbol =
        Op.isExpr() ? BC.MIB->getTargetSymbolInfo(Op.getExpr()).first : nullptr;
    const BinaryData *Data =
        Symbol ? BC.getBinaryDataByName(Symbol->getName()) : nullptr;
    const JumpTable *Table =
        Data ? BC.getJumpTableContainingAddress(Data->getAddress()) : nullptr;
    return Table && !is_contained(Table->Parents, &BF);
  };
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block)
      if (!hasTarget(BC, Inst) &&
          any_of(MCPlus::primeOperands(Inst), isForeign))
        return true;
  return false;
}

Error CheckMemRefs::runOnFunctions(BinaryContext &BC) {
  std::vector<std::pair<BinaryFunction *, BinaryFunction::State>> Hidden;
  std::mutex Lock;
  forEach(
      BC, getName(), [](const BinaryFunction &BF) { return BF.hasCFG(); },
      [&](BinaryFunction &BF) {
        if (refersToForeignTable(BF))
          return;
        std::lock_guard Locked(Lock);
        Hidden.push_back({&BF, BF.getState()});
      });
  // BOLT's pass takes those with a flow graph.
  for (const auto &[BF, State] : Hidden)
    BF->updateState(BinaryFunction::State::Disassembled);
  Error E = ValidateMemRefs::runOnFunctions(BC);
  for (const auto &[BF, State] : Hidden)
    BF->updateState(State);
  return E;
}

Error RemoveUnreachable::runOnFunctions(BinaryContext &BC) {
  std::atomic<uint64_t> Blocks = 0, Bytes = 0;
  std::mutex Lock;
  forEach(
      BC, getName(),
      [&](const BinaryFunction &BF) {
        return shouldOptimize(BF) && !BF.getLayout().block_empty();
      },
      [&](BinaryFunction &BF) {
        BF.markUnreachableBlocks();
        if (all_of(BF, [](const auto &Block) { return Block.isValid(); }))
          return;
        const auto Assembler = BC.createIndependentMCCodeEmitter();
        const auto [N, Size] = BF.eraseInvalidBBs(Assembler.MCE.get());
        Blocks += N;
        Bytes += Size;
        std::lock_guard Locked(Lock);
        Changed.insert(&BF);
      });
  if (Blocks)
    BC.outs() << "BOLT-INFO: UCE removed " << Blocks << " blocks and " << Bytes
              << " bytes of code\n";
  return Error::success();
}

Error FixBranches::runOnFunctions(BinaryContext &BC) {
  forEach(
      BC, getName(),
      [&](const BinaryFunction &BF) {
        return BC.shouldEmit(BF) && BF.isSimple();
      },
      [](BinaryFunction &BF) { BF.fixBranches(); });
  return Error::success();
}

Error LowerInstructions::runOnFunctions(BinaryContext &BC) {
  forEach(
      BC, getName(), [](const BinaryFunction &) { return true; },
      [&](BinaryFunction &BF) {
        for (BinaryBasicBlock &Block : BF)
          for (MCInst &Inst : Block)
            BC.MIB->lowerTailCall(Inst);
      });
  return Error::success();
}

Error LowerArgumentSizes::runOnFunctions(BinaryContext &BC) {
  const bool Any =
      any_of(BC.getAllBinaryFunctions(),
             [](const BinaryFunction *BF) { return BF->usesGnuArgsSize(); });
  return Any ? LowerAnnotations::runOnFunctions(BC) : Error::success();
}
