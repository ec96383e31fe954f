//===- Support/FrameRule.h - Where the caller's frame is --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_FRAMERULE_H
#define GRAUPEL_SUPPORT_FRAMERULE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCDwarf.h"
#include <optional>

namespace graupel {

/// The rule for the frame's address, as call frame instructions change it: a
/// register and a distance from it. At first: as where a function begins.
class FrameRule {
public:
  void apply(const llvm::MCCFIInstruction &I) {
    using CFI = llvm::MCCFIInstruction;
    switch (I.getOperation()) {
    case CFI::OpDefCfa:
      Now = {I.getRegister(), I.getOffset(), true};
      return;
    case CFI::OpDefCfaRegister:
      Now.Register = I.getRegister();
      return;
    case CFI::OpDefCfaOffset:
      Now.Offset = I.getOffset();
      return;
    case CFI::OpAdjustCfaOffset:
      Now.Offset += I.getOffset();
      return;
    case CFI::OpRememberState:
      Remembered.push_back(Now);
      return;
    case CFI::OpRestoreState:
      if (Remembered.empty())
        Now.IsKnown = false;
      else
        Now = Remembered.pop_back_val();
      return;
    case CFI::OpOffset:
    case CFI::OpSameValue:
    case CFI::OpRestore:
    case CFI::OpUndefined:
    case CFI::OpGnuArgsSize:
      return; // Say nothing of the frame's address.
    default:
      Now.IsKnown = false; // Expressions.
    }
  }

  /// The distance, if it is known and counts from the stack pointer.
  std::optional<int64_t> fromStackPointer() const {
    return Now.IsKnown && Now.Register == StackPointer
               ? std::optional(Now.Offset)
               : std::nullopt;
  }

  struct Address {
    unsigned Register;
    int64_t Offset;
  };
  /// Both, if they are known.
  std::optional<Address> address() const {
    return Now.IsKnown ? std::optional(Address{Now.Register, Now.Offset})
                       : std::nullopt;
  }

private:
  static constexpr unsigned StackPointer = 7; ///< In DWARF's order.
  struct State {
    unsigned Register = StackPointer;
    int64_t Offset = 8;
    bool IsKnown = true;
  };
  State Now;
  llvm::SmallVector<State, 2> Remembered;
};

} // namespace graupel

#endif // GRAUPEL_SUPPORT_FRAMERULE_H
