//===- Recover/BranchJudge.cpp - Are all indirect jumps understood --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accepts functions that BOLT gave up for indirect jumps if all of these are
// understood.
//
// 1. ReferencesInto keeps whether addresses lead into the function, before the
//    flow graph is made and BOLT forgets it.
// 2. understandAll() refuses functions with several entries, unless their own
//    cold parts enter there. It asks understand() of each indirect jump.
// 3. understand() accepts a jump through a table that BOLT found in the jump's
//    block or that HoistedTables proved, one jump for each table. It accepts a
//    tail call that BOLT recognized.
// 4. isMethodCall() accepts a jump that can only leave the function: no address
//    leads into it, and on all paths the target was loaded from a plain slot or
//    comes from the caller. canOnlyLeave() accepts one whose target is whole, kept
//    in a register that calls preserve, say. Such a jump becomes a tail call.
// 5. If that is not enough and data knows labels of the function, all other jumps
//    are computed gotos (ComputedGotos.cpp). They bring edges that HoistedTables
//    did not know of, and what looks like a tail call may be one of them, so
//    neither is accepted beside them, but for jumps through tables that can be
//    written: those may be either.
// 6. acceptRecoveredBranches() marks the function fit for optimization if BOLT
//    finds nothing wrong with the references from data either.
//    reportRecovered() says how many there were.
//
//===----------------------------------------------------------------------===//

#include "ComputedGotos.h"
#include "IndirectBranches.h"
#include "Support/BoltInternals.h"
#include "Support/ComputedGoto.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/JumpTable.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/MC/MCInstrInfo.h"
#include <atomic>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static std::atomic<uint64_t> NumRecovered{0};

ReferencesInto::ReferencesInto(const BinaryFunction &BF)
    : Any(!(BF.*member(internals::ExternallyReferencedOffsetsTag())).empty() ||
          BF.*member(internals::HasInternalLabelReferenceTag()) ||
          BF.hasJumpTables()) {}

namespace {

/// Judges the indirect jumps of a function that has its control flow graph.
class BranchJudge {
public:
  /// With \p Targets, its computed gotos lead there.
  BranchJudge(BinaryFunction &BF, const ReferencesInto &References,
              BlockSet Targets = {})
      : BF(BF), BC(BF.getBinaryContext()), References(References),
        Tied(tiedJumps(BF)), Targets(std::move(Targets)) {}

  /// True if all are understood; turns tail calls into what they are.
  bool understandAll() {
    // Code that enters in the middle may bring another base register with it,
    // or have computed the address and be able to do so again.
    if (Targets.empty() &&
        !BF.forEachEntryPoint([&](uint64_t Offset, const MCSymbol *) {
          return isUnderstoodEntry(BF, Offset);
        }))
      return false;
    for (BinaryBasicBlock &Block : BF)
      for (auto It = Block.begin(); It != Block.end(); ++It)
        if (BC.MIB->isIndirectBranch(*It) && !understand(Block, It))
          return false;
    for (BinaryBasicBlock *Block : TailCallBlocks) {
      MCInst &Jump = *Block->getLastNonPseudoInstr();
      if (!BC.MIB->isTailCall(Jump))
        BC.MIB->convertJmpToTailCall(Jump);
      Block->removeAllSuccessors();
    }
    return ComputedGotos.empty()
               ? validatesReferences()
               : connectComputedGotos(BF, ComputedGotos, Targets);
  }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  const ReferencesInto &References;
  const std::set<uint64_t> &Tied;
  /// The targets of computed gotos; empty if there are none.
  const BlockSet Targets;
  std::set<const JumpTable *> Tables;
  std::vector<BinaryBasicBlock *> TailCallBlocks, ComputedGotos;

  struct Analysis {
    IndirectBranchType Type;
    MCInst *Memory = nullptr;
  };

  Analysis analyze(BinaryBasicBlock &Block, BinaryBasicBlock::iterator It) {
    Analysis A;
    unsigned Base, Index;
    int64_t Displacement;
    const MCExpr *Expression;
    MCInst *PCRelBase, *FixedEntry;
    A.Type = BC.MIB->analyzeIndirectBranch(
        *It, Block.begin(), It, BC.AsmInfo->getCodePointerSize(), A.Memory,
        Base, Index, Displacement, Expression, PCRelBase, FixedEntry);
    return A;
  }

  bool understand(BinaryBasicBlock &Block, BinaryBasicBlock::iterator It) {
    const Analysis A = analyze(Block, It);
    const bool Matched = A.Type != IndirectBranchType::UNKNOWN || A.Memory;
    if (BC.MIB->getJumpTable(*It)) {
      // One jump a table; see HoistedTables::run.
      if (!Tables.insert(BF.getJumpTable(*It)).second)
        return false;
      std::optional<uint32_t> Offset = BC.MIB->getOffset(*It);
      return Matched || (Targets.empty() && Offset && Tied.count(*Offset));
    }
    if (!Targets.empty()) {
      ComputedGotos.push_back(&Block);
      return (!BC.MIB->isTailCall(*It) || readsTable(*It)) &&
             &*It == Block.getLastNonPseudoInstr();
    }
    if (BC.MIB->isTailCall(*It) && Matched)
      return true;
    if (!isMethodCall(Block, It) && !canOnlyLeave(Block, It))
      return false;
    TailCallBlocks.push_back(&Block);
    return true;
  }

