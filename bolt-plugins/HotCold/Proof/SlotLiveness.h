//===- HotCold/Proof/SlotLiveness.h - Slots read later ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_SLOTLIVENESS_H
#define GRAUPEL_HOTCOLD_PROOF_SLOTLIVENESS_H

#include "HotCold/Machine/Machine.h"
#include "NeededRegisters.h"
#include "Provenance.h"
#include "llvm/ADT/BitVector.h"

namespace graupel::symbolic {

/// The bytes of the frame that a function may read before it writes them, as
/// far as it reads them by plain accesses.
class SlotLiveness {
public:
  /// \p Origins tells how deep the stack is in \p BF.
  SlotLiveness(const MachineModel &Context,
               const llvm::bolt::BinaryFunction &BF,
               const NeededRegisters &Registers, const CalleeFacts &Callees,
               const Provenance &Origins, AccessSizes &Sizes);

  /// True if any of \p Size bytes at \p At, counted from the return address,
  /// may be read when control is at the beginning of \p Block; by \p Itself
  /// only if its callees do not count.
  bool isLive(const llvm::bolt::BinaryBasicBlock &Block, int64_t At,
              int64_t Size, bool Itself) const;

private:
  struct Bytes {
    llvm::BitVector Itself, Callees;
    friend bool operator==(const Bytes &, const Bytes &) = default;
  };
  const MachineModel &Context;
  const NeededRegisters &Registers;
  const CalleeFacts &Callees;
  AccessSizes &Sizes;
  std::vector<std::optional<int64_t>> Depths; ///< By block.
  size_t Count = 0;
  std::vector<Bytes> LiveIn;

  Bytes atBeginning(const llvm::bolt::BinaryBasicBlock &Block) const;
  void stepBack(const llvm::MCInst &Inst, int64_t Depth, RegisterSet LiveAfter,
                Bytes &Live) const;
  void mark(llvm::BitVector &Bits, int64_t At, int64_t Size, bool To) const;
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_SLOTLIVENESS_H
