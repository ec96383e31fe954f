//===- Protect/ConstantWords.h - Addresses in memory ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_CONSTANTWORDS_H
#define GRAUPEL_PROTECT_CONSTANTWORDS_H

#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"

namespace graupel {

/// The place of the word that an operand names, if that is always the same one.
std::optional<uint64_t> placeOfWord(
    const llvm::bolt::BinaryContext &BC,
    const std::optional<llvm::bolt::MCPlusBuilder::X86MemOperand> &Operand);

/// The address in this image that a word which does not change has, or that of
/// the function which chooses it; 0 if there is none.
uint64_t addressAt(const llvm::bolt::BinaryContext &BC, uint64_t Word);

/// The function whose address \p Inst loads, from where nothing is written when
/// the program runs, as the GOT; null if there is none.
llvm::bolt::BinaryFunction *functionLoaded(llvm::bolt::BinaryContext &BC,
                                           const llvm::MCInst &Inst);

} // namespace graupel

#endif // GRAUPEL_PROTECT_CONSTANTWORDS_H
