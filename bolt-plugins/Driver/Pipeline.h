//===- Driver/Pipeline.h - The pass pipeline of graupel-bolt ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PIPELINE_H
#define GRAUPEL_DRIVER_PIPELINE_H

#include "graupel/BoltPassPlugin.h"

namespace graupel {

/// The passes added to BOLT's in this process.
BoltPassRegistry &passRegistry();

} // namespace graupel

#endif // GRAUPEL_DRIVER_PIPELINE_H
