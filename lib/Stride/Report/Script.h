//===- Stride/Report/Script.h - The script of the page ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_REPORT_SCRIPT_H
#define GRAUPEL_STRIDE_REPORT_SCRIPT_H

#include "llvm/ADT/StringRef.h"

namespace graupel::stride {

/// Added to the style of `graupel::Page`.
llvm::StringRef pageStyle();
/// Reads what `writeHTML` leaves in the element `figures`.
llvm::StringRef pageScript();

} // namespace graupel::stride

#endif
