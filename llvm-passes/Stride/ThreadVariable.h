//===- ThreadVariable.h - A variable shared by code and runtime -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable of the thread that lives in registers of a function. It is in
// memory while other code runs that may change it: over calls of code that may
// record, and when the function is left.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_THREADVARIABLE_H
#define GRAUPEL_STRIDE_THREADVARIABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class DominatorTree;
class TargetLibraryInfo;
} // namespace llvm

namespace graupel::stride {

class ThreadVariable {
public:
  /// `Name` is of the variable in memory, `Initial` what it has in a new
  /// thread. Until promote() the value is in an
  /// alloca, so that it can be changed anywhere.
  ThreadVariable(llvm::Function &F, llvm::Constant *Initial,
                 llvm::StringRef Name);

  /// Instead: each access is one of memory.
  void stayInMemory();

  llvm::LoadInst *get(llvm::IRBuilderBase &B) const;
  void set(llvm::IRBuilderBase &B, llvm::Value *V) const;
  /// From memory and to it.
  void reload(llvm::BasicBlock::iterator Before);
  void spill(llvm::Instruction *Before);
  /// Does that around whatever may record in these blocks, and at their ends.
  void keep(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
            const llvm::TargetLibraryInfo &Library);
  /// Makes registers of it.
  void promote(llvm::DominatorTree &DT);

private:
  llvm::Value *place(llvm::IRBuilderBase &B) const;
  bool isReload(llvm::Value *V,
                llvm::SmallPtrSetImpl<llvm::Value *> &Seen) const;

  llvm::Function &F;
  llvm::Type *T;
  llvm::GlobalVariable *Shared;
  llvm::AllocaInst *Local; ///< Null if it stays in memory.
  llvm::SmallSetVector<llvm::LoadInst *, 8> Reloads;
  llvm::SmallVector<llvm::StoreInst *, 8> Spills;
};

/// A call of a function of the runtime, at a place that is seldom reached: it
/// keeps all registers but the one it returns a cursor in.
llvm::CallInst *callRuntime(llvm::IRBuilderBase &B, llvm::StringRef Name,
                            llvm::ArrayRef<llvm::Value *> Arguments);

} // namespace graupel::stride

#endif
