//===- Driver/RecommendedOptions.h - Defaults that are right ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_RECOMMENDEDOPTIONS_H
#define GRAUPEL_DRIVER_RECOMMENDEDOPTIONS_H

#include "llvm/Object/ELFObjectFile.h"

namespace graupel {

/// Gives BOLT's options the values of the recommended pipeline, each unless the
/// user gave it. Does nothing with -layout=none, where llvm-bolt's defaults
/// hold. Call it after layoutPlan() was made and before BOLT reads its options.
void applyRecommendedOptions(const llvm::object::ELFObjectFileBase &Input);

} // namespace graupel

#endif // GRAUPEL_DRIVER_RECOMMENDEDOPTIONS_H
