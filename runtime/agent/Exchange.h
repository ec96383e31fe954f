//===- agent/Exchange.h - A program becomes its version ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel has started the original, so that /proc/self/exe, AT_EXECFN and
// everything derived from them (the linker's $ORIGIN) lead to it. None of its
// code has run when the agent is loaded. Then:
//
// 1. Map the version, and the dynamic linker once more: the one that runs has
//    been changed by running.
// 2. Write the addresses of the version into the auxiliary vector, on the stack
//    and in the kernel (PR_SET_MM_MAP), which shows it in /proc/self/auxv.
// 3. Undo the linker's registration with the kernel (rseq), and unmap the
//    original.
// 4. Begin again, in the new linker, with the stack that the kernel has made.
//
// Until step 3 all can be undone, and if something is missing the original goes
// on. A program that is not position independent is mapped in step 3, in the
// original's place: the address space that its version needs beyond that is
// reserved in step 1, and the heap, of which nothing was used, moves behind it.
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
