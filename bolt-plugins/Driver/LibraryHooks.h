//===- Driver/LibraryHooks.h - Where a library starts and ends --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_LIBRARYHOOKS_H
#define GRAUPEL_DRIVER_LIBRARYHOOKS_H

#include "llvm/Object/ELFObjectFile.h"

namespace graupel {

/// Makes sure that the library \p Input has entries DT_INIT and DT_FINI, or
/// arrays, for the runtime to take the place of. Those it adds, to the mapped
/// file in memory alone, lead to address 0, where no function is.
llvm::Error addLibraryHooks(llvm::object::ELFObjectFileBase &Input);

} // namespace graupel

#endif // GRAUPEL_DRIVER_LIBRARYHOOKS_H
