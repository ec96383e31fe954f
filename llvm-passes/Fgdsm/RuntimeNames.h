//===- RuntimeNames.h - Functions of runtimes -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may have functions that are only named as ours are. So each name
// counts that the runtime exports, and no other. Names that C leaves to the
// implementation are known by how they begin.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_RUNTIMENAMES_H
#define GRAUPEL_FGDSM_RUNTIMENAMES_H

#include "llvm/ADT/StringRef.h"

namespace graupel::fgdsm {

/// One of libgraupel-dsm's own, or a marker of these passes.
bool isRuntimes(llvm::StringRef Name);

/// A function that compilers add to programs. It follows no pointer of the
/// program's, or only hands it on to checked code.
bool isCompilers(llvm::StringRef Name);

} // namespace graupel::fgdsm

#endif
