//===- Driver/FirstPage.h - Segments within a page --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_FIRSTPAGE_H
#define GRAUPEL_DRIVER_FIRSTPAGE_H

#include "llvm/Support/MemoryBuffer.h"

namespace graupel {

/// Makes the first segment of \p File, which has been checked, begin where its
/// page begins. Changes the header in memory only.
void beginAtPage(llvm::WritableMemoryBuffer &File);

} // namespace graupel

#endif // GRAUPEL_DRIVER_FIRSTPAGE_H
