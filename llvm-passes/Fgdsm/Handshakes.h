//===- Handshakes.h - Where validity ends -----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks and polls re-validate what the code behind them relies on
// (graupel/dsm_checks.h). A call cannot: nobody tells the callee. This says
// which calls reach no handshake point, so that checks stay valid across them:
// functions of this module without checks, polls and other such calls, library
// functions that know nothing of shared memory, and inline assembly that runs
// nothing but itself (Assembly.h).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_HANDSHAKES_H
#define GRAUPEL_FGDSM_HANDSHAKES_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class Module;
class TargetLibraryInfo;
} // namespace llvm

namespace graupel::fgdsm {

class Handshakes {
public:
  /// `HasOwn`: the functions in which checks or polls will stand.
  Handshakes(llvm::Module &M,
             const llvm::DenseSet<const llvm::Function *> &HasOwn);

  /// Whether checks before the call are void behind it.
  bool endsValidity(const llvm::CallBase &Call,
                    const llvm::TargetLibraryInfo &Library) const;

private:
  llvm::DenseSet<const llvm::Function *> Quiet;
};

/// A name that C reserves for a library function that neither calls back nor
/// waits for others.
bool isQuietName(llvm::StringRef Name);

/// A call of a library function that neither calls back nor waits for others.
bool isQuietLibraryCall(const llvm::CallBase &Call,
                        const llvm::TargetLibraryInfo &Library);

} // namespace graupel::fgdsm

#endif
