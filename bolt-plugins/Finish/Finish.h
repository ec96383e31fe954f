//===- Finish/Finish.h - Headers that other tools can work with -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FINISH_FINISH_H
#define GRAUPEL_FINISH_FINISH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

/// Gives the symbols without a section in the output at \p Path, which are
/// constants of assembly and of the linker, the values that they had before
/// forgetAbsoluteNumbers() returned \p Mark. \p Input is the file's content.
llvm::Error restoreNumbers(llvm::StringRef Input, uint64_t Mark,
                           llvm::StringRef Path);

/// Brings the headers of the output at \p Path, which was made of the file with
/// the content \p Input, into their places. Returns why not, if something is in
/// the way; the output then is as BOLT wrote it. An error is the system's.
llvm::Expected<std::string> finishOutput(llvm::StringRef Input,
                                         llvm::StringRef Path);

/// Gives the loader's symbols in the output at \p Path, whose values are those
/// of the input, the numbers of the sections that \p Input has them in.
llvm::Error renumberSections(llvm::StringRef Input, llvm::StringRef Path);

/// Returns an error if the output at \p Path has no entry point and \p Input has
/// one: it is not the beginning of a function, and BOLT has lost it.
llvm::Error checkEntry(llvm::StringRef Input, llvm::StringRef Path);

/// Puts \p Bytes, which the input has behind all that its headers know of,
/// there in the output at \p Path. The last step.
llvm::Error append(llvm::StringRef Bytes, llvm::StringRef Path);

} // namespace graupel

#endif // GRAUPEL_FINISH_FINISH_H
