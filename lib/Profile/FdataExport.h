//===- Profile/FdataExport.h - Profiles for llvm-bolt -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_FDATAEXPORT_H
#define GRAUPEL_PROFILE_FDATAEXPORT_H

#include "ProfileFile.h"
#include "llvm/Support/raw_ostream.h"

namespace graupel {

/// The trustworthy part of a profile.
struct ExportSummary {
  uint64_t Functions = 0; ///< Executed functions.
  /// Number of these that control left other than by their edges, and number
  /// of times that it did so.
  uint64_t Irregular = 0;
  uint64_t Residual = 0;
  /// Executions of branches between blocks that fdata has no name for. The
  /// reader would take their targets for cold.
  uint64_t Unnamed = 0;
};

/// Writes \p P as fdata: branches, calls, indirect calls by target, and for
/// functions that were entered more often than any known call explains, entries
/// from an unknown place. Functions with names that fdata cannot express are
/// left out. It is an error if the text would be many times as long as the
/// profile, which only names of absurd lengths can bring about.
llvm::Expected<ExportSummary> writeFdata(const Profile &P,
                                         llvm::raw_ostream &OS);

} // namespace graupel

#endif // GRAUPEL_PROFILE_FDATAEXPORT_H
