//===- Driver/TextEnd.h - Programs that ask for etext -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_TEXTEND_H
#define GRAUPEL_DRIVER_TEXTEND_H

#include "llvm/Object/ELFObjectFile.h"

namespace graupel {

/// If \p Input compares addresses with etext, has functions rewritten in their
/// places, or warns where that cannot be. For code that is not going to be
/// written over the old one.
void keepBelowTextEnd(const llvm::object::ELFObjectFileBase &Input);

} // namespace graupel

#endif // GRAUPEL_DRIVER_TEXTEND_H
