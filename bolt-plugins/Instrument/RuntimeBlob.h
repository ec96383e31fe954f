//===- Instrument/RuntimeBlob.h - The runtime as bytes ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_RUNTIMEBLOB_H
#define GRAUPEL_INSTRUMENT_RUNTIMEBLOB_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

/// The position-independent code of runtime/profile.
struct RuntimeBlob {
  std::string Code;
  uint64_t Alignment = 64;
  /// Offsets in Code of its entries (graupel_rt_*).
  llvm::StringMap<uint64_t> Symbols;

  /// The offset of \p Name, which must exist.
  uint64_t offsetOf(llvm::StringRef Name) const;
};

/// The runtime this program was built with.
llvm::Expected<RuntimeBlob> embeddedRuntime();

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_RUNTIMEBLOB_H
