//===- Commons.h - Members of COMMON blocks --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_COMMONS_H
#define GRAUPEL_STRIDE_COMMONS_H

namespace llvm {
class Module;
}

namespace graupel::stride {

/// A COMMON block is one symbol. Where debug information tells its members, the
/// runtime is told which bytes are whose (graupel_stride_parts).
void tellCommons(llvm::Module &M);

} // namespace graupel::stride

#endif
