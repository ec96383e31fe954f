//===- Options/RecommendedOptions.h - Defaults that are right ----*- C++
//-*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_OPTIONS_RECOMMENDEDOPTIONS_H
#define GRAUPEL_OPTIONS_RECOMMENDEDOPTIONS_H

#include "llvm/Object/ELFObjectFile.h"

namespace graupel {

/// Gives BOLT's options the values of the recommended pipeline, each unless the
/// user gave it. Does nothing with -layout=none, where llvm-bolt's defaults
/// hold. Call it after layoutPlan() was made and before BOLT reads its options.
void applyRecommendedOptions(const llvm::object::ELFObjectFileBase &Input);

/// Whether options ask for hot-cold optimization, by -hco or by default. An
/// input without relocations may still be spared it.
bool asksForHotCold();

/// Whether options leave functions out, whose old code must then stay.
bool leavesFunctionsOut();

/// Whether to try to write the new code over the old one, which keeps the
/// output small. BOLT must then be able to process every function of \p Input,
/// so it may fail.
bool shouldReuseText(const llvm::object::ELFObjectFileBase &Input);

/// Sets BOLT's options for that.
void reuseText();

} // namespace graupel

#endif // GRAUPEL_OPTIONS_RECOMMENDEDOPTIONS_H
