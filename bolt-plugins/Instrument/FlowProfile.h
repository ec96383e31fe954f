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
#include "ProfileMatch/BlockShapes.h"

namespace graupel {

/// A function as it is in the profile, but for what depends on the functions
/// before it: its name, the names of those it calls, the first counter and site.
struct FlowDescription {
  FunctionProfile Profile;
  uint32_t NumCounters = 0;
  /// The callee of each of Profile.Calls.
  std::vector<const llvm::bolt::BinaryFunction *> Callees;
};

/// Describes \p BF, of which nothing has been changed yet, as \p Plan counts it
/// and with its \p Shapes; with \p IndirectCalls their sites, too. The edges
/// are the plan's. May run for several functions at once.
FlowDescription describeFlow(llvm::bolt::BinaryFunction &BF,
                             const CounterPlan &Plan, const BlockShapes &Shapes,
                             bool IndirectCalls);

/// Completes the description \p D of \p BF with names, counters and sites of
/// \p Image.
void numberFlow(const llvm::bolt::BinaryFunction &BF, FlowDescription &D,
                InstrumentedImage &Image);

/// True if the target of the call \p Inst is only known when it is executed,
/// and a profile can name the call.
bool isSite(const llvm::bolt::BinaryContext &BC, const llvm::MCInst &Inst);

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_FLOWPROFILE_H
