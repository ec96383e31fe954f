//===- stride/Process.h - When recording begins and ends -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_PROCESS_H
#define GRAUPEL_STRIDE_PROCESS_H

#include "Thread.h"

// Exceptions pass through interposed functions in programs that have libstdc++.
// In others these symbols are null, and nobody throws.
__asm__(".weak __gxx_personality_v0\n"
        ".weak __cxa_begin_catch\n"
        ".weak _ZSt9terminatev");

namespace graupel::stride {

bool isRecording();
/// Whether the program's allocations are not recorded any more.
bool isOver();
/// Counts the records in this thread's buffer.
void drainOwn();
/// This thread has got a block, or gives one back.
void enterBlock(uint64_t Address, uint64_t Bytes, Object *Obj);
void leaveBlock(uint64_t Address);
/// This thread is about to make another one.
void beforeThread();
/// Counts the records in all buffers and closes the record, for good if it has
/// Ended.
void endRecord(RecordState NewState);
/// After an exec that failed.
void resumeRecord();

/// The runtime works for itself on this thread: its allocations are not the
/// program's.
class Inside {
public:
  Inside();
  ~Inside();
  static bool here();
};

} // namespace graupel::stride

#endif
