//===- Copies/Copies.h - Copies beside the original -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without relocations nobody knows everything that refers to a function. So it
// stays where it is, and its beginning jumps to an optimized copy.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COPIES_COPIES_H
#define GRAUPEL_COPIES_COPIES_H

#include "bolt/Passes/BinaryPasses.h"

namespace graupel {

/// Reads the input, whose bytes must outlive the rewriting.
void noteKnownAddresses(llvm::StringRef File);

/// Whether unwind records tell where functions are. Copies are made of no others.
bool knowsFunctions();

/// Proves the sizes of the jump tables of \p BF and tells BOLT of the entries.
/// Call it before BOLT disassembles the function.
void noteTables(llvm::bolt::BinaryFunction &BF);

/// A function that is not copied, and why.
struct NotCopied {
  llvm::bolt::BinaryFunction *BF;
  const char *Why;
  /// All that BOLT knows of its flow is right. Only its place cannot be patched.
  bool HasKnownFlow;
};

/// Decides which functions cannot be copied. All have their flow graphs.
std::vector<NotCopied> decideCopied(llvm::bolt::BinaryContext &BC);

/// Notes that \p BF will not be copied, and that its flow is known until
/// LeaveOriginals: what it does is known to who optimizes others.
void keepFlow(llvm::bolt::BinaryFunction &BF);

/// Whether \p BF will not be copied, though its flow is known.
bool staysOriginal(const llvm::bolt::BinaryFunction &BF);

/// Prints these decisions if -print-copies is set: bounds, tables, reasons.
void printCopies(llvm::bolt::BinaryContext &BC, llvm::ArrayRef<NotCopied> Left);

/// Makes the addresses of functions in copies those of the originals: there is
/// one address of each function.
class OriginalAddresses : public llvm::bolt::BinaryFunctionPass {
public:
  OriginalAddresses() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "original-addresses"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

/// Writes jumps to the copies over the beginnings of the originals.
class PatchOriginals : public llvm::bolt::BinaryFunctionPass {
public:
  PatchOriginals() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "patch-originals"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

/// "endbr64" at the beginning of \p BF stays there.
bool beginsWithEndbr(const llvm::bolt::BinaryFunction &BF);

/// The bytes of a jump.
constexpr uint64_t PatchSize = 5, EndbrSize = 4;

} // namespace graupel

#endif // GRAUPEL_COPIES_COPIES_H
