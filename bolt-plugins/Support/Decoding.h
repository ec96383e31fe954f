//===- Support/Decoding.h - Instructions in order ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_DECODING_H
#define GRAUPEL_SUPPORT_DECODING_H

#include "bolt/Core/BinaryContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

namespace graupel {

/// Calls \p Do with each instruction of \p Bytes, which are at \p Address, the
/// offset and the size of it, one behind the other, up to what is none. Returns
/// how many bytes are instructions: all, if that is their number.
inline uint64_t
decodeInOrder(const llvm::bolt::BinaryContext &BC,
              llvm::ArrayRef<uint8_t> Bytes, uint64_t Address,
              llvm::function_ref<void(const llvm::MCInst &Inst, uint64_t Offset,
                                      uint64_t Size)>
                  Do) {
  uint64_t Offset = 0;
  for (uint64_t Size = 0; Offset < Bytes.size(); Offset += Size) {
    llvm::MCInst Inst;
    if (BC.DisAsm->getInstruction(Inst, Size, Bytes.slice(Offset),
                                  Address + Offset, llvm::nulls()) !=
        llvm::MCDisassembler::Success)
      break;
    Do(Inst, Offset, Size);
  }
  return Offset;
}

} // namespace graupel

#endif // GRAUPEL_SUPPORT_DECODING_H
