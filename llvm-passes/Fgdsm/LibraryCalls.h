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
// unknown length. Others are guarded (UnknownCalls.h).
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
} // namespace llvm

namespace graupel::fgdsm {

/// The runtime's stand-in for a library function; empty if there is none.
std::string findWrapper(llvm::StringRef Function);

/// The treatment of a library function that may be given shared memory.
struct LibraryFate {
  enum { Unlisted, Wrapped, Harmless, Unwrapped } Kind;
  /// The replacement to use, if it is Unwrapped.
  llvm::StringRef Remedy;
};
LibraryFate fateOf(llvm::StringRef Function);

/// Whether the argument is a stream, which is the library's own.
bool isStreamArgument(const llvm::Function &F, unsigned Index);

/// Whether the thread is offline in there (the runtime interposes it).
bool isBlocking(llvm::StringRef Function);

/// Wrappers in the place of functions whose address is taken. Whether anything
/// changed.
bool wrapAddresses(llvm::Module &M);

/// Whether anything changed.
bool wrapLibraryCalls(llvm::Function &F, const PointerPrivacy &Privacy);

} // namespace graupel::fgdsm

#endif
