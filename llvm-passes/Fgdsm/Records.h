//===- Records.h - Data that the passes leave for the runtime ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_RECORDS_H
#define GRAUPEL_FGDSM_RECORDS_H

#include "llvm/IR/GlobalVariable.h"

namespace graupel::fgdsm {

/// \p Record goes if \p Owner goes. Unless code refers to it, name it in
/// llvm.compiler.used, too.
void tieTo(llvm::GlobalVariable &Record, llvm::GlobalObject &Owner);

/// A private constant with \p Text and its end, called \p Name.
llvm::GlobalVariable *makeText(llvm::Module &M, llvm::StringRef Text,
                               const llvm::Twine &Name);

} // namespace graupel::fgdsm

#endif
