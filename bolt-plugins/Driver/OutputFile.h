//===- Driver/OutputFile.h - All of the output or none ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_OUTPUTFILE_H
#define GRAUPEL_DRIVER_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

/// Makes and opens a new file beside \p Path and returns its name. LLVM's
/// functions for that take each '%' of \p Path for a place to fill in.
llvm::Expected<std::string> createBeside(const std::string &Path, int &FD);

/// The target of a chain of symbolic links, be it there or not: links stay.
std::string behindLinks(std::string Path);

/// Makes BOLT write beside the file the user named and renames at the end, so
/// that a failure leaves neither a partial output nor harms an older one. BOLT
/// leaves through exit() on many errors; the temporary file is removed then and
/// on signals, too. One object a process.
class OutputFile {
public:
  /// Call it before the process forks, so that removeLeftOver() works.
  static void prepare();

  /// Redirects BOLT's -o option to a temporary file beside what the user named,
  /// or what that links to. Other than regular files only /dev/null is written,
  /// and anything by -aggregate-only.
  static llvm::Expected<OutputFile> redirect();

  /// Gives the temporary file the name the user asked for.
  llvm::Error keep();

  /// The file that will get the name; empty if the output is written directly.
  static llvm::StringRef temporaryPath();

  /// The error that \p Path was not written because of \p Why.
  static llvm::Error cannotWrite(const std::string &Path,
                                 const std::string &Why);

  /// Whether \p Why, which somebody else says, is that there is no room.
  static bool isFull(llvm::StringRef Why);

  /// In the parent of a process that was ended: removes its temporary file, if
  /// it could not do so itself.
  static void removeLeftOver();

private:
  std::string Final;
  unsigned Mode; ///< Mode of the file that is replaced; 0 if none.
  OutputFile(std::string Final, unsigned Mode)
      : Final(std::move(Final)), Mode(Mode) {}
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_OUTPUTFILE_H
