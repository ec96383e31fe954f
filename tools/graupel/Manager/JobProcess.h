//===- Manager/JobProcess.h - A job in a process of its own --- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The action of a button is done by another process, `graupel-ui job`: it can
// be cancelled at any point, as a command can be by Ctrl-C; it has one thread,
// so that it may fork to measure; and what it and its children print is its
// log.
//
// 1. The server starts it in a process group of its own. The action, as JSON,
//    is its standard input.
// 2. It prints messages, a line of JSON each: `done`, `total` and `image`;
//    `log`; at the end `outcome` and `lines`. All other output, and standard
//    error, is the log.
// 3. To cancel it the server sends SIGTERM to the group, and SIGKILL to the
//    rest after a moment. The group of a job that ends without an outcome is
//    killed, too. If the server ends, it kills the groups of all.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_JOBPROCESS_H
#define GRAUPEL_TOOLS_MANAGER_JOBPROCESS_H

#include "Jobs.h"

namespace graupel::ui {

/// Runs \p Command with \p Input; what it prints is messages and log.
Work inProcess(std::vector<std::string> Command, std::string Input);

/// The same of `graupel-ui job`.
Work jobProcess(std::string Action);

/// Ends all that runs. May be called in a signal handler, before the end.
void killAllJobs();

/// The other side: reads standard input, does \p Perform, prints messages.
int runJob(
    llvm::function_ref<Outcome(llvm::StringRef Action, Monitor &)> Perform);

} // namespace graupel::ui

#endif
