//===- Options/BoltOptions.h - BOLT's options by name ------------*- C++
//-*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most of BOLT's options are variables private to one of its files. They are
// reached through the registry of LLVM's command-line library instead.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_OPTIONS_BOLTOPTIONS_H
#define GRAUPEL_OPTIONS_BOLTOPTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

namespace graupel {

/// The option called \p Name. Ends the program if BOLT has none: a name that
/// went away is our defect, not the user's.
llvm::cl::Option &boltOption(llvm::StringRef Name);

/// True if the user gave option \p Name.
bool isGiven(llvm::StringRef Name);

/// The option \p Name as what it was declared: a cl::opt<T>.
template <typename T> llvm::cl::opt<T> &boltOpt(llvm::StringRef Name) {
  return static_cast<llvm::cl::opt<T> &>(boltOption(Name));
}

/// The value of the boolean option \p Name.
inline bool boltFlag(llvm::StringRef Name) { return boltOpt<bool>(Name); }

/// Sets option \p Name as if \p Value had been typed, unless the user gave it.
void setUnlessGiven(llvm::StringRef Name, llvm::StringRef Value);

/// Sets option \p Name to \p Value, whatever it was.
void setOption(llvm::StringRef Name, llvm::StringRef Value);

} // namespace graupel

#endif // GRAUPEL_OPTIONS_BOLTOPTIONS_H
