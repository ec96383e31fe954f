//===- CallGuards.h - Guards of calls that leave checked code ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code for what UnknownCalls finds, and the mark by which it knows its like
// (graupel/dsm_checks.h):
//
//  1. A function that others may call begins with the mark, an instruction that
//     changes nothing.
//  2. A direct call has a record with a byte that says whether the callee may
//     be unknown code. Set at first, it is cleared by the runtime when that
//     has found the callee's mark:
//       cmpb $0, record.unknown(%rip); jne slow
//  3. An indirect call looks at the mark itself:
//       cmpl $mark, (%callee); jne slow
//  4. The slow path passes the pointers to the runtime, which ends the job if
//     the callee is unknown and one of them is shared.
//
// Records lie in the section gdsm_calls, which the linker keeps with the
// functions that they are of.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_CALLGUARDS_H
#define GRAUPEL_FGDSM_CALLGUARDS_H

#include "UnknownCalls.h"

namespace llvm {
class DomTreeUpdater;
class LoopInfo;
class ReturnInst;
} // namespace llvm

namespace graupel::fgdsm {

/// Inserts the guard of a call. Dominators and loops are kept up to date.
void guardCall(const UnknownCall &U, llvm::DomTreeUpdater &DTU,
               llvm::LoopInfo &LI);

/// Inserts a test that what is returned is private.
void guardResult(llvm::ReturnInst &Return);

/// Puts the mark where the function begins, unless nobody looks there.
void markFunction(llvm::Function &F);

/// The slow path's entry, which is no handshake point.
inline constexpr char GuardEntry[] = "graupel_dsm_guard";
inline constexpr char FetchEntry[] = "graupel_dsm_fetch_arguments";
inline constexpr char ReleaseEntry[] = "graupel_dsm_release_arguments";

} // namespace graupel::fgdsm

#endif
