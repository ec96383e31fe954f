//===- Copies/MissingSymbols.h - What symbols would tell --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hot-cold optimization has to know which code belongs to one procedure, and who
// calls it. Without symbols, this is found in the code.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COPIES_MISSINGSYMBOLS_H
#define GRAUPEL_COPIES_MISSINGSYMBOLS_H

namespace llvm::bolt {
class BinaryContext;
class BinaryFunction;
} // namespace llvm::bolt

namespace graupel {

/// Makes functions without a name that nothing calls parts of the functions that
/// jump to them, and looks at code without unwind records.
/// Call it when all functions have their flow graphs, before any is skipped.
void completeSymbols(llvm::bolt::BinaryContext &BC);

/// Whether \p BF begins in a frame of others, or jumps to what may be its cold part
/// or another function, or is that.
bool mayBePart(const llvm::bolt::BinaryFunction &BF);

/// Whether some code without an unwind record may use registers in its own way.
bool hasStrangeCode();

/// Whether data, code or the loader may know the address of \p BF.
bool mayBePointedTo(const llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_COPIES_MISSINGSYMBOLS_H
