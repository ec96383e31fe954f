//===- Support/OwnPipeline.h - Choice of the pass pipeline ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_OWNPIPELINE_H
#define GRAUPEL_SUPPORT_OWNPIPELINE_H

#include "bolt/Core/BinaryContext.h"
#include "llvm/Support/CommandLine.h"
#include <cassert>

namespace graupel {

/// Whether -stock-pipeline was given: BOLT is to do what llvm-bolt does. Call
/// when the options have been parsed. Cached: it is asked for each function.
inline bool isStockPipeline() {
  static const bool Stock = [] {
    llvm::cl::Option *Found =
        llvm::cl::getRegisteredOptions().lookup("stock-pipeline");
    assert(Found && "Driver/Pipeline.cpp declares it");
    return bool(*static_cast<llvm::cl::opt<bool> *>(Found));
  }();
  return Stock;
}

/// Whether our pipeline handles \p BC's program, and not llvm-bolt's.
inline bool isOurs(const llvm::bolt::BinaryContext &BC) {
  return BC.isX86() && !isStockPipeline();
}

} // namespace graupel

#endif // GRAUPEL_SUPPORT_OWNPIPELINE_H
