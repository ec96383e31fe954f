//===- OwnNames.h - Functions named like the C library's --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may have functions of its own with names that the C library has,
// too: link, index, send. Callers in another file take them for the library's.
// Here, where they are defined:
//
//  1. Calls of a wrapper (graupel/dsm_library.def) become calls of the
//     function: it gets the wrapper's name as well, which the linker prefers to
//     the runtime's.
//  2. In an executable it is hidden: the runtime and the libraries below it go
//     on to call the C library's, which they mean.
//  3. If callers take what it returns for private, that is tested.
//  4. If callers rely on checks across calls of it, but it has checks or polls,
//     it is an error. Only names that C reserves are of that kind. So it is if
//     callers rely on it to sort a copy.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_OWNNAMES_H
#define GRAUPEL_FGDSM_OWNNAMES_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace graupel::fgdsm {

class PointerPrivacy;

/// The C or C++ library's names of what allocates and frees.
bool isAllocator(llvm::StringRef Name);
bool isDeallocator(llvm::StringRef Name);

/// Steps 1 and 2. Whether anything changed.
bool publishOwnNames(llvm::Module &M);

/// Step 3.
bool guardOwnResult(llvm::Function &F, const PointerPrivacy &Privacy);

/// Step 4, given the functions in which checks or polls stand.
void refuseOwnNames(llvm::Module &M,
                    const llvm::DenseSet<const llvm::Function *> &HasOwn);

} // namespace graupel::fgdsm

#endif
