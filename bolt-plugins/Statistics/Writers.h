//===- Statistics/Writers.h - For people and for programs -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_WRITERS_H
#define GRAUPEL_STATISTICS_WRITERS_H

#include "Portrait.h"
#include "llvm/Support/raw_ostream.h"

namespace graupel {

/// Aligned tables.
void writeText(const Portrait &P, llvm::raw_ostream &OS);

/// The keys are documented in docs/statistics.md and do not change their
/// meaning; new ones may come.
void writeJSON(const Portrait &P, llvm::raw_ostream &OS);

/// One page that needs nothing but itself.
void writeHTML(const Portrait &P, llvm::raw_ostream &OS);

} // namespace graupel

#endif // GRAUPEL_STATISTICS_WRITERS_H
