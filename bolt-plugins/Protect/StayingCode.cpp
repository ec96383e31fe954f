//===- Protect/StayingCode.cpp - Flow of functions that stay --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Copy the instructions of each block, and its edges. The flow is understood
//    if the reason to stay has nothing to do with it, BOLT found the targets of
//    all jumps, and no block ends in the open (noteStaying).
// 2. Decode all bytes of a function that BOLT did not read. Blocks begin where
//    direct branches lead and behind branches; a computed jump may lead to all
//    of them. The flow is understood if each byte belongs to an instruction and
//    each branch leads to one (noteUnread).
// 3. Keep each instruction once, whatever memory it reads or leads to: most of
//    them occur many times (InstructionPool).
//
//===----------------------------------------------------------------------===//

#include "StayingCode.h"
#include "Protected.h"
#include "Support/Decoding.h"
#include "Support/FunctionEntry.h"
#include "Support/SplitTables.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlus.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Allocator.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static std::vector<StayingFunction> Staying;

/// Whether a function that stays because of \p Reason may have the flow that
/// BOLT sees: it stays because of where it lies.
static bool allowsFlow(ProtectReason Reason) {
  switch (Reason) {
  case ProtectReason::CountsFromTable:
  case ProtectReason::KnownByNumber:
  case ProtectReason::ArrayElement:
  case ProtectReason::BehindSection:
  case ProtectReason::KnownEnd:
  case ProtectReason::BoundedCode:
    return true;
  default:
    return false;
  }
}

/// Whether \p Block ends in a way that nothing but its edges follows.
static bool endsKnown(const BinaryBasicBlock &Block) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  const MCInst *Last = Block.getLastNonPseudoInstr();
  if (mayLeaveByTable(Block))
    return false;
  if (!Block.succ_empty())
    return true;
  if (!Last || (MIB.isIndirectBranch(*Last) && !MIB.isTailCall(*Last)))
    return false;
  return MIB.isCall(*Last) || MIB.isReturn(*Last) || MIB.isTerminator(*Last);
}

namespace {

class InstructionPool {
public:
  /// \p Inst without annotations, displacement and target.
  const MCInst *get(const BinaryContext &BC, const MCInst &Inst) {
    MCInst New;
    New.setOpcode(Inst.getOpcode());
    New.setFlags(Inst.getFlags());
    for (const MCOperand &Op : MCPlus::primeOperands(Inst))
      New.addOperand(Op.isExpr() ? MCOperand::createImm(0) : Op);
    const auto *Displacement = BC.MIB->getMemOperandDisp(New);
    if (Displacement != New.end())
      New.getOperand(Displacement - New.begin()).setImm(0);
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    if ((Info.isCall() || Info.isBranch()) && New.getNumOperands() &&
        New.getOperand(0).isImm())
      New.getOperand(0).setImm(0);
    if (const auto At = Known.find_as(&New); At != Known.end())
      return *At;
    return *Known.insert(new (Memory.Allocate()) MCInst(New)).first;
  }

private:
  struct Equality {
    static MCInst *getEmptyKey() {
      return DenseMapInfo<MCInst *>::getEmptyKey();
    }
    static MCInst *getTombstoneKey() {
      return DenseMapInfo<MCInst *>::getTombstoneKey();
    }
    static bool isMarker(const MCInst *I) {
      return I == getEmptyKey() || I == getTombstoneKey();
    }
    static int64_t valueOf(const MCOperand &Op) {
      return Op.isReg() ? Op.getReg().id() : Op.getImm();
    }
    static unsigned getHashValue(const MCInst *I) {
      hash_code Hash = hash_combine(I->getOpcode(), I->getFlags());
      for (const MCOperand &Op : *I)
        Hash = hash_combine(Hash, Op.isReg(), valueOf(Op));
      return Hash;
    }
    static bool isEqual(const MCInst *A, const MCInst *B) {
      if (isMarker(A) || isMarker(B))
        return A == B;
      return A->getOpcode() == B->getOpcode() &&
             A->getFlags() == B->getFlags() &&
             equal(*A, *B, [](const MCOperand &X, const MCOperand &Y) {
               return X.isReg() == Y.isReg() && valueOf(X) == valueOf(Y);
             });
    }
  };
  SpecificBumpPtrAllocator<MCInst> Memory;
  DenseSet<MCInst *, Equality> Known;
};

} // namespace

