//===- numa/Kernel.h - System calls for memory ---------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Return 0 or -errno. Ranges are whole pages. None of these allocates memory,
// so handlers of signals may use them.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_KERNEL_H
#define GRAUPEL_NUMA_KERNEL_H

#include <cstddef>
#include <cstdint>

namespace graupel::numa {

constexpr uint64_t PageBytes = 4096;
constexpr uint64_t HugeBytes = 2 << 20;

/// Bit N is node N.
using Nodes = uint64_t;

inline uint64_t pageDown(uint64_t Address) { return Address & -PageBytes; }
inline uint64_t pageUp(uint64_t Address) {
  return (Address + PageBytes - 1) & -PageBytes;
}

/// `Mode` is MPOL_*. Moves pages that are there already if `Move`.
int bindMemory(uint64_t Start, uint64_t End, int Mode, Nodes Mask, bool Move);
/// Sets the first node to use in a range that is bound to several nodes.
/// Kernels before 5.17 cannot do that and begin with the lowest number.
void setHomeNode(uint64_t Start, uint64_t End, unsigned Node);
/// For the calling thread's own later allocations.
int setThreadPolicy(int Mode, Nodes Mask);

/// The nodes of pages: Status[i] of the page at Start + i pages is a node or
/// -errno.
int queryPages(uint64_t Start, size_t Count, int *Status);
/// Moves pages: page i to Wanted[i * Step], so a step of 0 means one node for
/// all. Retries busy pages for a while. Status, if not null, as in queryPages.
int movePages(uint64_t Start, size_t Count, const int *Wanted, size_t Step,
              int *Status);

/// Splits large pages in the range into small ones, for good: they would be
/// placed as a whole, with memory beside the range.
void cutHugePages(uint64_t Start, uint64_t End);

/// The node of the processor that runs this.
int currentNode();

} // namespace graupel::numa

#endif
