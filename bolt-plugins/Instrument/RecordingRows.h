//===- Instrument/RecordingRows.h - Unwinding from counters -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_RECORDINGROWS_H
#define GRAUPEL_INSTRUMENT_RECORDINGROWS_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Passes/BinaryPasses.h"

namespace graupel {

/// Gives inserted code that moves the stack pointer (X86Code) unwind rules:
/// handlers of signals that look for their callers may come at any instruction.
/// Run behind FinalizeFunctions, which knows no rules but those of the input.
class RecordingRows : public llvm::bolt::BinaryFunctionPass {
public:
  RecordingRows() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-recording-rows"; }
  bool shouldPrint(const llvm::bolt::BinaryFunction &) const override {
    return false;
  }

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_RECORDINGROWS_H
