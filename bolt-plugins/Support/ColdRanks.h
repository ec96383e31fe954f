//===- Support/ColdRanks.h - The order of cold parts ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT emits cold fragments in the order of their functions. Spike places the
// cold part of a procedure as a procedure of its own (Cohn, Goodwin, Lowney
// 1997): Place/ decides, and Driver/ColdOrder.cpp has them emitted so.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_COLDRANKS_H
#define GRAUPEL_SUPPORT_COLDRANKS_H

#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace graupel {

/// By function, 0 first. The cold parts of others come behind.
using ColdRanks = llvm::DenseMap<const llvm::bolt::BinaryFunction *, uint32_t>;

/// Asks for the cold fragments of \p Functions to be emitted in this order.
void setColdOrder(std::vector<const llvm::bolt::BinaryFunction *> Functions);

/// Empty if nobody asked. Not to be called beside setColdOrder().
const ColdRanks &coldRanks();

} // namespace graupel

#endif // GRAUPEL_SUPPORT_COLDRANKS_H
