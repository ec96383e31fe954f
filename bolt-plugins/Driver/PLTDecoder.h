//===- Driver/PLTDecoder.h - PLTs of any shape ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PLTDECODER_H
#define GRAUPEL_DRIVER_PLTDECODER_H

#include "bolt/Rewrite/RewriteInstance.h"

namespace graupel {

/// Lets \p Rewriter read PLTs whose entries are not where BOLT expects them.
void decodeAnyPLT(llvm::bolt::RewriteInstance &Rewriter);

} // namespace graupel

#endif // GRAUPEL_DRIVER_PLTDECODER_H