static InstructionPool Pool;

/// The symbols that calls use for functions: a folded one leaves its name to
/// another.
static DenseMap<BinaryFunction *, const MCSymbol *> Names;

static BinaryFunction *named(BinaryFunction *To, const MCSymbol *Name) {
  if (To)
    Names.try_emplace(To, Name);
  return To;
}

void StayingFunction::addBlock(ArrayRef<Step> Its, ArrayRef<unsigned> Next) {
  append_range(Steps, Its);
  append_range(Edges, Next);
  Ends.push_back({unsigned(Steps.size()), unsigned(Edges.size())});
}

void StayingFunction::reserve(size_t NumSteps, size_t NumBlocks) {
  Steps.reserve(NumSteps);
  Ends.reserve(NumBlocks);
}

void graupel::noteStaying(BinaryFunction &BF, ProtectReason Reason) {
  BinaryContext &BC = BF.getBinaryContext();
  StayingFunction S(BF, allowsFlow(Reason) && BF.isSimple() && !BF.empty() &&
                            !BF.hasUnknownControlFlow() && !BF.isFragment());
  std::vector<StayingFunction::Step> Steps;
  SmallVector<unsigned> Next;
  S.reserve(BF.getNumNonPseudos(), BF.size());
  for (const BinaryBasicBlock &Block : BF) {
    assert(Block.getIndex() == S.numBlocks() && "blocks have no order");
    Steps.clear();
    for (const MCInst &Inst : Block) {
      if (BC.MIB->isPseudo(Inst))
        continue;
      const bool IsTail = BC.MIB->isTailCall(Inst);
      const bool IsCall = BC.MIB->isCall(Inst) || IsTail;
      const bool Leads = IsCall || BC.MIB->isBranch(Inst);
      const MCSymbol *To = Leads ? BC.MIB->getTargetSymbol(Inst) : nullptr;
      Steps.push_back({Pool.get(BC, Inst),
                       named(findFunctionEntry(BC, To).Function, To), IsCall,
                       IsTail, BC.MIB->isReturn(Inst)});
    }
    Next.clear();
    for (const BinaryBasicBlock *To : Block.successors())
      Next.push_back(To->getIndex());
    S.addBlock(Steps, Next);
    S.IsUnderstood &= endsKnown(Block);
  }
  // A jump that is not understood may be a tail call.
  if (!S.IsUnderstood)
    for (StayingFunction::Step &Each : S.steps())
      if (BC.MIB->isIndirectBranch(*Each.Inst))
        Each.IsCall = Each.IsTail = true;
  Staying.push_back(std::move(S));
}

namespace {

/// Makes blocks of the bytes of a function.
class BytesReader {
public:
  explicit BytesReader(BinaryFunction &BF)
      : BF(BF), BC(BF.getBinaryContext()), Result(BF, true) {}

  StayingFunction read() {
    decode();
    makeBlocks();
    return std::move(Result);
  }

private:
  struct Decoded {
    uint64_t Offset, End;
    StayingFunction::Step Step;
    bool FallsThrough = true, IsComputed = false;
    std::optional<uint64_t> Target = std::nullopt; ///< Within the function.
  };
  BinaryFunction &BF;
  BinaryContext &BC;
  StayingFunction Result;
  std::vector<Decoded> Code;
  DenseSet<uint64_t> Leaders{0};

  /// Behind what is no instruction, others are sought at the next byte: whom
  /// they call has a caller that is not understood.
  void decode() {
    const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
    Result.IsUnderstood = bool(Bytes);
    for (uint64_t First = 0; Bytes && First < Bytes->size(); ++First) {
      auto add = [&](const MCInst &Inst, uint64_t At, uint64_t Size) {
        const uint64_t Offset = First + At;
        Code.push_back({Offset,
                        Offset + Size,
                        {Pool.get(BC, Inst), nullptr, false, false, false}});
        look(Code.back(), Inst);
      };
      First +=
          decodeInOrder(BC, Bytes->slice(First), BF.getAddress() + First, add);
      Result.IsUnderstood &= First == Bytes->size();
    }
  }

