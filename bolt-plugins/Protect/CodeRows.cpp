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
// 1. Find code that adds something to the address of a function, which may be
//    in the GOT. Code that compilers make of C and C++ does not. In functions
//    that BOLT does not read, lea with an addition soon behind it, found by its
//    bytes, counts.
// 2. The function belongs to a row with all that follow it at the same
//    distance from each other, with nothing but padding between. Without any,
//    the row is inside it.
//
//===----------------------------------------------------------------------===//

#include "CodeRows.h"
#include "ConstantWords.h"
#include "Options/CopyPlan.h"
#include "Support/FunctionEntry.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>
#include <set>
#include <vector>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

// Larger functions are not padded to one size.
static constexpr uint64_t LargestElement = 256;

namespace {

/// One function: from each place where the address of another is taken along
/// the edges, as long as a register holds it.
class SumFinder {
public:
  SumFinder(BinaryFunction &BF, function_ref<void(BinaryFunction &)> Report)
      : BF(BF), BC(BF.getBinaryContext()), Report(Report),
        Kept(BC.MRI->getNumRegs()) {
    BC.MIB->getCalleeSavedRegs(Kept);
  }

  void run() {
    for (BinaryBasicBlock &Block : BF)
      for (auto It = Block.begin(); It != Block.end(); ++It)
        if (!BC.MIB->isPseudo(*It) && !BC.MIB->isCFI(*It))
          look(Block, It);
  }

private:
  using Position = BinaryBasicBlock::iterator;

  BinaryFunction &BF;
  BinaryContext &BC;
  function_ref<void(BinaryFunction &)> Report;
  BitVector Kept; ///< Registers that calls keep.
  /// Blocks that begin with the address in the register.
  std::set<std::pair<BinaryBasicBlock *, MCPhysReg>> Seen;
  std::vector<std::pair<BinaryBasicBlock *, MCPhysReg>> Work;

  StringRef name(const MCInst &Inst) const {
    return BC.MII->getName(Inst.getOpcode());
  }

  bool isSame(MCPhysReg A, MCPhysReg B) const {
    return A && B && BC.MRI->regsOverlap(A, B);
  }

  bool uses(const MCInst &Inst, MCPhysReg Reg) const {
    const unsigned Results = BC.MII->get(Inst.getOpcode()).getNumDefs();
    for (unsigned I = Results; I < MCPlus::getNumPrimeOperands(Inst); ++I)
      if (Inst.getOperand(I).isReg() &&
          isSame(Inst.getOperand(I).getReg(), Reg))
        return true;
    return false;
  }

  /// Whether \p Inst writes a part of \p Reg, or what \p Reg is a part of.
  bool writes(const MCInst &Inst, MCPhysReg Reg) const {
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    for (unsigned I = 0; I < Info.getNumDefs(); ++I)
      if (Inst.getOperand(I).isReg() &&
          isSame(Inst.getOperand(I).getReg(), Reg))
        return true;
    return any_of(Info.implicit_defs(),
                  [&](MCPhysReg Written) { return isSame(Written, Reg); });
  }

  /// And not leave.
  bool isLEA(const MCInst &Inst) const {
    return name(Inst).starts_with("LEA") && name(Inst).ends_with("r");
  }

  /// Whether \p Inst is lea with more than one summand, apart from the
  /// instruction pointer.
  bool isSum(const MCInst &Inst) const {
    if (!isLEA(Inst))
      return false;
    const MCPhysReg Base = Inst.getOperand(1).getReg(),
                    Index = Inst.getOperand(3).getReg();
    const MCOperand &Number = Inst.getOperand(4);
    const bool HasNumber = !Number.isImm() || Number.getImm();
    return (Base && !isPC(Base)) + (Index != 0) + HasNumber > 1;
  }

  bool isPC(MCPhysReg Reg) const {
    return StringRef(BC.MRI->getName(Reg)) == "RIP";
  }

  BinaryFunction *functionIn(const MCInst &Inst) const {
    // Without relocations addresses of a file with a fixed place are numbers.
    const bool HasNumbers = makesCopies() && BC.HasFixedLoadAddress;
    for (const MCOperand &Op : MCPlus::primeOperands(Inst))
      if (Op.isImm() && HasNumbers) {
        if (BinaryFunction *Target = BC.getBinaryFunctionAtAddress(Op.getImm()))
          return Target;
      } else if (Op.isExpr()) {
        const auto [Symbol, Addend] = BC.MIB->getTargetSymbolInfo(Op.getExpr());
        if (!Symbol || Addend)
          return nullptr;
        const auto [Target, IsBeginning] = findFunctionEntry(BC, Symbol);
        return IsBeginning ? Target : nullptr;
      }
    return nullptr;
  }

  bool adds(const MCInst &Inst) const {
    return name(Inst).starts_with("ADD") || isSum(Inst);
  }

  void look(BinaryBasicBlock &Block, Position At) {
    const MCInst &Inst = *At;
    if (BC.MIB->isCall(Inst) || BC.MIB->isBranch(Inst))
      return;
    BinaryFunction *Target = functionIn(Inst);
    if (!Target)
      Target = functionLoaded(BC, Inst);
    if (!Target)
      return;
    const bool Holds = BC.MII->get(Inst.getOpcode()).getNumDefs() == 1 &&
                       (isLEA(Inst) || name(Inst).starts_with("MOV"));
    if (adds(Inst))
      Report(*Target);
    else if (Holds && Inst.getOperand(0).isReg() && Inst.getOperand(0).getReg())
      if (isAddedTo(Block, std::next(At), Inst.getOperand(0).getReg()))
        Report(*Target);
  }

  /// Whether something is added to \p Reg before it is overwritten.
  bool isAddedTo(BinaryBasicBlock &Block, Position From, MCPhysReg Reg) {
    Seen.clear();
    Work.clear();
    if (walk(Block, From, Reg))
      return true;
    while (!Work.empty()) {
      const auto [Next, Holder] = Work.back();
      Work.pop_back();
      if (walk(*Next, Next->begin(), Holder))
        return true;
    }
    return false;
  }

  bool walk(BinaryBasicBlock &Block, Position At, MCPhysReg Reg) {
    for (; At != Block.end(); ++At) {
      const MCInst &Inst = *At;
      if (BC.MIB->isPseudo(Inst) || BC.MIB->isCFI(Inst))
        continue;
      if (adds(Inst) && uses(Inst, Reg))
        return true;
      if (name(Inst) == "MOV64rr" && isSame(Reg, Inst.getOperand(1).getReg()) &&
          walk(Block, std::next(At), Inst.getOperand(0).getReg()))
        return true;
      if (writes(Inst, Reg) || (BC.MIB->isCall(Inst) && !Kept.test(Reg)))
        return false;
    }
    for (BinaryBasicBlock *Next : Block.successors())
      if (Seen.insert({Next, Reg}).second)
        Work.push_back({Next, Reg});
    return false;
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
  if (It == Functions.end())
    return;
  // If it has no neighbor of its kind, its own pieces are the elements.
  Protected.add(It->second, ProtectReason::ArrayElement);
  if (std::next(It) == Functions.end())
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
  for (; isElement(It); ++It)
    Protected.add(std::next(It)->second, ProtectReason::ArrayElement);
}
