//===- Driver/CompressedDebug.h - Compressed debug sections -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_COMPRESSEDDEBUG_H
#define GRAUPEL_DRIVER_COMPRESSEDDEBUG_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace graupel {

/// \p File, which has been checked, with all of its sections decompressed. It
/// is a copy that can be written to, or \p File if none is compressed.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
decompressDebug(std::unique_ptr<llvm::MemoryBuffer> File);

} // namespace graupel

#endif // GRAUPEL_DRIVER_COMPRESSEDDEBUG_H
