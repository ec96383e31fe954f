//===- PointerPrivacy.h - Which pointers are never shared -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the SPMD model stacks, globals and malloc are a node's own (Schoinas 1998,
// 2.3.1). A pointer is private if all objects it may be based on are:
//
//  1. allocas, globals that are not marked as shared, constants, byval
//     arguments, results of allocators;
//  2. arguments of functions of this module that nobody else calls, if every
//     call passes private pointers; and elements that qsort has compared, which
//     are its copies;
//  3. results of functions of this module that return only private pointers;
//  4. pointers loaded from globals of this module whose address nobody takes,
//     or from the arrays that main gets, if only private pointers are stored
//     there.
//
// 2 to 4 are assumed first and taken back until nothing changes.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_POINTERPRIVACY_H
#define GRAUPEL_FGDSM_POINTERPRIVACY_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Argument;
class Function;
class GlobalVariable;
class Module;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace graupel::fgdsm {

/// A library function whose result is taken for private, beyond allocators.
bool returnsPrivate(llvm::StringRef Name);

/// A library function that sorts a private copy: its fourth argument gets two
/// pointers into that.
bool sortsCopy(llvm::StringRef Name);

/// Whether what F calls by that name need not be the library's (-fno-builtin).
bool isNotBuiltin(const llvm::Function &F, llvm::StringRef Name);

class PointerPrivacy {
public:
  using LibraryOf =
      llvm::function_ref<const llvm::TargetLibraryInfo &(llvm::Function &)>;

  PointerPrivacy(llvm::Module &M, LibraryOf Library);

  /// Why nothing shared can be reached through `Pointer`, or an empty string if
  /// that is not known. Pointers may be vectors of pointers.
  llvm::StringRef whyPrivate(const llvm::Value *Pointer) const;

private:
  void assume(llvm::Module &M);
  bool takeBack(llvm::Module &M);
  bool takeBackArrays();
  llvm::StringRef whyObjectPrivate(const llvm::Value *Object) const;

  llvm::DenseSet<const llvm::Argument *> Arguments;
  /// Arguments of main that point to private pointers.
  llvm::DenseSet<const llvm::Argument *> Arrays;
  llvm::DenseSet<const llvm::Function *> Results;
  llvm::DenseSet<const llvm::GlobalVariable *> Slots;
  /// Constants that have addresses of shared globals.
  llvm::DenseSet<const llvm::GlobalVariable *> Tables;
  /// Calls whose result is memory of an allocator.
  llvm::DenseSet<const llvm::Value *> Allocations;
};

} // namespace graupel::fgdsm

#endif