  /// Finds out where control goes behind \p D, which is \p Inst.
  void look(Decoded &D, const MCInst &Inst) {
    D.Step.IsReturn = BC.MIB->isReturn(Inst);
    D.Step.IsCall = BC.MIB->isCall(Inst);
    const bool IsBranch = BC.MIB->isBranch(Inst);
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    D.FallsThrough = !D.Step.IsReturn && !Info.isBarrier();
    if (!D.Step.IsCall && !IsBranch) {
      if (!D.FallsThrough)
        Leaders.insert(D.End);
      return;
    }
    uint64_t To = 0;
    const bool IsDirect = BC.MIB->evaluateBranch(
        Inst, BF.getAddress() + D.Offset, D.End - D.Offset, To);
    const bool IsInside =
        IsDirect && To > BF.getAddress() && To < BF.getAddress() + BF.getSize();
    if (IsDirect && !IsInside)
      D.Step.To = BC.getBinaryFunctionContainingAddress(To);
    if (D.Step.To)
      named(D.Step.To, D.Step.To->getSymbol());
    if (IsInside) {
      D.Target = To - BF.getAddress();
      Leaders.insert(*D.Target);
      D.Step.IsCall = false; // Its middle: a jump that comes back.
    }
    if (!IsBranch)
      return;
    Leaders.insert(D.End);
    D.IsComputed = !IsDirect;
    D.Step.IsTail = !IsInside;
    D.Step.IsCall = !IsInside;
  }

  void makeBlocks() {
    Result.IsUnderstood &= !Code.empty();
    DenseMap<uint64_t, unsigned> Blocks;
    for (const Decoded &D : Code)
      if (Leaders.contains(D.Offset) || Blocks.empty())
        Blocks.try_emplace(D.Offset, Blocks.size());
    // One block without code has the edges of all computed jumps.
    const unsigned Anywhere = Blocks.size();
    Result.reserve(Code.size(), Blocks.size() + 1);
    std::vector<StayingFunction::Step> Steps;
    SmallVector<unsigned> Next;
    for (size_t I = 0; I < Code.size(); ++I) {
      const Decoded &D = Code[I];
      Steps.push_back(D.Step);
      if (D.Target) {
        const auto At = Blocks.find(*D.Target);
        Result.IsUnderstood &= At != Blocks.end();
        if (At != Blocks.end())
          Next.push_back(At->second);
      }
      const bool IsLast = I + 1 == Code.size() || Blocks.contains(D.End);
      if (D.IsComputed)
        Next.push_back(Anywhere);
      else if (IsLast && D.FallsThrough && I + 1 < Code.size())
        Next.push_back(Result.numBlocks() + 1);
      if (I + 1 < Code.size() && !Blocks.contains(Code[I + 1].Offset))
        continue;
      Result.addBlock(Steps, Next);
      Steps.clear();
      Next.clear();
    }
    if (any_of(Code, [](const Decoded &D) { return D.IsComputed; }))
      Result.addBlock({}, to_vector(seq(0u, Anywhere)));
  }
};

} // namespace

void graupel::noteUnread(BinaryFunction &BF) {
  if (!BF.isPLTFunction() && !BF.isPseudo())
    Staying.push_back(BytesReader(BF).read());
}

void graupel::followFolding(BinaryContext &BC) {
  auto follow = [&BC](StayingFunction::Step &Each) {
    const MCSymbol *Name = Names.lookup(Each.To);
    Each.To = named(findFunctionEntry(BC, Name).Function, Name);
  };
  for (StayingFunction &S : Staying)
    for (StayingFunction::Step &Each : S.steps())
      if (Each.To)
        follow(Each);
}

ArrayRef<StayingFunction> graupel::stayingFunctions() { return Staying; }
