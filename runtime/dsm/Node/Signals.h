//===- Signals.h - Handlers of the program and the runtime ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_SIGNALS_H
#define GRAUPEL_DSM_NODE_SIGNALS_H

#include <csignal>

namespace graupel::dsm {

/// sigaction for a handler of the runtime's, which may do what the program's
/// must not.
void setRuntimesHandler(int Signal, const struct sigaction &New,
                        struct sigaction *Old);

} // namespace graupel::dsm

#endif
