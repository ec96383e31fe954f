//===- Instrumentation.h - Code that records a plan -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_INSTRUMENTATION_H
#define GRAUPEL_STRIDE_INSTRUMENTATION_H

#include "Plan.h"
#include "Tables.h"

namespace graupel::stride {

/// Makes a function write its records. Decides nothing.
void instrument(const PlanInput &In, const Plan &P,
                const Tables::Addresses &Addresses);

} // namespace graupel::stride

#endif
