//===- Copies/SwitchProof.h - Jump tables with their sizes ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COPIES_SWITCHPROOF_H
#define GRAUPEL_COPIES_SWITCHPROOF_H

#include "SwitchState.h"
#include "bolt/Core/BinaryFunction.h"
#include <map>

namespace graupel {

/// What the indirect jumps of one function do.
struct SwitchProof {
  /// All its bytes are instructions, and branches inside lead to some.
  bool IsDecoded = false;
  /// By the offsets of the jumps.
  std::map<uint64_t, SwitchTable> Tables;
  /// Offsets of the other indirect jumps.
  std::vector<uint64_t> Unproved;
};

/// Proves which tables \p BF jumps through if it is entered at its beginning
/// and at the offsets \p Entries, and nowhere else.
SwitchProof proveSwitches(const llvm::bolt::BinaryFunction &BF,
                          llvm::ArrayRef<uint64_t> Entries);

} // namespace graupel

#endif // GRAUPEL_COPIES_SWITCHPROOF_H
