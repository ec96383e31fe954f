//===- Operands.h - Memory operands of an instruction -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The processor tells the first address that an instruction may not access, but
// not how many bytes it wants from there. This reads just as much of the
// instruction as that takes: prefixes, opcode, and nothing behind.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_OPERANDS_H
#define GRAUPEL_DSM_FOREIGN_OPERANDS_H

#include <cstdint>

namespace graupel::dsm {

struct Operands {
  /// The maximum size of a memory operand.
  unsigned Bytes;
  enum {
    One,       ///< Address, or two that are the same.
    Source,    ///< String instructions: at RSI,
    Target,    ///< at RDI,
    Both,      ///< from RSI to RDI,
    Compared,  ///< both are read.
    Scattered, ///< Gather and scatter: many addresses.
  } Where;
  bool Repeated;
};

Operands operandsOf(const uint8_t *Instruction);

} // namespace graupel::dsm

#endif
