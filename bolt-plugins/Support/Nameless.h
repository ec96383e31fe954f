//===- Support/Nameless.h - Functions without a symbol ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_NAMELESS_H
#define GRAUPEL_SUPPORT_NAMELESS_H

#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// True if no symbol names \p BF: BOLT has made its name up, from the address.
inline bool isNameless(const llvm::bolt::BinaryFunction &BF) {
  const llvm::StringRef Name = BF.getOneName();
  return Name.starts_with("__BOLT_FDE_FUNCat") || Name.starts_with("FUNCat");
}

} // namespace graupel

#endif // GRAUPEL_SUPPORT_NAMELESS_H
