//===- Instrument/RecordingRows.cpp - Unwinding from counters -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Follow the rule for the frame's address through a fragment, in the order
//    of its code: call frame instructions are explicit by now.
// 2. Behind an inserted instruction that has moved the stack pointer, add to
// the
//    offset by how much, if the rule goes by the stack pointer.
//
//===----------------------------------------------------------------------===//

#include "RecordingRows.h"
#include "X86Code.h"
#include "bolt/Core/FunctionLayout.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// The rule for the frame's address: a register and an offset.
class FrameRule {
public:
  void apply(const MCCFIInstruction &I) {
    switch (I.getOperation()) {
    case MCCFIInstruction::OpDefCfa:
      Now = {I.getRegister(), I.getOffset()};
      break;
    case MCCFIInstruction::OpDefCfaRegister:
      Now.Register = I.getRegister();
      break;
    case MCCFIInstruction::OpDefCfaOffset:
      Now.Offset = I.getOffset();
      break;
    case MCCFIInstruction::OpAdjustCfaOffset:
      Now.Offset += I.getOffset();
      break;
    case MCCFIInstruction::OpRememberState:
      Remembered.push_back(Now);
      break;
    case MCCFIInstruction::OpRestoreState:
      Now = Remembered.empty() ? State{Unknown, 0} : Remembered.pop_back_val();
      break;
    case MCCFIInstruction::OpEscape: // An expression, perhaps of this rule.
      Now.Register = Unknown;
      break;
    default:
      break;
    }
  }

  /// The offset, if it counts from the stack pointer.
  std::optional<int64_t> fromStackPointer() const {
    return Now.Register == StackPointer ? std::optional(Now.Offset)
                                        : std::nullopt;
  }

private:
  static constexpr unsigned StackPointer = 7, Unknown = ~0u; ///< As in DWARF.
  struct State {
    unsigned Register;
    int64_t Offset;
  };
  State Now = {StackPointer, 8};
  SmallVector<State, 2> Remembered;
};

void addRows(BinaryFunction &BF) {
  BinaryContext &BC = BF.getBinaryContext();
  for (FunctionFragment &Fragment : BF.getLayout().fragments()) {
    // BOLT keeps what holds at the first instruction apart.
    FrameRule Rule;
    for (const MCCFIInstruction &I : BF.cie())
      Rule.apply(I);
    for (BinaryBasicBlock *Block : Fragment)
      for (auto It = Block->begin(); It != Block->end(); ++It) {
        if (const MCCFIInstruction *I = BF.getCFIFor(*It)) {
          Rule.apply(*I);
          continue;
        }
        const auto Depth = X86Code::depthBehind(BC, *It);
        const auto Offset = Rule.fromStackPointer();
        if (Depth && Offset)
          It = BF.addCFIInstruction(
              Block, std::next(It),
              MCCFIInstruction::cfiDefCfaOffset(nullptr, *Offset + *Depth));
      }
  }
}

} // namespace

Error RecordingRows::runOnFunctions(BinaryContext &BC) {
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (BF.isSimple() && BF.hasCFG() && !BF.isIgnored() && BF.hasCFI())
      addRows(BF);
  return Error::success();
}
