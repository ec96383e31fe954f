//===- Instrument/FlagLiveness.h - Where the flags hold nothing -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_FLAGLIVENESS_H
#define GRAUPEL_INSTRUMENT_FLAGLIVENESS_H

#include "Protect/StayingCode.h"
#include "Support/FlagEffects.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace graupel {

/// Functions with calling conventions of their own, as assembly has them: the
/// flags are not dead at each call and return.
class FlagConventions {
public:
  /// Looks at all functions of \p BC, at those that stay by StayingCode.
  FlagConventions(llvm::bolt::BinaryContext &BC, const FlagEffects &Effects);

  /// \p Callee is null if the call is indirect: it may be any of them.
  bool takesFlags(const llvm::MCSymbol *Callee) const;
  bool returnsFlags(const llvm::bolt::BinaryFunction &BF) const;

private:
  struct Findings;

  void look(llvm::bolt::BinaryFunction &BF, const FlagEffects &Effects,
            Findings &New) const;
  void lookAtStaying(const StayingFunction &S, const FlagEffects &Effects,
                     Findings &New) const;
  const llvm::MCSymbol *beyondStub(const llvm::MCSymbol *Callee) const;
  void addReturner(const llvm::MCSymbol *Callee, Findings &New) const;
  static void addEntry(const llvm::bolt::BinaryFunction &BF,
                       const llvm::bolt::BinaryBasicBlock &Block,
                       Findings &New);

  llvm::bolt::BinaryContext &BC;
  /// Beginnings and further entries.
  llvm::DenseSet<const llvm::MCSymbol *> Takers;
  /// Wherever they are entered.
  llvm::DenseSet<const llvm::bolt::BinaryFunction *> Returners;
  /// Some call that needs the flags afterwards goes to an unknown function.
  bool AnyReturns = false;
};

/// Liveness of the flags in one function.
class FlagLiveness {
public:
  FlagLiveness(llvm::bolt::BinaryFunction &BF, const FlagEffects &Effects,
               const FlagConventions &Conventions);

  /// Whether the flags are live in \p Block before instruction \p Index or, if
  /// that is their number, behind the last. Sets \p Until to the last place up
  /// to which it stays so.
  bool liveAt(const llvm::bolt::BinaryBasicBlock &Block, unsigned Index,
              unsigned &Until) const;
  bool liveInto(const llvm::bolt::BinaryBasicBlock &Block) const {
    return LiveIn.test(Block.getIndex());
  }

private:
  llvm::bolt::BinaryFunction &BF;
  const FlagEffects &Effects;
  const FlagConventions &Conventions;
  llvm::BitVector LiveIn;

  bool liveOut(const llvm::bolt::BinaryBasicBlock &Block) const;
  std::optional<bool> decides(const llvm::MCInst &Inst) const;
  std::optional<bool> firstDecision(const llvm::bolt::BinaryBasicBlock &Block,
                                    unsigned &Index) const;
};

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_FLAGLIVENESS_H
