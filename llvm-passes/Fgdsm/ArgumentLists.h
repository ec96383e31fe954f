//===- ArgumentLists.h - Pointers in va_list --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function with `...` may hand on its arguments in a va_list, to code without
// checks. A list does not tell where it ends:
//
//  1. A call that passes what may be shared to `...` gets one argument more,
//     GRAUPEL_DSM_LIST_END (graupel/dsm_checks.h). Callees do not notice.
//  2. A call of unknown code that passes a list is guarded like one that passes
//  a
//     pointer that may be shared (UnknownCalls).
//  3. The runtime knows lists when it sees them, and looks at what is in them
//  up
//     to the end (runtime/dsm/Foreign/Arguments).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_ARGUMENTLISTS_H
#define GRAUPEL_FGDSM_ARGUMENTLISTS_H

#include "PointerPrivacy.h"

namespace graupel::fgdsm {

/// Whether Pointer is to a list that its function, or one that calls it, has
/// begun.
bool mayBeList(const llvm::Value *Pointer, const llvm::Module &M);

/// Ends the lists of F's calls. Whether anything changed.
bool endLists(llvm::Function &F, const PointerPrivacy &Privacy);

} // namespace graupel::fgdsm

#endif
