//===- Numa/Bench/Published.h - Figures of an older machine --- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_PUBLISHED_H
#define GRAUPEL_NUMA_BENCH_PUBLISHED_H

#include "Table.h"

namespace graupel::numa::bench {

/// The tables of (Prestor 2001); none has a column with our figures.
std::vector<FilledTable> published();

} // namespace graupel::numa::bench

#endif
