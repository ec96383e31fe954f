//===- numa/Run/Calls.h - When a function is called ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A breakpoint on a function's first byte, in this process's copy of the code.
// When a thread comes there the byte is put back, so a function that is called
// again and again costs nothing more; it is watched again once another one that
// is watched has been called: phases may alternate.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_CALLS_H
#define GRAUPEL_NUMA_CALLS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace graupel::numa {

/// Has `Called(N)` called, on the thread that comes to address N first and
/// before it goes on; others that come meanwhile wait. Once, before there are
/// threads. Null, or a sentence about why that cannot be.
const char *watchCalls(const std::vector<uint64_t> &Addresses,
                       void (*Called)(size_t N));

} // namespace graupel::numa

#endif
