//===- graupel/LayoutPasses.h - The layout passes of graupel-bolt ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_LAYOUTPASSES_H
#define GRAUPEL_LAYOUTPASSES_H

#include "graupel/BoltPassPlugin.h"

namespace graupel {

/// Each registers the pass of its folder; the pass itself looks up in
/// layoutPlan() whether it runs.
void registerChainPass(BoltPassRegistry &Registry);
void registerSplitPass(BoltPassRegistry &Registry);
void registerPlacePass(BoltPassRegistry &Registry);

/// For tests: the passes of -stress-layout. They undo what Chain/ and Split/
/// decided; the functions' places are left to them.
void registerStressPasses(BoltPassRegistry &Registry);
void registerHotColdPasses(BoltPassRegistry &Registry);

} // namespace graupel

#endif // GRAUPEL_LAYOUTPASSES_H
