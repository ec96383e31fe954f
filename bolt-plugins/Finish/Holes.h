//===- Finish/Holes.h - Parts of the file that hold nothing -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FINISH_HOLES_H
#define GRAUPEL_FINISH_HOLES_H

#include "Elf/ElfView.h"

namespace graupel {

/// Takes whole pages that hold nothing out of \p Output, which \p View reads,
/// behind \p From. Its program headers must be behind the ELF header. Returns
/// how long the file is now; the rest of \p Output means nothing any more.
uint64_t closeHoles(const ElfView &View, uint64_t From,
                    llvm::MutableArrayRef<char> Output);

} // namespace graupel

#endif // GRAUPEL_FINISH_HOLES_H
