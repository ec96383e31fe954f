//===- Driver/ColdOrder.h - Cold parts as procedures ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_COLDORDER_H
#define GRAUPEL_DRIVER_COLDORDER_H

#include "bolt/Core/BinaryFunction.h"
#include <vector>

namespace graupel {

/// Asks for the cold fragments of \p Functions to be emitted in this order,
/// before all other cold code. BOLT by itself emits cold fragments in the order
/// of their functions, while Spike places the cold part of a procedure as a
/// procedure of its own.
void setColdOrder(std::vector<const llvm::bolt::BinaryFunction *> Functions);

} // namespace graupel

#endif // GRAUPEL_DRIVER_COLDORDER_H
