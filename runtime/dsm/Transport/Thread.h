//===- Thread.h - Threads of the runtime's own --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_THREAD_H
#define GRAUPEL_DSM_TRANSPORT_THREAD_H

#include <pthread.h>

namespace graupel::dsm {

/// Starts a thread with a small stack that takes none of the program's signals.
/// Ends the process with a message if there cannot be one more thread.
pthread_t startThread(const char *Name, void *(*Main)(void *), void *Argument);

} // namespace graupel::dsm

#endif
