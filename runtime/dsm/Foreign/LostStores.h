//===- LostStores.h - Stores without checks that are lost -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block whose data is on another node holds the sentinel. If it does not when
// the data arrives, somebody has stored there without a check.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_LOSTSTORES_H
#define GRAUPEL_DSM_FOREIGN_LOSTSTORES_H

#include <cstddef>
#include <cstdint>

namespace graupel::dsm {

/// Ends the job if the blocks from `A` on, `Length` bytes of one page whose
/// tags refuse loads, hold anything but the sentinel. Under the protocol lock.
void refuseLostStores(uintptr_t A, size_t Length);
/// The same of all open memory, for the end of a node.
void refuseLostStores();

} // namespace graupel::dsm

#endif
