//===- Driver/RegisteredFrames.h - Registered unwind records ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_REGISTEREDFRAMES_H
#define GRAUPEL_DRIVER_REGISTEREDFRAMES_H

#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// A program that GCC linked with -static has no index of its unwind
/// information: its startup code passes the address of .eh_frame to
/// __register_frame_info(). BOLT writes a new .eh_frame elsewhere; this has
/// such code, which is about to be emitted, refer to that one. Ends the process
/// if the new code could not be unwound.
void redirectRegisteredFrames(llvm::bolt::BinaryContext &BC);

/// BOLT keeps the old records in a copy that has to be beside the new ones. If
/// the section is writable, as assembly can make it, the copy would go to other
/// data. Before the copy is made.
void keepFramesTogether(llvm::bolt::BinaryContext &BC);

/// The same as redirectRegisteredFrames for code in \p Section that stays as it
/// is. The addresses of the output are known; the section is about to be
/// written.
void redirectKeptFrames(llvm::bolt::BinarySection &Section);

} // namespace graupel

#endif // GRAUPEL_DRIVER_REGISTEREDFRAMES_H
