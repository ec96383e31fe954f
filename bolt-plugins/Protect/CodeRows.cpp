//===- Protect/CodeRows.cpp - Functions that are elements -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly may call the i-th of a row of small functions at base + 16 * i. Each
// of them may have a name, but only that of the first is used.
//
// 1. Find who adds something to the address of a function. Code that compilers
//    make of C and C++ does not. In functions that BOLT does not read, lea with
//    an addition soon behind it, found by its bytes, counts.
// 2. The function belongs to a row with all that follow it at the same
//    distance from each other, with nothing but padding between.
//
//===----------------------------------------------------------------------===//

#include "CodeRows.h"
#include "Support/FunctionEntry.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

// Larger functions are not padded to one size.
static constexpr uint64_t LargestElement = 256;

namespace {

/// One function, followed in the order of its code.
class SumFinder {
public:
  SumFinder(BinaryFunction &BF, function_ref<void(BinaryFunction &)> Report)
      : BF(BF), BC(BF.getBinaryContext()), Report(Report),
        Kept(BC.MRI->getNumRegs()) {
    BC.MIB->getCalleeSavedRegs(Kept);
  }

  void run() {
    for (const BinaryBasicBlock *Block : BF.getLayout().blocks())
      for (const MCInst &Inst : *Block)
        if (!BC.MIB->isPseudo(Inst) && !BC.MIB->isCFI(Inst))
          look(Inst);
  }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  function_ref<void(BinaryFunction &)> Report;
  BitVector Kept; ///< What calls keep.
  /// The registers that hold the address of a function.
  std::vector<std::pair<MCPhysReg, BinaryFunction *>> Holders;

  StringRef name(const MCInst &Inst) const {
    return BC.MII->getName(Inst.getOpcode());
  }

  bool isSame(MCPhysReg A, MCPhysReg B) const {
    return A && B && BC.MRI->regsOverlap(A, B);
  }

  bool uses(const MCInst &Inst, MCPhysReg Reg) const {
    return any_of(MCPlus::primeOperands(Inst), [&](const MCOperand &Op) {
      return Op.isReg() && isSame(Op.getReg(), Reg);
    });
  }

  /// Whether \p Inst is lea with more than one summand, apart from the
  /// instruction pointer.
  bool isSum(const MCInst &Inst) const {
    if (!name(Inst).starts_with("LEA"))
      return false;
    const MCPhysReg Base = Inst.getOperand(1).getReg(),
                    Index = Inst.getOperand(3).getReg();
    const bool HasNumber = !Inst.getOperand(4).isImm();
    return (Base && !isPC(Base)) + (Index != 0) + HasNumber > 1;
  }

  bool isPC(MCPhysReg Reg) const {
    return StringRef(BC.MRI->getName(Reg)) == "RIP";
  }

  BinaryFunction *functionIn(const MCInst &Inst) const {
    for (const MCOperand &Op : MCPlus::primeOperands(Inst))
      if (Op.isExpr()) {
        const auto [Symbol, Addend] = BC.MIB->getTargetSymbolInfo(Op.getExpr());
        if (!Symbol || Addend)
          return nullptr;
        const auto [Of, IsBeginning] = findFunctionEntry(BC, Symbol);
        return IsBeginning && Of != &BF ? Of : nullptr;
      }
    return nullptr;
  }

  void look(const MCInst &Inst) {
    const bool Adds = name(Inst).starts_with("ADD") || isSum(Inst);
    for (const auto &[Reg, Of] : Holders)
      if (Adds && uses(Inst, Reg))
        Report(*Of);
    BinaryFunction *Taken = nullptr;
    if (!BC.MIB->isCall(Inst) && !BC.MIB->isBranch(Inst))
      Taken = functionIn(Inst);
    if (Taken && Adds)
      Report(*Taken);
    if (!Taken && name(Inst) == "MOV64rr")
      for (const auto &[Reg, Of] : Holders)
        if (isSame(Reg, Inst.getOperand(1).getReg()))
          Taken = Of;
    const bool Calls = BC.MIB->isCall(Inst);
    erase_if(Holders, [&](const auto &Holder) {
      return BC.MIB->hasDefOfPhysReg(Inst, Holder.first) ||
             (Calls && !Kept.test(Holder.first));
    });
    const bool Holds =
        name(Inst).starts_with("LEA") || name(Inst).starts_with("MOV");
    if (Taken && Holds && Inst.getNumOperands() && Inst.getOperand(0).isReg() &&
        Inst.getOperand(0).getReg())
      Holders.push_back({MCPhysReg(Inst.getOperand(0).getReg()), Taken});
  }
};

} // namespace

void graupel::findSumsWithFunctions(
    BinaryFunction &BF, function_ref<void(BinaryFunction &)> Report) {
  SumFinder(BF, Report).run();
}

bool graupel::isSumSoon(ArrayRef<uint8_t> Code) {
  // add of two registers of 64 bits.
  constexpr size_t Soon = 24;
  for (size_t I = 0; I + 2 < std::min(Code.size(), Soon); ++I)
    if ((Code[I] & 0xf8) == 0x48 &&
        (Code[I + 1] == 0x01 || Code[I + 1] == 0x03))
      return true;
  return false;
}

void graupel::protectRow(BinaryContext &BC, const BinaryFunction &First,
                         ProtectedFunctions &Protected) {
  auto &Functions = BC.getBinaryFunctions();
  auto It = Functions.find(First.getAddress());
  if (It == Functions.end() || std::next(It) == Functions.end())
    return;
  const uint64_t Distance = std::next(It)->first - It->first;
  auto isElement = [&](auto At) {
    const auto Next = std::next(At);
    return Next != Functions.end() && Next->first - At->first == Distance &&
           At->second.getSize() <= Distance &&
           Next->second.getOriginSection() == First.getOriginSection();
  };
  if (Distance > LargestElement || !isElement(It))
    return;
  Protected.add(It->second, ProtectReason::ArrayElement);
  for (; isElement(It); ++It)
    Protected.add(std::next(It)->second, ProtectReason::ArrayElement);
}
