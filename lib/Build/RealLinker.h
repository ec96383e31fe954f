//===- Build/RealLinker.h - Which linker would have run ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_REALLINKER_H
#define GRAUPEL_BUILD_REALLINKER_H

#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>

namespace graupel::build {

/// The way in which the wrapper of a linker was started.
struct Invocation {
  std::string Name;         ///< Its file name.
  bool IsFromPath = false;  ///< It is the one that PATH leads to.
  std::string CompilerPath; ///< COMPILER_PATH: of gcc's driver, or the user's.
  std::string Path;         ///< PATH.
  std::string GccOptions;   ///< COLLECT_GCC_OPTIONS.
  std::string ParentFolder; ///< That of its parent process, if a compiler.

  static Invocation ofThisProcess(llvm::StringRef Argument0);
};

/// The name under which gcc looks for a linker before any other.
inline constexpr const char *NameForGcc = "real-ld";

/// The name of the linker that is wanted: of `real-ld`, what gcc's
/// `-fuse-ld=` says.
std::string wantedLinker(const Invocation &I);

/// The path of the linker that would have run; empty if there is none.
/// \p MayRun is false for what is no program, and for ourselves.
std::string findLinker(const Invocation &I,
                       const std::function<bool(const std::string &)> &MayRun);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_REALLINKER_H
