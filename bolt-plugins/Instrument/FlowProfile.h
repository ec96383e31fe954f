//===- Instrument/FlowProfile.h - Describes a function to its profile -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_FLOWPROFILE_H
#define GRAUPEL_INSTRUMENT_FLOWPROFILE_H

#include "CounterPlan.h"
#include "InstrumentedImage.h"

namespace graupel {

/// Describes \p BF, of which nothing has been changed yet, as \p Plan counts
/// it. Takes counters and sites from \p Image. The edges are the plan's.
FunctionProfile describeFlow(llvm::bolt::BinaryFunction &BF,
                             const CounterPlan &Plan, InstrumentedImage &Image);

/// True if the target of the call \p Inst is only known when it is executed,
/// and a profile can name the call.
bool isSite(const llvm::bolt::BinaryContext &BC, const llvm::MCInst &Inst);

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_FLOWPROFILE_H
