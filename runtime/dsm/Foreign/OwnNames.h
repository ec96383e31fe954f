//===- OwnNames.h - Functions named like the C library's --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_OWNNAMES_H
#define GRAUPEL_DSM_FOREIGN_OWNNAMES_H

namespace graupel::dsm {

/// Ends the job if the program has a function without checks that is named like
/// one of the C library's, and checked code calls the wrapper of that name
/// instead (llvm-passes/Fgdsm/OwnNames.h is for those with checks).
void refuseUncheckedOwnNames();

} // namespace graupel::dsm

#endif
