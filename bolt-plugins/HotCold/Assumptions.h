//===- HotCold/Assumptions.h - Breakable assumptions ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -hco-break-assumption=NAME makes the optimizations believe something wrong,
// in all that they do. The proof has to find each draft that is wrong because
// of it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_ASSUMPTIONS_H
#define GRAUPEL_HOTCOLD_ASSUMPTIONS_H

namespace graupel {

/// Assumptions, one of which may be taken for wrong.
enum class Assumption {
  None,
  CalleePreserves,  ///< A callee gives back what it does not change.
  CalleeOverwrites, ///< A register that may change may also stay, and saved
                    ///< ones do.
  CalleeReads,      ///< A callee may read any register.
  CalleeReturns,    ///< Control comes back.
  UnreadCode,       ///< Code that was not read has its own convention.
  PointerTargets,   ///< Functions whose address is taken have own conventions.
  Results,          ///< Callers read the registers left for them.
  StayingCallers,   ///< So do callers that stay as they are.
  CallersKeep,      ///< Callers may keep values in registers not written here.
  Flags,            ///< Instructions read the flags.
  RedZone,          ///< Nobody else writes 128 bytes below the stack pointer.
  Saves,            ///< The cold part takes its callers' values from its frame.
  CopiesBack,       ///< The cold part knows registers by their old names.
  Slots,       ///< A variable stays where it is if the stack pointer moves.
  StubState,   ///< Unwinding knows the frame that a stub builds.
  Order,       ///< An instruction moved down must not change its result.
  Copies,      ///< A copy is one until either changes.
  Conflicts,   ///< Two values that are needed have two registers.
  UnwindSaves, ///< Unwinding finds saved registers.
};

/// True if \p A is to be taken for wrong.
bool isBroken(Assumption A);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_ASSUMPTIONS_H
