//===- Images/Examine.h - Whether an image can be handled ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_IMAGES_EXAMINE_H
#define GRAUPEL_ENVIRONMENT_IMAGES_EXAMINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <sys/types.h>

namespace graupel::environment {

/// Why a file is left alone that is neither an ELF file nor a script.
inline constexpr llvm::StringLiteral NotAProgram = "it is not a program";

struct ImageFacts {
  bool IsScript = false;
  /// The dynamic loader, or what runs the script; empty for libraries and
  /// static programs.
  std::string Interpreter;
  /// The image's identity in profiles (Profile/ImageIdentity.h), in
  /// hexadecimal.
  std::string BuildID;
  /// Why graupel-bolt must not or cannot change it, and what would help, or
  /// empty.
  std::string Unfit;
  /// That is only that the linker left no relocations. Copies of its functions
  /// can be optimized, which is done where somebody names the program.
  bool IsShipped = false;
};

/// Looks into a program, library or script. Errors are for what cannot be read;
/// whatever the file is, there is an answer.
llvm::Expected<ImageFacts> examineImage(const std::string &Path);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_IMAGES_EXAMINE_H
