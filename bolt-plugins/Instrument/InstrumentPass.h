//===- Instrument/InstrumentPass.h - Counts what a program executes -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_INSTRUMENTPASS_H
#define GRAUPEL_INSTRUMENT_INSTRUMENTPASS_H

#include "InstrumentedImage.h"
#include "bolt/Passes/BinaryPasses.h"

namespace graupel {

/// Inserts counters into all functions whose flow is known, and describes them
/// in the image's metadata.
class InstrumentPass : public llvm::bolt::BinaryFunctionPass {
public:
  explicit InstrumentPass(InstrumentedImage &Image)
      : BinaryFunctionPass(/*PrintPass=*/false), Image(Image) {}

  const char *getName() const override { return "graupel-instrument"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;

private:
  InstrumentedImage &Image;
};

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_INSTRUMENTPASS_H
