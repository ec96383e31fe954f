//===- Build/Linker.h - The wrapper of a linker --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_LINKER_H
#define GRAUPEL_BUILD_LINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace graupel::build {

/// Runs the linker that would have run, so that its output keeps relocations,
/// and notes the link. Outside of a build it becomes that linker. The exit
/// status.
int linkAs(llvm::StringRef Argument0, llvm::ArrayRef<std::string> Arguments);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_LINKER_H
