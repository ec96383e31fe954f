//===- Support/FlagEffects.h - What instructions do to EFLAGS ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_FLAGEFFECTS_H
#define GRAUPEL_SUPPORT_FLAGEFFECTS_H

#include "bolt/Core/BinaryContext.h"
#include <vector>

namespace graupel {

/// What the instructions of the target do to EFLAGS, as one register. The bits
/// that an instruction leaves alone make it no writer.
class FlagEffects {
public:
  explicit FlagEffects(const llvm::bolt::BinaryContext &BC);

  bool reads(const llvm::MCInst &Inst) const {
    return Effects[Inst.getOpcode()] & Reads;
  }
  bool overwrites(const llvm::MCInst &Inst) const {
    return Effects[Inst.getOpcode()] & Overwrites;
  }
  /// False for what is neither a call nor a return, whatever its operands.
  bool mayLeave(const llvm::MCInst &Inst) const {
    return Effects[Inst.getOpcode()] & Leaves;
  }

private:
  enum : uint8_t { Reads = 1, Overwrites = 2, Leaves = 4 };
  std::vector<uint8_t> Effects;
};

} // namespace graupel

#endif // GRAUPEL_SUPPORT_FLAGEFFECTS_H
