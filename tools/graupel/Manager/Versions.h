//===- Manager/Versions.h - Versions of one image ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which one runs is a choice for the image (Actions/Choose.h): as its
// applications, the newest of a kind, or one that is named. Two can be
// compared, by what the database has of them and by the symbols of their files.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_VERSIONS_H
#define GRAUPEL_TOOLS_MANAGER_VERSIONS_H

#include "Actions.h"

namespace graupel::ui {

llvm::Error doUse(environment::Environment &, const Wanted &, Monitor &,
                  Outcome &);

/// The version of \p I whose file in the store is \p Store; an error if there
/// is none.
llvm::Expected<environment::Version> requireVersion(environment::Environment &E,
                                                    const environment::Image &I,
                                                    llvm::StringRef Store);

/// Two versions of an image, by their files in the store; `original` is the
/// image itself. Objects `before` and `after`: `kind`, `bytes`, `options`,
/// `made`, `seconds`, `executed_instructions` (by the counts that it was made
/// by), `figures`; and `functions`, the hottest ones by either: `name`, and in
/// `before` and `after` `executed`, `percent`, `address`, `bytes`,
/// `cold_bytes`, `rank`.
llvm::Expected<llvm::json::Value> difference(environment::Environment &E,
                                             const environment::Image &I,
                                             llvm::StringRef Before,
                                             llvm::StringRef After);

/// The hottest functions of an image by what is counted of it now: `functions`,
/// with `name`, `executed`, `percent`, `calls`, `blocks`, `executed_blocks`;
/// `all`, their number, and `executed_instructions`.
llvm::Expected<llvm::json::Value> hotFunctions(environment::Environment &E,
                                               const environment::Image &I);

} // namespace graupel::ui

#endif
