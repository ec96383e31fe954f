//===- LibraryCalls.h - Calls of code without checks ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C library has no checks. Most of its functions have wrappers in the
// runtime (graupel/dsm_library.def), which take the place of those that might
// be given shared memory, or whose address is taken; so do copies and fills of
// unknown length. Of others that might be, one is told.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_LIBRARYCALLS_H
#define GRAUPEL_FGDSM_LIBRARYCALLS_H

#include "PointerPrivacy.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class Module;
class TargetLibraryInfo;
} // namespace llvm

namespace graupel::fgdsm {

/// The runtime's stand-in for a library function; empty if there is none.
std::string findWrapper(llvm::StringRef Function);

/// Whether the thread is offline in there (the runtime interposes it).
bool isBlocking(llvm::StringRef Function);

/// Wrappers in the place of functions whose address is taken. Whether anything
/// changed.
bool wrapAddresses(llvm::Module &M);

/// Whether anything changed.
bool wrapLibraryCalls(llvm::Function &F, const PointerPrivacy &Privacy);

/// Warnings, or with -fgdsm-strict errors.
void diagnoseLibraryCalls(llvm::Function &F, const PointerPrivacy &Privacy,
                          const llvm::TargetLibraryInfo &Library);

} // namespace graupel::fgdsm

#endif
