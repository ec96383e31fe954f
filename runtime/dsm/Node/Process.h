//===- Process.h - The threads of the process -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The owners of threads. There are the main thread; the program's, which it
// starts itself; and the runtime's, with those of the libraries that it calls.
// The C library starts threads that nobody tells of.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_PROCESS_H
#define GRAUPEL_DSM_NODE_PROCESS_H

namespace graupel::dsm {

/// From here on the main thread starts threads of the runtime, which take none
/// of the program's signals, ...
void beginRuntimesThreads();

/// ... and from here on the main thread, and threads that are nobody's, start threads
/// of the program.
void beginProgramsThreads();

/// True if each thread of the process is the main thread, or counted as the
/// program's (TheProgramsThreads) or the runtime's. False also while a thread
/// is about to begin or end.
bool allThreadsAreCounted();

/// The calling thread ends, which is the main thread if `IsMain`. It is
/// counted no more. Does not return if nobody is left but the runtime: calls
/// exit, as the C library would without the runtime's threads.
void endThreadOfProcess(bool IsMain);

} // namespace graupel::dsm

#endif
