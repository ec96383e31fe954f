//===- Manager/Actions.h - Actions of buttons ----------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An action is a JSON object: `action`, and the arguments that it needs.
//
// | register   | program, name                                     |
// | instrument | application                                       |
// | optimize   | application, options                              |
// | choose     | application, mode                                 |
// | export     | application, folder                               |
// | unregister | application                                       |
// | measure    | application, command, folder, rounds              |
// | import     | image, file                                       |
// | watch      | application, every (seconds); goes on until it is |
// |            | cancelled                                         |
// | gc         |                                                   |
// | use        | image, version, a kind or `default`: what runs    |
// | report     | image, version                                    |
// | explain    | image, version, function                          |
//
// The server reads one (readAction) and passes its text to a process
// (JobProcess.h), which reads it again and does it (performAction).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_ACTIONS_H
#define GRAUPEL_TOOLS_MANAGER_ACTIONS_H

#include "Environment/Environment.h"
#include "Jobs.h"

namespace graupel::ui {

/// An action's arguments.
struct Wanted {
  std::string Application, Program, Name, Folder, Options, Command, Image, File,
      Version, Function;
  environment::Mode Runs = environment::Mode::Original;
  unsigned Rounds = 12, Every = 60;
};

/// One action, on an open environment. Lines are added to the outcome.
using ActionFunction = llvm::Error (*)(environment::Environment &,
                                       const Wanted &, Monitor &, Outcome &);

struct Action {
  std::string Title;
  Wanted With;
  ActionFunction Does;
  bool IsEndless; ///< Beside the others, until it is cancelled.
};

/// The action that a request asks for. An error if there is none.
llvm::Expected<Action> readAction(llvm::StringRef Text);

/// Does it.
Outcome performAction(llvm::StringRef Text, const environment::Locations &L,
                      Monitor &Told);

} // namespace graupel::ui

#endif
