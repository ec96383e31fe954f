//===- Manager/Perform.h - Actions on applications ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_PERFORM_H
#define GRAUPEL_TOOLS_MANAGER_PERFORM_H

#include "Actions.h"

namespace graupel::ui {

// The actions of Actions.h, with the functions that the commands of the same
// names call.
#define GRAUPEL_ACTION(Name)                                                   \
  llvm::Error Name(environment::Environment &, const Wanted &, Monitor &,      \
                   Outcome &);
GRAUPEL_ACTION(doRegister)
GRAUPEL_ACTION(doInstrument)
GRAUPEL_ACTION(doOptimize)
GRAUPEL_ACTION(doChoose)
GRAUPEL_ACTION(doExport)
GRAUPEL_ACTION(doUnregister)
GRAUPEL_ACTION(doMeasure)
GRAUPEL_ACTION(doImport)
GRAUPEL_ACTION(doWatch)
GRAUPEL_ACTION(doClean)
#undef GRAUPEL_ACTION

/// The image that is known by this path, as it is on disk now; an error if no
/// application has it.
llvm::Expected<environment::Image> requireImage(environment::Environment &E,
                                                const std::string &Path);

} // namespace graupel::ui

#endif
