//===- Build/Links.h - The list of links ---------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of lines, one for each link, in the order in which they ended. Links
// run at the same time, so each line is written by one call, under a lock.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_LINKS_H
#define GRAUPEL_BUILD_LINKS_H

#include "Environment/Store/FileIdentity.h"
#include "LinkCommand.h"
#include "llvm/Support/Error.h"

namespace graupel::build {

/// The variable by which linkers know the state folder of the build that runs.
inline constexpr const char *StateVariable = "GRAUPEL_BUILD";

struct Link {
  std::string Output; ///< Absolute.
  std::string Folder; ///< The folder in which the linker ran.
  std::string Linker;
  std::vector<std::string> Arguments; ///< The original ones.
  int64_t Time = 0;                   ///< Seconds since 1970.
  Strip Asked = Strip::Nothing;
  /// With symbols and relocations, where the output has been stripped.
  std::string Unstripped;
  /// The output's identity when the link was done.
  environment::FileIdentity Identity;
  std::string Without; ///< Why it kept no relocations, or empty.
};

std::string linksFile(llvm::StringRef State);

/// A path as text for JSON, whatever its bytes are. Paths beside the state
/// folder or below are relative to it: a project may be moved or copied.
std::string storedPath(llvm::StringRef State, llvm::StringRef Path);
std::string pathOf(llvm::StringRef State, llvm::StringRef Stored);

/// Adds a line.
llvm::Error note(llvm::StringRef State, const Link &L);

/// All links, in the order of lines: a name may have had several, if what was
/// linked is renamed. A line that is damaged is passed over; without a file
/// there are none.
std::vector<Link> links(llvm::StringRef State);

/// Drops the links whose outputs are gone, as those of configure scripts, or
/// were linked again, and unstripped files that no link has.
llvm::Error forgetGone(llvm::StringRef State);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_LINKS_H
