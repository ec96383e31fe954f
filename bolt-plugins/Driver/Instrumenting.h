//===- Driver/Instrumenting.h - Driver's side of -instrument ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_INSTRUMENTING_H
#define GRAUPEL_DRIVER_INSTRUMENTING_H

#include "Instrument/InstrumentedImage.h"
#include "bolt/Rewrite/RewriteInstance.h"
#include "llvm/Object/ELFObjectFile.h"

namespace graupel {

/// Decides whether \p Input is to be instrumented, and not by BOLT's own code.
/// If so, BOLT does not hear of it until startInstrumenting, since it would
/// bring its runtime. Call before BOLT sees the file.
void decideInstrumenting(const llvm::object::ELFObjectFileBase &Input);

/// Gives \p Rewriter, which has not run yet, our runtime, if that was decided.
/// Without -instrumentation-file the profile's name is made of \p OutputName.
llvm::Error startInstrumenting(llvm::object::ELFObjectFileBase &Input,
                               llvm::StringRef OutputName,
                               llvm::bolt::RewriteInstance &Rewriter);

/// The image that is being instrumented, or null. Owned by BOLT.
InstrumentedImage *instrumentedImage();

/// From here on BOLT must not know that it instruments: it would arrange the
/// file for its own runtime. Call before the passes run.
void finishInstrumentationOptions(const llvm::bolt::BinaryContext &BC);

/// The profile that the new file will write, if it was instrumented.
struct PlannedProfile {
  std::string Path;
  uint64_t Plan;
};
std::optional<PlannedProfile> plannedProfile();

/// Renames the profile of an older instrumented file that is where the new one
/// will put its own. Call when the new file is in place.
void moveStaleProfile(const PlannedProfile &Planned);

} // namespace graupel

#endif // GRAUPEL_DRIVER_INSTRUMENTING_H
