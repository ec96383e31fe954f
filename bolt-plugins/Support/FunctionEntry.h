//===- Support/FunctionEntry.h - Where a symbol enters a function -*- C++ -*-=//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_FUNCTIONENTRY_H
#define GRAUPEL_SUPPORT_FUNCTIONENTRY_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/STLExtras.h"

namespace graupel {

/// A function, and whether a symbol is its beginning or a further entry.
struct FunctionEntry {
  llvm::bolt::BinaryFunction *Function = nullptr; ///< Null if there is none.
  bool IsBeginning = true;
};

/// The function that \p Symbol is a label of. \p Symbol may be any label, or
/// null. BinaryContext::getFunctionForSymbol() with an entry to fill in takes
/// for granted that it is an entry; for another label of a function with
/// several entries it never returns. Thread-safe.
inline FunctionEntry findFunctionEntry(llvm::bolt::BinaryContext &BC,
                                       const llvm::MCSymbol *Symbol) {
  llvm::bolt::BinaryFunction *BF =
      Symbol ? BC.getFunctionForSymbol(Symbol) : nullptr;
  return {BF, !BF || !BF->isMultiEntry() ||
                  llvm::is_contained(BF->getSymbols(), Symbol)};
}

/// Whether BOLT knows \p Address as an entry of \p BF.
inline bool hasEntryAt(const llvm::bolt::BinaryFunction &BF, uint64_t Address) {
  bool IsEntry = false;
  BF.forEachEntryPoint([&](uint64_t Offset, const llvm::MCSymbol *) {
    IsEntry |= BF.getAddress() + Offset == Address;
    return !IsEntry;
  });
  return IsEntry;
}

} // namespace graupel

#endif // GRAUPEL_SUPPORT_FUNCTIONENTRY_H
