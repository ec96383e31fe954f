//===- Wild.h - Accesses that no check has let through ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_WILD_H
#define GRAUPEL_DSM_FOREIGN_WILD_H

namespace graupel::dsm {

/// From here on a segmentation fault in the shared region ends the job with a
/// message; others go to who handled them before.
void catchWildAccesses();

/// Gives the calling thread a stack for handlers, until it ends, so that one
/// that has used up its own is told of. The program may choose another.
void takeSignalStack();

} // namespace graupel::dsm

#endif
