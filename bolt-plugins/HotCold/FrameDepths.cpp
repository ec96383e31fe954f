//===- HotCold/FrameDepths.cpp - Depths by the unwind table ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameDepths.h"
#include "Support/FrameRule.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Bytes between the return address and the stack pointer.
static std::optional<int64_t> depth(const FrameRule &Rule) {
  const std::optional<int64_t> Offset = Rule.fromStackPointer();
  return Offset ? std::optional(*Offset - 8) : std::nullopt;
}

FrameDepths::FrameDepths(const BinaryFunction &BF) {
  if (BF.getFDEProgram().empty())
    return; // It has no table, or no frame.
  FrameRule Rule;
  Depths.push_back(depth(Rule));
  for (const MCCFIInstruction &CFI : BF.getFDEProgram()) {
    Rule.apply(CFI);
    Depths.push_back(depth(Rule));
  }
}

std::optional<int64_t> FrameDepths::into(const BinaryBasicBlock &Block) const {
  const int32_t State = Block.getCFIState();
  if (State < 0 || size_t(State) >= Depths.size())
    return std::nullopt;
  return Depths[State];
}
