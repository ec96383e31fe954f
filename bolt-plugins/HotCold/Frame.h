//===- HotCold/Frame.h - The frame of a hot version -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_FRAME_H
#define GRAUPEL_HOTCOLD_FRAME_H

#include "HotVersion.h"

namespace graupel {

/// The frame that the hot blocks share: one block builds it, all others run
/// with all of it or none, and it is gone where they leave the function.
struct Frame {
  struct Save {
    RegisterSet Register;
    int64_t Depth; ///< Distance of its slot below the return address.
  };
  const llvm::bolt::BinaryBasicBlock *Prolog = nullptr;
  int64_t Size = 0;
  std::vector<Save> Saves; ///< In program order.
  RegisterSet Saved = 0;
  /// Registers that hot code names, saving aside.
  RegisterSet Mentioned = 0;
  /// Used by an instruction that does not name it, or for the caller's value.
  RegisterSet Implicit = 0;

  /// Reads \p Hot. Returns why there is no such frame, or null.
  const char *read(HotVersion &Hot);

  /// The registers in Saved that hold the function's own values where \p Block
  /// begins.
  RegisterSet heldInto(const HotVersion::Block &Block) const {
    return Block.Depth ? Saved : 0;
  }
  /// The same behind \p Inst, if \p Held is before it.
  RegisterSet heldBehind(const HotColdContext &Context,
                         const llvm::MCInst &Inst, RegisterSet Held) const;

private:
  const char *readProlog(const HotVersion &Hot, const HotVersion::Block &B);
  const char *readBlock(const HotVersion &Hot, const HotVersion::Block &B,
                        const std::vector<RegisterSet> &LiveIn);
  const char *readInstruction(const HotVersion &Hot, const llvm::MCInst &Inst,
                              RegisterSet LiveAfter, int64_t Depth);
  RegisterSet readBeforeSet(const HotVersion &Hot) const;
  const char *readUse(const HotVersion &Hot, const llvm::MCInst &Inst,
                      RegisterSet Held);
};

/// Why there is no such frame if the stack pointer does not just go down and
/// up: the paper's category of its own.
inline constexpr const char StackPointerModified[] =
    "the stack pointer is changed in other ways";

/// An instruction that puts the address \p Distance bytes above the stack
/// pointer into \p To. It preserves the flags.
llvm::MCInst loadStackAddress(const HotColdContext &Context, llvm::MCPhysReg To,
                              int64_t Distance);

/// An instruction that makes the stack grow by \p By bytes, or shrink. Unlike
/// SUB, it preserves the flags.
llvm::MCInst growStack(const HotColdContext &Context, int64_t By);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_FRAME_H
