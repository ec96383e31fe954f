//===- Handover.h - Values from one copy of the code to the other -*- C++
//-*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where code crosses between its copies, a variable of one becomes that of the
// other through a place in the stack. Copies that handed values over in
// registers would share them: the allocator then spills in the plain copy what
// the recording one has no room for.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_HANDOVER_H
#define GRAUPEL_STRIDE_HANDOVER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class DominatorTree;
class Function;
class Instruction;
class SSAUpdaterBulk;
class Type;
class Use;
} // namespace llvm

namespace graupel::stride {

class Handover {
public:
  /// A value in the recording copy and in the plain one.
  using Pair = std::pair<llvm::Instruction *, llvm::Instruction *>;
  using Blocks = llvm::ArrayRef<llvm::BasicBlock *>;

  /// `Plain` blocks; `Bursts` lead from them to the recording copy, which is
  /// all else, `Overs` back.
  Handover(llvm::Function &F, Blocks Plain, Blocks Bursts, Blocks Overs);

  /// Repairs all uses.
  void run(llvm::ArrayRef<Pair> Pairs, llvm::DominatorTree &DT);

private:
  using Uses = llvm::SmallVector<llvm::Use *, 8>;

  bool crosses(const Uses &Of, const Pair &P,
               llvm::SmallVectorImpl<llvm::BasicBlock *> &Where) const;
  bool belongsToPlain(const llvm::Use &U) const;
  llvm::AllocaInst *place(llvm::BasicBlock *At, llvm::Type *T);
  void add(llvm::SSAUpdaterBulk &Updater, const Pair &P);

  llvm::Function &F;
  llvm::DenseSet<const llvm::BasicBlock *> IsPlain;
  /// Whether it leads to the plain copy.
  llvm::DenseMap<const llvm::BasicBlock *, bool> Crossings;
  /// Places of a type, which all crossings share.
  llvm::DenseMap<llvm::Type *, llvm::SmallVector<llvm::AllocaInst *, 8>> Places;
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, llvm::Type *>, unsigned>
      Taken;
};

} // namespace graupel::stride

#endif
