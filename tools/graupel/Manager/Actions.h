//===- Manager/Actions.h - What buttons do -------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_ACTIONS_H
#define GRAUPEL_TOOLS_MANAGER_ACTIONS_H

#include "Environment/Environment.h"
#include "Jobs.h"

namespace graupel::ui {

struct Action {
  std::string Title;
  Work Does;
};

/// What a request for an action asks for, as JSON: `action` (`register`,
/// `instrument`, `optimize`, `choose`, `export`, `unregister`, `gc`), and its
/// arguments, `application`, `program`, `name`, `mode`, `folder`.
/// An error if it is none.
llvm::Expected<Action> readAction(llvm::StringRef Text,
                                  const environment::Locations &L);

} // namespace graupel::ui

#endif
