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
// 2. Of a function that BOLT did not read, decode all bytes. Blocks begin where
//    direct branches lead and behind branches; a computed jump may lead to all
//    of them. The flow is understood if each byte belongs to an instruction and
//    each branch leads to one (noteUnread).
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

void graupel::noteStaying(BinaryFunction &BF, ProtectReason Reason) {
  BinaryContext &BC = BF.getBinaryContext();
  StayingFunction S{&BF,
                    {},
                    allowsFlow(Reason) && BF.isSimple() && !BF.empty() &&
                        !BF.hasUnknownControlFlow() && !BF.isFragment()};
  for (const BinaryBasicBlock &Block : BF) {
    assert(Block.getIndex() == S.Blocks.size() && "blocks have no order");
    StayingFunction::Block &Copy = S.Blocks.emplace_back();
    for (const MCInst &Inst : Block) {
      if (BC.MIB->isPseudo(Inst))
        continue;
      const bool IsTail = BC.MIB->isTailCall(Inst);
      const bool IsCall = BC.MIB->isCall(Inst) || IsTail;
      const bool Leads = IsCall || BC.MIB->isBranch(Inst);
      const MCSymbol *To = Leads ? BC.MIB->getTargetSymbol(Inst) : nullptr;
      Copy.Steps.push_back({MCInst(), IsCall, IsTail, BC.MIB->isReturn(Inst),
                            findFunctionEntry(BC, To).Function, To});
      MCInst &New = Copy.Steps.back().Inst;
      New.setOpcode(Inst.getOpcode());
      New.setFlags(Inst.getFlags());
      for (const MCOperand &Op : MCPlus::primeOperands(Inst))
        New.addOperand(Op);
    }
    for (const BinaryBasicBlock *To : Block.successors())
      Copy.Next.push_back(To->getIndex());
    S.IsUnderstood &= endsKnown(Block);
  }
  // A jump that is not understood may be a tail call.
  for (StayingFunction::Block &Block : S.Blocks)
    for (StayingFunction::Step &Each : Block.Steps)
      if (!S.IsUnderstood && BC.MIB->isIndirectBranch(Each.Inst))
        Each.IsCall = Each.IsTail = true;
  Staying.push_back(std::move(S));
}

namespace {

/// Makes blocks of the bytes of a function.
class BytesReader {
public:
  explicit BytesReader(BinaryFunction &BF)
      : BF(BF), BC(BF.getBinaryContext()), Result{&BF, {}, true} {}

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
    std::optional<uint64_t> Target; ///< Within the function.
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
      First += decodeInOrder(
          BC, Bytes->slice(First), BF.getAddress() + First,
          [&](const MCInst &Inst, uint64_t At, uint64_t Size) {
            Code.push_back({First + At,
                            First + At + Size,
                            {Inst, false, false, false, nullptr, nullptr}});
            look(Code.back());
          });
      Result.IsUnderstood &= First == Bytes->size();
    }
  }

  /// Finds out where control goes behind \p D.
  void look(Decoded &D) {
    const MCInst &Inst = D.Step.Inst;
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
      D.Step.Symbol = D.Step.To->getSymbol();
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
    DenseMap<uint64_t, unsigned> Blocks;
    for (const Decoded &D : Code) {
      if (Leaders.contains(D.Offset) || Blocks.empty())
        Blocks[D.Offset] = Result.Blocks.size(), Result.Blocks.emplace_back();
      Result.Blocks.back().Steps.push_back(D.Step);
    }
    Result.IsUnderstood &= !Code.empty();
    // One block without code has the edges of all computed jumps.
    const unsigned Anywhere = Result.Blocks.size();
    if (any_of(Code, [](const Decoded &D) { return D.IsComputed; })) {
      Result.Blocks.emplace_back();
      append_range(Result.Blocks.back().Next, seq(0u, Anywhere));
    }
    unsigned Current = 0;
    for (size_t I = 0; I < Code.size(); ++I) {
      const Decoded &D = Code[I];
      if (I && Blocks.contains(D.Offset))
        ++Current;
      auto &Next = Result.Blocks[Current].Next;
      const bool IsLast = I + 1 == Code.size() || Blocks.contains(D.End);
      if (D.Target) {
        const auto At = Blocks.find(*D.Target);
        Result.IsUnderstood &= At != Blocks.end();
        if (At != Blocks.end())
          Next.push_back(At->second);
      }
      if (D.IsComputed)
        Next.push_back(Anywhere);
      else if (IsLast && D.FallsThrough && I + 1 < Code.size())
        Next.push_back(Current + 1);
    }
  }
};

} // namespace

void graupel::noteUnread(BinaryFunction &BF) {
  if (!BF.isPLTFunction() && !BF.isPseudo())
    Staying.push_back(BytesReader(BF).read());
}

void graupel::followFolding(BinaryContext &BC) {
  for (StayingFunction &S : Staying)
    for (StayingFunction::Block &Block : S.Blocks)
      for (StayingFunction::Step &Each : Block.Steps)
        if (Each.To)
          Each.To = findFunctionEntry(BC, Each.Symbol).Function;
}

ArrayRef<StayingFunction> graupel::stayingFunctions() { return Staying; }
