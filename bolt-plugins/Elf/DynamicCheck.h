//===- Elf/DynamicCheck.h - Checks the dynamic section ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ELF_DYNAMICCHECK_H
#define GRAUPEL_ELF_DYNAMICCHECK_H

#include "ElfView.h"

namespace graupel {

/// Checks that what the dynamic section of \p File refers to is there.
llvm::Error checkDynamicSection(const ElfView &File);

} // namespace graupel

#endif // GRAUPEL_ELF_DYNAMICCHECK_H
