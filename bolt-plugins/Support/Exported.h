//===- Support/Exported.h - Functions that loaders look up ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_EXPORTED_H
#define GRAUPEL_SUPPORT_EXPORTED_H

#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// Notes that the addresses of functions are taken which the loader can look up
/// by name: dlsym() and other objects take them, and BOLT does not see it.
void markExported(llvm::bolt::BinaryContext &BC);

} // namespace graupel

#endif // GRAUPEL_SUPPORT_EXPORTED_H
