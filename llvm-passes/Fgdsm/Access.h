//===- Access.h - The memory accesses of a function -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory accesses of a function, and whether that memory may be shared. One
// instruction may be several accesses (a copy loads and stores).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_ACCESS_H
#define GRAUPEL_FGDSM_ACCESS_H

#include "Pass.h"
#include "PointerPrivacy.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Alignment.h"

namespace graupel::fgdsm {

enum class AccessShape {
  Plain,    ///< A load or store.
  Volatile, ///< The same, and nothing about it may change.
  Atomic,   ///< Any instruction with an ordering.
  Masked,   ///< Some lanes of a vector at one address; all are checked.
  Lanes,    ///< Gather or scatter: each lane has its address.
  Block,    ///< An operand of a copy or fill of constant length.
  Dynamic,  ///< The same of a length that is not known, or long.
  Assembly, ///< A memory operand of inline assembly.
  Argument  ///< The memory that a call copies to its byval argument.
};

struct Access {
  llvm::Instruction *Inst;
  /// The operand that holds the address.
  unsigned PointerOperand;
  AccessShape Shape;
  bool Store;
  /// The size of all lanes, or of one lane if each has its own address; 0 if
  /// unknown.
  uint64_t Bytes;
  llvm::Align Alignment;
  /// Empty if the memory may be shared.
  llvm::StringRef WhyPrivate;

  llvm::Value *pointer() const { return Inst->getOperand(PointerOperand); }
  bool isPrivate() const { return !WhyPrivate.empty(); }
  void print(llvm::raw_ostream &OS) const;
};

/// Longest constant copy that is checked in line.
inline constexpr uint64_t LongestInlineBlock = 225;

/// In program order. Accesses that nothing has to be done for whatever they
/// address (of other address spaces, marked as not checked, or told of by sums
/// behind their loop) are not listed.
llvm::SmallVector<Access, 0> collectAccesses(llvm::Function &F,
                                             const PointerPrivacy &Privacy);

/// Module analysis behind collectAccesses.
class PointerPrivacyAnalysis
    : public llvm::AnalysisInfoMixin<PointerPrivacyAnalysis> {
public:
  using Result = PointerPrivacy;
  Result run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

private:
  friend llvm::AnalysisInfoMixin<PointerPrivacyAnalysis>;
  static llvm::AnalysisKey Key;
};

/// print<fgdsm-accesses>
class AccessPrinterPass : public PrinterPass<AccessPrinterPass> {
public:
  using PrinterPass::PrinterPass;
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace graupel::fgdsm

#endif
