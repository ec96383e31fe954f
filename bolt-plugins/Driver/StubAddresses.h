//===- Driver/StubAddresses.h - Addresses of indirect functions -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_STUBADDRESSES_H
#define GRAUPEL_DRIVER_STUBADDRESSES_H

#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// Before \p BF is disassembled: keeps its addresses of stubs of the PLT.
void keepStubAddresses(llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_DRIVER_STUBADDRESSES_H
