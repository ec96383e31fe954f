//===- agent/Exchange.h - A program becomes its version ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel has started the original, so that /proc/self/exe, AT_EXECFN and
// all that is made of them (the linker's $ORIGIN) lead to it. None of its code
// has run when the agent is loaded. Then:
//
// 1. Map the version, and the dynamic linker once more: the one that runs has
//    been changed by running.
// 2. Say in the auxiliary vector where the version is, on the stack and to the
//    kernel (PR_SET_MM_MAP), which shows it in /proc/self/auxv.
// 3. Take back what the linker has told the kernel of itself (rseq), and unmap
//    the original.
// 4. Begin again, in the new linker, with the stack that the kernel has made.
//
// Until step 3 all can be taken back, and where something is missing the
// original goes on. A program that is not position independent is mapped in
// step 3, in the original's place: what its version has beyond that is kept
// free in step 1, and the heap, of which nothing was used, moves behind it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_AGENT_EXCHANGE_H
#define GRAUPEL_AGENT_EXCHANGE_H

#include <stdint.h>

namespace graupel {

/// \p Stack: where the kernel has put the number of arguments. Comes back if
/// the program is its version already, or cannot become it.
void exchangeProgram(const char *Version, uint64_t *Stack, uint64_t *Auxiliary);

} // namespace graupel

#endif // GRAUPEL_AGENT_EXCHANGE_H
