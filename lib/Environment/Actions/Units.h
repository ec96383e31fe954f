//===- Actions/Units.h - Programs that systemd units start ---- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_UNITS_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_UNITS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace graupel::environment {

/// A line `ExecStart=` of a unit, in parts that together are the line.
struct StartLine {
  std::string Prefixes; ///< "-", ":" and so on, as systemd.service(5) has them.
  std::string Program;  ///< The started one; empty if systemd alone knows.
  std::string Rest;     ///< Behind it, as it is written.
  std::string Text;     ///< The whole line.
};

/// A line's value, in parts.
StartLine readStartLine(llvm::StringRef Text);

struct Unit {
  std::string Name;
  std::vector<StartLine> Starts;
  /// The last value of each key of [Service].
  std::vector<std::pair<std::string, std::string>> Settings;

  llvm::StringRef setting(llvm::StringRef Key) const;
};

/// Where systemd looks for units, the first folder first: the system's for
/// root, else the user's. $SYSTEMD_UNIT_PATH as in systemd(1).
std::vector<std::string> unitFolders();

/// Reads a service with its drop-ins, as systemd would, but for those that are
/// called \p Except. \p Name may lack `.service`.
llvm::Expected<Unit> readUnit(llvm::StringRef Name,
                              llvm::ArrayRef<std::string> Folders,
                              llvm::StringRef Except);

/// One word of a line ExecStart=, whatever is in it. An error for what a unit
/// cannot have. With \p KeepsDollars systemd replaces no variables.
llvm::Expected<std::string> unitWord(llvm::StringRef Text, bool KeepsDollars);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_UNITS_H