  /// True if all that data knows of the function belongs to its tables.
  bool validatesReferences() {
    return (BF.*member(internals::validateInternalRefDataRelocationsTag()))();
  }

  /// jmp *table(,%index,8)
  bool readsTable(const MCInst &Jump) const {
    const auto Memory = BC.MIB->evaluateX86MemoryOperand(Jump);
    return Memory && Memory->BaseRegNum == BC.MIB->getNoRegister() &&
           Memory->IndexRegNum != BC.MIB->getNoRegister();
  }

  bool isPlainSlot(const MCInst &Inst) const {
    std::optional<MCPlusBuilder::X86MemOperand> Memory =
        BC.MIB->evaluateX86MemoryOperand(Inst);
    return Memory && Memory->IndexRegNum == BC.MIB->getNoRegister();
  }

  /// No address leads into the function, and on all paths the jump's target was
  /// loaded from a plain memory slot or passed in by the caller, so that it can
  /// only be that of another function.
  bool isMethodCall(BinaryBasicBlock &Block, BinaryBasicBlock::iterator It) {
    if (References.Any || BF.isMultiEntry() ||
        &*It != Block.getLastNonPseudoInstr())
      return false;
    if (MCPlus::getNumPrimeOperands(*It) != 1)
      return isPlainSlot(*It);
    if (!It->getOperand(0).isReg())
      return false;
    const MCPhysReg Target = It->getOperand(0).getReg();
    SmallPtrSet<BinaryBasicBlock *, 8> Seen;
    SmallVector<BinaryBasicBlock *, 8> Worklist;
    auto addPredecessors = [&](BinaryBasicBlock &Successor) {
      for (BinaryBasicBlock *Predecessor : Successor.predecessors())
        if (Seen.insert(Predecessor).second)
          Worklist.push_back(Predecessor);
    };
    std::optional<bool> Loaded = loadsFromSlot(Block, It, Target);
    if (Loaded)
      return *Loaded;
    addPredecessors(Block);
    while (!Worklist.empty()) {
      BinaryBasicBlock &Next = *Worklist.pop_back_val();
      if (Next.isLandingPad())
        return false;
      Loaded = loadsFromSlot(Next, Next.end(), Target);
      if (!Loaded)
        addPredecessors(Next);
      else if (!*Loaded)
        return false;
    }
    return true;
  }

  /// No address leads into the function or its parts, and the jump's target is
  /// whole, wherever it comes from.
  bool canOnlyLeave(BinaryBasicBlock &Block, BinaryBasicBlock::iterator It) {
    return !References.Any && !BF.isMultiEntry() && !BF.isFragment() &&
           !hasKnownParts(BF) && &*It == Block.getLastNonPseudoInstr() &&
           !jumpsToSum(Block, It);
  }

  /// The address of a weak function that nobody has, in a program that is not
  /// PIE.
  bool isNull(const MCInst &Inst) const {
    return BC.MII->getName(Inst.getOpcode()) == "MOV32ri" &&
           Inst.getOperand(1).isImm() && !Inst.getOperand(1).getImm();
  }

  /// Whether the last definition of \p Target in \p Block before \p End loads
  /// it from a plain slot, or is null; nullopt if there is no definition.
  std::optional<bool> loadsFromSlot(BinaryBasicBlock &Block,
                                    BinaryBasicBlock::iterator End,
                                    MCPhysReg Target) {
    for (auto It = End; It != Block.begin();) {
      --It;
      if (BC.MII->get(It->getOpcode()).hasDefOfPhysReg(*It, Target, *BC.MRI))
        return (BC.MIB->isMoveMem2Reg(*It) && isPlainSlot(*It)) || isNull(*It);
      if (BC.MIB->isCall(*It))
        return false;
    }
    return std::nullopt;
  }
};

} // namespace

void graupel::acceptRecoveredBranches(BinaryFunction &BF,
                                      const ReferencesInto &References) {
  if (BF.isSimple() || BF.isIgnored() || !BF.hasCFG() ||
      BF.*member(internals::HasInternalLabelReferenceTag()))
    return;
  auto hasGotosOnly = [&] {
    BlockSet Targets = targetsOfComputedGotos(BF);
    return !Targets.empty() &&
           BranchJudge(BF, References, std::move(Targets)).understandAll();
  };
  if (!BranchJudge(BF, References).understandAll() && !hasGotosOnly())
    return;
  BF.setSimple(true);
  ++NumRecovered;
}

void graupel::reportRecovered(BinaryContext &BC) {
  if (NumRecovered)
    BC.outs() << "GRAUPEL-INFO: understood the indirect jumps of "
              << NumRecovered << " more functions than llvm-bolt\n";
}
