//===- Protect/StayingCode.h - Flow of functions that stay ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT forgets the flow graph of a function that is not rewritten. Who wants to
// know what such a function reads behind its calls finds a copy here.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_STAYINGCODE_H
#define GRAUPEL_PROTECT_STAYINGCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCInst.h"
#include <vector>

namespace llvm::bolt {
class BinaryContext;
class BinaryFunction;
} // namespace llvm::bolt

namespace graupel {

enum class ProtectReason;

/// A function that stays, as it was when that was decided.
struct StayingFunction {
  struct Step {
    llvm::MCInst Inst; ///< Without annotations; no pseudos.
    bool IsCall;       ///< Tail calls are calls.
    bool IsTail; ///< Also a conditional one, behind which control goes on.
    bool IsReturn;
    /// Where a call or jump leads, if that is another function or the beginning
    /// of this one. Null for calls through pointers.
    llvm::bolt::BinaryFunction *To;
    const llvm::MCSymbol *Symbol; ///< Its name.
  };
  struct Block {
    std::vector<Step> Steps;
    /// Not those that exceptions lead to: the unwinder leaves nothing of what
    /// functions hand to their callers.
    llvm::SmallVector<unsigned, 2> Next;
  };
  const llvm::bolt::BinaryFunction *Function;
  std::vector<Block> Blocks; ///< The first is where it begins.
  /// Control goes along the edges only. Otherwise nothing is known.
  bool IsUnderstood;
};

/// Copies \p BF, which is going to stay because of \p Reason.
void noteStaying(llvm::bolt::BinaryFunction &BF, ProtectReason Reason);

/// Decodes \p BF, of which BOLT made no flow graph.
void noteUnread(llvm::bolt::BinaryFunction &BF);

/// Identical functions were folded: finds those that calls lead to now.
void followFolding(llvm::bolt::BinaryContext &BC);

/// All that were noted.
llvm::ArrayRef<StayingFunction> stayingFunctions();

} // namespace graupel

#endif // GRAUPEL_PROTECT_STAYINGCODE_H
