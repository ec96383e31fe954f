//===- Verify/CommandLine.h - An output's command line ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT leaves the command line in the note .note.bolt_info, words between
// blanks.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_COMMANDLINE_H
#define GRAUPEL_VERIFY_COMMANDLINE_H

#include "Elf/ElfView.h"
#include "llvm/ADT/SmallVector.h"

namespace graupel {

/// The words of \p Output's command line that begin with dashes, without these
/// and in their order; none if there is no note.
llvm::SmallVector<llvm::StringRef, 16> optionsOf(const ElfView &Output);

} // namespace graupel

#endif // GRAUPEL_VERIFY_COMMANDLINE_H
